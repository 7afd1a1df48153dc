package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

const (
	// waitLimit bounds every wait for something that must happen. No test is about it: it is many times what a machine
	// takes that does much else.
	waitLimit = 4 * time.Minute
	// devicesPerSecond is the rate at which a fleet launches while rollouts go on: enough for a stage within a second, and little beside
	// what the tests that run at the same time need.
	devicesPerSecond = 50
	// pollEvery is for the few things that nothing announces.
	pollEvery = 10 * time.Millisecond
)

// shortStages are a policy whose stages take seconds; a rate above 2 % of
// crashing devices rolls back.
func shortStages(name string) models.NewRolloutPolicy {
	limit := 2.0
	const seconds = 1.0 / 60
	return models.NewRolloutPolicy{
		Name: name, IsActive: true,
		Stages: []models.Stage{
			{Percentage: 10, MinDevices: 5, MinDurationMinutes: 2 * seconds},
			{Percentage: 50, MinDevices: 20, MinDurationMinutes: 2 * seconds},
			{Percentage: 100, MinDurationMinutes: 1 * seconds},
		},
		Thresholds: models.Thresholds{
			CrashRate: &limit, Action: models.ActionAutoRollback,
			Method: models.MethodSequential, RollbackScope: models.ScopeRelease,
		},
	}
}

// mainJob is what Waft exists for: a release goes out by itself, the next one
// crashes and is rolled back. interrupt, if given, runs in between.
type mainJob struct {
	project   project
	exports   map[string]string // by label: stable, next, broken
	platforms []models.Platform
	assets    fleet.AssetRest
	interrupt struct {
		inStage func(client.RolloutExecution)
		// beforeRollback runs before a device has the crashing release; what it returns runs while devices crash.
		beforeRollback func(client.RolloutExecution) (inRollback func())
	}
}

// madeExports are exports made in a moment; the real ones are in device_exports_test.go.
func madeExports(t *testing.T) map[string]string {
	t.Helper()
	exports := map[string]string{}
	for _, label := range []string{"stable", "next", "broken"} {
		exports[label] = t.TempDir()
		_, err := bundle.Write(exports[label], bundle.Spec{Label: label, BundleBytes: 64 << 10, Assets: 2, AssetBytes: 4 << 10})
		require.NoError(t, err)
	}
	return exports
}

func (j mainJob) play(t *testing.T) {
	t.Helper()
	ledger := newLedger()
	devices, err := fleet.New(fleet.Options{
		BaseURL: j.project.url, ProjectSlug: j.project.slug, Channel: "production", RuntimeVersion: "1.0.0",
		Devices: 400, IOSPercent: iosPercent(j.platforms), Seed: 7,
		Assets: fleet.AssetPolicy{Rest: j.assets}, OnLaunch: ledger.note,
	})
	require.NoError(t, err)
	t.Cleanup(devices.Close)
	// On every device: were it on some, the first few to report on a slow machine might
	// all be well, and as many as a stage asks for would take the release on.
	devices.SetRules(fleet.Rule{Match: "broken", Effect: fleet.Crash, Percent: 100})

	stable := j.project.publish(t, j.exports["stable"], "stable", 0, j.platforms...)
	for _, u := range stable {
		j.project.requireServed(t, u)
	}
	launchEach(t, devices, 2)
	requireAllRun(t, devices, ledger, "stable")

	stop := keepLaunching(t, devices)
	policyID, err := j.project.EnsurePolicy(t.Context(), shortStages("careful"))
	require.NoError(t, err)

	next := j.project.publish(t, j.exports["next"], "next", policyID, j.platforms...)
	if j.interrupt.inStage != nil {
		j.interrupt.inStage(j.project.until(t, *next[0].RolloutExecutionID, atStage(1)))
	}
	var rollouts []client.RolloutExecution
	for _, u := range next {
		e := j.project.until(t, *u.RolloutExecutionID, ended)
		requireTimeline(t, e, models.EventStarted, models.EventStageAdvanced, models.EventStageAdvanced, models.EventCompleted)
		require.Equal(t, 100.0, e.Percentage)
		rollouts = append(rollouts, e)
	}
	stop()
	launchEach(t, devices, 2)
	requireAllRun(t, devices, ledger, "next")

	broken := j.project.publish(t, j.exports["broken"], "broken", policyID, j.platforms...)
	inRollback := func() {}
	if j.interrupt.beforeRollback != nil {
		inRollback = j.interrupt.beforeRollback(j.project.until(t, *broken[0].RolloutExecutionID, atStage(0)))
	}
	stop = keepLaunching(t, devices)
	inRollback()
	for _, u := range broken {
		e := j.project.until(t, *u.RolloutExecutionID, ended)
		requireTimeline(t, e, models.EventStarted, models.EventRolledBack)
		require.Equal(t, models.ExecutionRolledBack, models.ExecutionStatus(e.Status))
		require.Positive(t, e.Health.CrashedDevices)
		require.Contains(t, e.Reason, "crash rate")
		rollouts = append(rollouts, e)
		j.project.requireNoLongerServed(t, u)
	}
	stop()
	over := time.Now()
	launchEach(t, devices, 3)
	requireAllRun(t, devices, ledger, "next")

	require.Empty(t, devices.Stats().Failures)
	ledger.requireShares(t, rollouts)
	ledger.requireOnlyOnce(t, "broken", "next", over)
	require.NotEmpty(t, ledger.hadUpdate("broken"), "no device ever had the broken release, so the test proves nothing")
	for _, u := range stable {
		require.Nil(t, u.RolloutExecutionID)
	}
}

