package rollout_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

func drawThresholds(t *rapid.T) models.Thresholds {
	limit := rapid.Custom(func(t *rapid.T) *float64 {
		if rapid.Bool().Draw(t, "watched") {
			return percentLimit(rapid.Float64Range(0.01, 100).Draw(t, "limit"))
		}
		return nil
	})
	direction := rapid.SampledFrom([]models.EventDirection{models.EventAbove, models.EventBelow})
	var events []models.EventLimit
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"paid", "left"}), 0, 2, rapid.ID).Draw(t, "events") {
		events = append(events, models.EventLimit{
			Name: name, Rate: rapid.Float64Range(0.01, 99).Draw(t, "rate"), Direction: direction.Draw(t, "direction"),
		})
	}
	return models.Thresholds{
		Events:    events,
		ErrorRate: limit.Draw(t, "errorRate"),
		CrashRate: limit.Draw(t, "crashRate"),
		Action:    rapid.SampledFrom([]models.ThresholdAction{"", models.ActionGate, models.ActionAutoRollback}).Draw(t, "action"),
		Method:    rapid.SampledFrom([]models.EvidenceMethod{"", models.MethodSequential, models.MethodPoint}).Draw(t, "method"),

		MinNetworks: rapid.SampledFrom([]*int64{nil, new(int64(1)), new(int64(2)), new(int64(20))}).Draw(t, "minNetworks"),
	}
}

func drawStages(t *rapid.T) []models.Stage {
	n := rapid.IntRange(1, 6).Draw(t, "stages")
	stages := make([]models.Stage, n)
	for i := range stages {
		stages[i] = models.Stage{
			Percentage:         100 * float64(i+1) / float64(n),
			MinDevices:         rapid.Int64Range(0, 200).Draw(t, "minDevices"),
			MinDurationMinutes: rapid.Float64Range(0, 10).Draw(t, "minDuration"),
		}
		if rapid.Bool().Draw(t, "own") {
			own := drawThresholds(t)
			stages[i].Thresholds = &own
		}
	}
	return stages
}

func drawHealth(t *rapid.T) *models.ReleaseHealth {
	if rapid.IntRange(0, 4).Draw(t, "unavailable") == 0 {
		return nil
	}
	var h models.ReleaseHealth
	for _, network := range rapid.SliceOfN(rapid.Custom(drawNetwork), 0, 40).Draw(t, "networks") {
		h = heard(h, network, 30)
	}
	for _, name := range []string{"paid", "left"} {
		for _, direction := range []models.EventDirection{models.EventAbove, models.EventBelow} {
			l := models.EventLimit{Name: name, Direction: direction}
			devices := h.Devices
			if direction == models.EventBelow {
				devices = rapid.Int64Range(0, devices).Draw(t, "heard")
			}
			h.Events = append(h.Events, models.EventHealthOfEach(l, devices, rapid.Int64Range(0, devices).Draw(t, "told")))
		}
	}
	return &h
}

func drawNetwork(t *rapid.T) models.DeviceCounts {
	devices := rapid.Int64Range(1, 400).Draw(t, "devices")
	errored := rapid.Int64Range(0, devices).Draw(t, "errored")
	return models.DeviceCounts{Devices: devices, ErroredDevices: errored, CrashedDevices: rapid.Int64Range(0, errored).Draw(t, "crashed")}
}

// heard returns the health with the devices of one more network.
func heard(h models.ReleaseHealth, network models.DeviceCounts, maxPerNetwork int64) models.ReleaseHealth {
	h.Devices += network.Devices
	h.ErroredDevices += network.ErroredDevices
	h.CrashedDevices += network.CrashedDevices
	h.Votes = votestest.With(h.Votes, network, maxPerNetwork)
	return h
}

func drawInput(t *rapid.T) rollout.Input {
	stages := drawStages(t)
	return rollout.Input{
		Status:     rapid.SampledFrom([]models.ExecutionStatus{models.ExecutionRunning, models.ExecutionPaused}).Draw(t, "status"),
		StageIndex: rapid.IntRange(0, len(stages)-1).Draw(t, "stage"),
		Stages:     stages,
		Thresholds: drawThresholds(t),
		Ran:        time.Duration(rapid.Int64Range(0, int64(12*time.Minute)).Draw(t, "ran")),
		Health:     drawHealth(t),
		Now:        now,
	}
}

func TestPlanKeepsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		in := drawInput(t)
		d := rollout.Plan(in)
		require.Equal(t, d, rollout.Plan(in), "the same input gives the same decision")
		require.NotEmpty(t, d.Reason)
		require.Equal(t, d.Action == rollout.ActionHold, d.WaitingFor != "")

		stage := in.Stages[in.StageIndex]
		limits := rollout.EffectiveThresholds(stage, in.Thresholds)
		breach := d.Judgement.Verdict == rollout.VerdictBreach
		require.Equal(t, breach && limits.Action != models.ActionGate, d.Action == rollout.ActionRollBack)
		require.GreaterOrEqual(t, d.Stage, in.StageIndex, "the share never falls")
		require.LessOrEqual(t, d.Stage, in.StageIndex+1, "no stage is skipped")
		if breach {
			require.NotNil(t, in.Health)
			require.True(t, watched(limits))
			require.True(t, limits.LeastNetworks() == 1 || in.Health.Votes.Networks >= limits.LeastNetworks())
		}
		if d.Action == rollout.ActionAdvance || d.Action == rollout.ActionComplete {
			require.Equal(t, models.ExecutionRunning, in.Status, "a pause never moves on")
			require.NotNil(t, in.Health, "nothing moves on without health")
			require.Equal(t, rollout.VerdictFine, d.Judgement.Verdict)
			require.GreaterOrEqual(t, in.Ran, stage.MinDuration())
			require.GreaterOrEqual(t, in.Health.Devices, stage.MinDevices)
			require.False(t, watched(limits) && in.Health.Devices == 0, "no data is not health")
			if votes := in.Health.Votes; watched(limits) && limits.LeastNetworks() > 1 {
				require.GreaterOrEqual(t, votes.Networks, limits.LeastNetworks())
				require.GreaterOrEqual(t, votes.CappedDevices, stage.MinDevices)
			}
			for _, l := range limits.Events {
				require.Positive(t, in.Health.Event(l).Devices, "no data is not health")
				require.GreaterOrEqual(t, in.Health.Event(l).Devices, stage.MinDevices)
			}
			require.Equal(t, in.StageIndex == len(in.Stages)-1, d.Action == rollout.ActionComplete)
		}
		if !d.Deadline.IsZero() {
			require.Equal(t, in.Now.Add(stage.MinDuration()-in.Ran), d.Deadline)
		}
	})
}

// An hour after the deadline, a rollout must not advance by two stages in one step.
func TestOverdueStagesAreTakenOneByOne(t *testing.T) {
	t.Parallel()
	in := rollout.Input{
		Status: models.ExecutionRunning, Stages: threeStages(), Thresholds: watchingCrashes(models.ActionAutoRollback),
		Ran: 100 * time.Hour, Health: reported(10_000, 0), Now: now,
	}
	require.Equal(t, 1, rollout.Plan(in).Stage)
}

// In a whole rollout over simulated time, the percentages rise in order and each stage lasts exactly its minimum time. A pause
// adds exactly its length.
func TestARolloutOverSimulatedTime(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 7))
	in := rollout.Input{
		Status: models.ExecutionRunning, Stages: threeStages(), Thresholds: watchingCrashes(models.ActionAutoRollback), Now: now,
	}
	clock := models.StageClock{}.Started(now)
	health := models.ReleaseHealth{}
	var entered []time.Duration
	const step, pauseFrom, pauseUntil = time.Minute, 90 * time.Minute, 120 * time.Minute
	for range 1000 {
		in.Now = in.Now.Add(step)
		passed := in.Now.Sub(now)
		if passed == pauseFrom {
			in.Status, clock = models.ExecutionPaused, clock.Stopped(in.Now)
		}
		if passed == pauseUntil {
			in.Status, clock = models.ExecutionRunning, clock.Started(in.Now)
		}
		health.Devices += int64(in.Stages[in.StageIndex].Percentage)
		if r.IntN(500) == 0 {
			health.CrashedDevices++
		}
		in.Health, in.Ran = &health, clock.Elapsed(in.Now)
		d := rollout.Plan(in)
		if d.Action == rollout.ActionComplete {
			entered = append(entered, passed)
			break
		}
		if d.Action == rollout.ActionAdvance {
			entered = append(entered, passed)
			in.StageIndex, clock = d.Stage, models.StageClock{}.Started(in.Now)
		}
	}
	require.Equal(t, []time.Duration{60 * time.Minute, 150 * time.Minute, 210 * time.Minute}, entered)
}

// watched reports whether t has a threshold for any rate, or compares with the control group.
func watched(t models.Thresholds) bool {
	return t.ErrorRate != nil || t.CrashRate != nil || len(t.Events) > 0 || t.Baseline == models.BaselineControl
}
