package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

const (
	// waitLimit is the maximum of every wait for something that must happen. It is many times longer than necessary,
	// even on a busy machine, because no test is about it.
	waitLimit = 4 * time.Minute
	// devicesPerSecond is the rate at which a fleet launches during rollouts. It is enough for a stage within a second,
	// and small compared with the load of the tests that run at the same time.
	devicesPerSecond = 50
	// pollEvery is the interval for polling the few states that no event announces.
	pollEvery = 10 * time.Millisecond
)

// shortStages returns a policy whose stages take seconds. It rolls back if more than 2% of devices crash.
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

// mainJob is the main purpose of Waft: a release rolls out to every device, and the next release crashes and is rolled
// back. interrupt, if given, runs in between.
type mainJob struct {
	project   project
	exports   map[string]string // by label: stable, next, broken
	platforms []models.Platform
	assets    fleet.AssetRest
	// devices is the size of the fleet, with about 20 devices of each platform in the first stage.
	devices   int
	interrupt struct {
		inStage func(client.RolloutExecution)
		// beforeRollback runs before a device has the crashing release. The function that it returns runs while devices
		// crash.
		beforeRollback func(client.RolloutExecution) (inRollback func())
	}
}

// madeExports returns small exports that the test creates itself. The real exports are in device_exports_test.go.
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
		Devices: j.devices, IOSPercent: iosPercent(j.platforms), Seed: 7,
		Assets: fleet.AssetPolicy{Rest: j.assets}, OnLaunch: ledger.note,
	})
	require.NoError(t, err)
	t.Cleanup(devices.Close)
	// The release crashes on every device. If it crashed only on some, the first devices to report on a slow machine
	// might all be healthy, and there could be enough of them to advance the stage.
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

// launchEach launches every device n times, one device after the other.
func launchEach(t *testing.T, f *fleet.Fleet, n int) {
	t.Helper()
	require.NoError(t, f.Run(t.Context(), fleet.Load{Workers: 8, Launches: int64(n * f.Stats().Devices)}))
}

// keepLaunching launches devices in the background until stop is called.
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

// requireAllRun checks that every device runs the labelled release at its next launch.
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

// requireServed waits until every device of the release's platform is served the release. The response to a publish may
// arrive before the API's snapshot has the release.
func (p project) requireServed(t *testing.T, u client.Update) {
	t.Helper()
	eventually(t, func() bool {
		res, err := p.ResolveWithResponse(t.Context(), &client.ResolveParams{
			Channel: "production", Platform: client.ResolveParamsPlatform(u.Platform), RuntimeVersion: u.RuntimeVersion,
		})
		if code := client.CodeOf(err); code == models.CodeNotFound || code == models.CodeUnavailable {
			return false // the project is new, and not every process knows it yet
		}
		require.NoError(t, err)
		return res.JSON200.UpdateID != nil && *res.JSON200.UpdateID == u.ID
	})
}

// requireNoLongerServed waits until a device inside the release's rollout is served something else.
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
		project: p, exports: madeExports(t), assets: fleet.AssetHead, devices: enginetest.Sized(400, 200),
		platforms: []models.Platform{models.IOS, models.Android},
	}.play(t)
}