func iosPercent(platforms []models.Platform) float64 {
	if len(platforms) == 2 {
		return 50
	}
	return 100
}

// launchEach starts every device n times, one after the other.
func launchEach(t *testing.T, f *fleet.Fleet, n int) {
	t.Helper()
	require.NoError(t, f.Run(t.Context(), fleet.Load{Workers: 8, Launches: int64(n * f.Stats().Devices)}))
}

// keepLaunching starts devices in the background until stop is called.
func keepLaunching(t *testing.T, f *fleet.Fleet) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Run(ctx, fleet.Load{Workers: 8, PerSecond: devicesPerSecond}) }()
	return func() {
		cancel()
		require.NoError(t, <-done)
	}
}

// requireAllRun checks that every device's next start runs the labelled release.
func requireAllRun(t *testing.T, f *fleet.Fleet, l *ledger, label string) {
	t.Helper()
	require.Equal(t, map[string]int{label: f.Stats().Devices}, l.next())
}

func requireTimeline(t *testing.T, e client.RolloutExecution, want ...models.RolloutEventKind) {
	t.Helper()
	var got []models.RolloutEventKind
	for _, event := range e.Timeline {
		if kind := models.RolloutEventKind(event.Event); kind != models.EventHeld {
			got = append(got, kind)
		}
	}
	require.Equal(t, want, got, "timeline: %+v", e.Timeline)
}

// requireServed waits until every device of the release's platform is served it: a
// publish is answered before the API's snapshot has it.
func (p project) requireServed(t *testing.T, u client.Update) {
	t.Helper()
	eventually(t, func() bool {
		res, err := p.ResolveWithResponse(t.Context(), &client.ResolveParams{
			Channel: "production", Platform: client.ResolveParamsPlatform(u.Platform), RuntimeVersion: u.RuntimeVersion,
		})
		if code := client.CodeOf(err); code == models.CodeNotFound || code == models.CodeUnavailable {
			return false // a new project is not known everywhere yet
		}
		require.NoError(t, err)
		return res.JSON200.UpdateID != nil && *res.JSON200.UpdateID == u.ID
	})
}

// requireNoLongerServed waits until a device of the release's share is served
// something else.
func (p project) requireNoLongerServed(t *testing.T, u client.Update) {
	t.Helper()
	index := 0
	for !rollout.InShare(models.ReleaseSalt(u.GroupID), fleet.DeviceID(7, index), shortStages("").Stages[0].Percentage) {
		index++
	}
	eventually(t, func() bool {
		res, err := p.ResolveWithResponse(t.Context(), &client.ResolveParams{
			Channel: "production", Platform: client.ResolveParamsPlatform(u.Platform), RuntimeVersion: u.RuntimeVersion,
			DeviceID: new(fleet.DeviceID(7, index)),
		})
		require.NoError(t, err)
		return res.JSON200.UpdateID != nil && *res.JSON200.UpdateID != u.ID
	})
}

func TestTheMainJob(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	mainJob{
		project: p, exports: madeExports(t), assets: fleet.AssetHead,
		platforms: []models.Platform{models.IOS, models.Android},
	}.play(t)
}
