package delivery

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// lostRelease returns a project that was restored, and a client that runs a release from after the backup. inBackup prepares
// the backup, and after changes the project between the backup and the restore.
func lostRelease(t *testing.T, inBackup, after func(tp *testProject)) (tp *testProject, c *stockClient, lost int64) {
	t.Helper()
	tp, c = newTestProject(), newStockClient("d")
	first := tp.publish("production")
	require.Equal(t, first, c.coldStart(t, tp.snapshot(t)))
	inBackup(tp)
	backup := tp.copy()
	backup.Channels = slices.Clone(backup.Channels)
	after(tp)
	for _, b := range tp.state.Branches {
		if b.ID == tp.production().BranchID {
			lost = tp.publish(b.Name)
		}
	}
	require.Equal(t, lost, c.coldStart(t, tp.snapshot(t)))
	tp.restore(backup)
	c.lost = true
	return tp, c, lost
}

// restore returns the project to the state of a backup. Its clock continues, as in the store.
func (tp *testProject) restore(backup models.ProjectSnapshot) {
	tp.clock = tp.clock.Add(time.Hour)
	tp.state = backup
	tp.state.Project.RestoredAt = new(tp.clock)
	tp.nextID += 1000
}

func nothing(*testProject) {}

func TestADeviceKeepsAReleaseThatTheRestoredProjectLost(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]struct{ inBackup, after func(tp *testProject) }{
		"the release before it":             {nothing, nothing},
		"a rollback to the embedded update": {func(tp *testProject) { tp.publish("production", toEmbedded) }, nothing},
		"a channel that pointed to another branch": {
			func(tp *testProject) { tp.branch("other") }, func(tp *testProject) { tp.production().BranchID = tp.branchID("other") },
		},
		"a paused channel": {
			func(tp *testProject) { tp.production().IsPaused = true }, func(tp *testProject) { tp.production().IsPaused = false },
		},
		"no release": {func(tp *testProject) {
			for _, r := range tp.state.Releases {
				r.IsEnabled = false
			}
		}, nothing},
		"more disabled releases than filters can name": {func(tp *testProject) {
			for range 2*maxExcluded + 1 {
				tp.publish("production", disabled)
			}
		}, nothing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tp, c, lost := lostRelease(t, prepare.inBackup, prepare.after)
			for range 3 {
				require.Equal(t, lost, c.coldStart(t, tp.snapshot(t)))
			}

			// A project that was never restored does not make this exception.
			tp.state.Project.RestoredAt = nil
			a, err := readWire(tp.snapshot(t).Respond(requestOf(t, c)), 1)
			require.NoError(t, err)
			require.NotNil(t, a.filters)

			// A release from after the restore reaches the device.
			tp.state.Project.RestoredAt = new(tp.clock)
			tp.production().IsPaused = false
			next := tp.publish("production")
			require.Equal(t, next, c.coldStart(t, tp.snapshot(t)))
		})
	}
}

func requestOf(t *testing.T, c *stockClient) Request {
	t.Helper()
	r, err := ParseRequest(c.headers(t), "")
	require.NoError(t, err)
	return r
}

func TestARollbackAfterARestoreReachesADeviceWithALostRelease(t *testing.T) {
	t.Parallel()
	tp, c, lost := lostRelease(t, nothing, nothing)
	require.Equal(t, lost, c.coldStart(t, tp.snapshot(t)))
	tp.publish("production", toEmbedded)
	require.Equal(t, embedded, c.coldStart(t, tp.snapshot(t)))
}

// Only part of the devices get the first release after the restore. The others keep what they have.
func TestALostReleaseStaysOutsideOfAShare(t *testing.T) {
	t.Parallel()
	tp, c, lost := lostRelease(t, nothing, nothing)
	tp.publish("production", percentage(0))
	require.Equal(t, lost, c.coldStart(t, tp.snapshot(t)))
}

func TestADeviceOfTheBackupIsServedAsBefore(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	first := tp.publish("production")
	old, fresh := newStockClient("old"), newStockClient("fresh")
	require.Equal(t, first, old.coldStart(t, tp.snapshot(t)))
	second := tp.publish("production")
	tp.restore(tp.copy())
	s := tp.snapshot(t)
	require.Equal(t, second, old.coldStart(t, s), "it runs a release that the project has")
	require.Equal(t, second, fresh.coldStart(t, s), "it runs its embedded update")

	withoutEmbedded := ask("d")
	withoutEmbedded.CurrentUpdateUUID = embeddedID
	require.Equal(t, OutcomeUpdate, s.Resolve(withoutEmbedded).Outcome, "the update may be the embedded one")
	unknown := ask("d")
	unknown.Channel, unknown.CurrentUpdateUUID, unknown.EmbeddedUpdateUUID = "nope", "lost", embeddedID
	require.Equal(t, OutcomeUnknownChannel, s.Resolve(unknown).Outcome)
}

func TestTheExplanationNamesTheRestore(t *testing.T) {
	t.Parallel()
	tp, c, lost := lostRelease(t, nothing, nothing)
	r := requestOf(t, c)
	d := tp.snapshot(t).Explain(r)
	require.Equal(t, OutcomeNoUpdate, d.Outcome)
	last := d.Steps[len(d.Steps)-1]
	require.Equal(t, [2]string{StepRestore, "kept"}, [2]string{last.Step, last.Outcome})
	require.Contains(t, last.Detail, r.CurrentUpdateUUID)
	require.NotZero(t, lost)
}
