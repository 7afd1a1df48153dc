package restorestore_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// perSecond is the number of IDs and versions that may have been used in each second after the backup.
const perSecond = 1000

func TestNoIDRepeats(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	before := f.MustPublish()
	facts := factsOf(f)
	settle(f, facts)
	used := int64(facts.RestoredAt.Sub(facts.BackedUpAt).Seconds() * perSecond)
	require.Greater(t, f.MustPublish().ID, before.ID+used)

	facts.Source, facts.BackedUpAt = "another", facts.RestoredAt
	before = f.MustPublish()
	settle(f, facts)
	require.Greater(t, f.MustPublish().ID, before.ID+10_000, "even if the clocks showed no time between the backup and the restore")
}

// A backup may be restored twice, and the second server must not use numbers of the first.
func TestALaterRestoreOfABackupJumpsFarther(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	last := func() int64 { return storetest.Query[int64](f, "SELECT last_value FROM waft_ids")[0] }
	jump := func(seconds int) int64 {
		facts, before := factsOf(f), last()
		facts.RestoredAt = facts.BackedUpAt.Add(time.Duration(seconds) * time.Second)
		settle(f, facts)
		return last() - before
	}
	first := jump(1)
	require.Equal(t, first+60*perSecond, jump(61))
}

// A change with an ETag from after the backup is refused, however many changes the record has had since the restore.
func TestNoETagRepeats(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	flag := storetest.AddFlag(f, "checkout")
	policy := f.MustPolicy()
	_, e := f.MustRollOut()
	facts := factsOf(f)
	lost, err := f.UpdateFlag(t.Context(), f.Demo.ID, storetest.Alice, flag.ID, models.FlagPatch{Name: new("After the backup")})
	require.NoError(t, err)
	f.MustExec("UPDATE flags SET name = $2 WHERE id = $1", flag.ID, flag.Name)
	f.MustExec("ALTER TABLE flags DISABLE TRIGGER USER")
	f.MustExec("UPDATE flags SET version = $2 WHERE id = $1", flag.ID, flag.Version)
	f.MustExec("ALTER TABLE flags ENABLE TRIGGER USER")
	versions := "SELECT version FROM projects UNION ALL SELECT version FROM channels UNION ALL SELECT version FROM rollout_policies " +
		"UNION ALL SELECT version FROM releases"
	before := storetest.Query[int64](f, versions)

	settle(f, facts)
	used := int64(facts.RestoredAt.Sub(facts.BackedUpAt).Seconds() * perSecond)
	for i, version := range storetest.Query[int64](f, versions) {
		require.Greater(t, version, before[i]+used-1)
	}
	for range 3 {
		stale := storetest.Alice
		stale.IfMatch = models.IfMatch{lost.ETag(lost.ID), flag.ETag(flag.ID)}
		_, err = f.UpdateFlag(t.Context(), f.Demo.ID, stale, flag.ID, models.FlagPatch{Name: new("From an old page")})
		storetest.RequireCode(t, models.CodePreconditionFailed, err)
		current := storetest.ReadFlag(f, flag.ID)
		fresh := storetest.Alice
		fresh.IfMatch = models.IfMatch{current.ETag(flag.ID)}
		_, err = f.UpdateFlag(t.Context(), f.Demo.ID, fresh, flag.ID, models.FlagPatch{Description: new(current.Description + ".")})
		require.NoError(t, err)
	}
	_, err = f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, *e.PolicyID, models.PolicyPatch{Name: new("other")})
	storetest.RequireCode(t, models.CodePolicyLocked, err)
	_, err = f.UpdatePolicy(t.Context(), f.Demo.ID, storetest.Alice, policy.ID, models.PolicyPatch{Name: new("other")})
	require.NoError(t, err, "the triggers work again")
}

// Devices may have got a release from the old server shortly before the restore, whose clock may have been ahead.
func TestTheReleaseClockNeverGoesBack(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	old := f.MustPublish()
	facts := factsOf(f)
	version := f.Version()
	settle(f, facts)
	r := f.MustPublish()
	require.True(t, r.CreatedAt.After(facts.RestoredAt.Add(time.Minute)), "%s", r.CreatedAt)
	require.Equal(t, old.CreatedAt, f.MustRelease(old.ID).CreatedAt)
	require.Greater(t, f.Version(), version+int64(facts.RestoredAt.Sub(facts.BackedUpAt).Seconds()*perSecond))

	far := time.Now().Add(48 * time.Hour).UTC().Truncate(time.Millisecond)
	f.MustExec("UPDATE projects SET last_release_millis = $1", far.UnixMilli())
	facts.Source = "another"
	settle(f, facts)
	require.True(t, f.MustPublish().CreatedAt.After(far), "a clock that is already later stays")
}

// The rows of the audit log have the transactions of the server that was backed up. A server with fewer transactions would
// send them to the event streams again, as it reaches their numbers.
func TestStreamsOfOtherServersStartAgain(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustPublish()
	old, err := f.StreamPresent(t.Context())
	require.NoError(t, err)
	f.MustExec("ALTER TABLE audit_log DISABLE TRIGGER USER")
	f.MustExec("UPDATE audit_log SET changed_tx = '999999999999'")
	f.MustExec("ALTER TABLE audit_log ENABLE TRIGGER USER")
	f.MustExec("INSERT INTO snapshot_changes (project_id, changed_tx, part, key) VALUES ($1, '999999999999', 'flags', '')", f.Demo.ID)
	settle(f, factsOf(f))

	require.Empty(t, storetest.Query[string](f, "SELECT part FROM snapshot_changes WHERE changed_tx = '999999999999'"))
	require.Empty(t, storetest.Query[int64](f, "SELECT id FROM audit_log WHERE changed_tx >= pg_snapshot_xmax(pg_current_snapshot())"))
	batch, err := f.ProjectChanges(t.Context(), f.Demo.ID, old, "", 1000)
	require.NoError(t, err)
	require.True(t, batch.Reset, "the transactions of the position are those of another server")
	require.Empty(t, batch.Changes)

	parsed, ok := models.ParseStreamPosition(batch.Position.String())
	require.True(t, ok)
	present, err := f.StreamPresent(t.Context())
	require.NoError(t, err)
	for _, position := range []models.StreamPosition{parsed, present} {
		batch, err = f.ProjectChanges(t.Context(), f.Demo.ID, position, "", 1000)
		require.NoError(t, err)
		require.False(t, batch.Reset)
		require.Empty(t, batch.Changes, "the restored entries are in the past")
	}
	storetest.AddFlag(f, "checkout")
	batch, err = f.ProjectChanges(t.Context(), f.Demo.ID, parsed, "", 1000)
	require.NoError(t, err)
	require.Len(t, batch.Changes, 1)
	again, err := f.ProjectChanges(t.Context(), f.Demo.ID, batch.Changes[0].Position, "", 1000)
	require.NoError(t, err)
	require.False(t, again.Reset)
	require.Empty(t, again.Changes)
	require.Error(t, execErr(f, "UPDATE audit_log SET action = 'x'"), "the log is append-only again")
}

func execErr(f *storetest.Fixture, sql string) error {
	_, err := f.Conn().Exec(f.T.Context(), sql)
	return err
}
