package rollout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

var now = time.Date(2026, 5, 4, 3, 0, 0, 0, time.UTC)

// threeStages returns the policy of the tables below: 5%, 25% and 100%, each for an hour and 100 devices.
func threeStages() []models.Stage {
	return []models.Stage{
		{Percentage: 5, MinDevices: 100, MinDurationMinutes: 60},
		{Percentage: 25, MinDevices: 100, MinDurationMinutes: 60},
		{Percentage: 100, MinDevices: 100, MinDurationMinutes: 60},
	}
}

// watchingCrashes judges devices; votes_test.go judges votes.
func watchingCrashes(action models.ThresholdAction) models.Thresholds {
	return models.Thresholds{
		CrashRate: percentLimit(0.5), Action: action, Method: models.MethodSequential, MinNetworks: new(int64(1)),
	}
}

func reported(devices, crashed int64) *models.ReleaseHealth {
	return &models.ReleaseHealth{Devices: devices, CrashedDevices: crashed, ErroredDevices: crashed}
}

// planCase is one input of Plan and the decision it leads to. Zero fields of the input are
// a running rollout in its first stage.
type planCase struct {
	stage      int
	paused     bool
	thresholds models.Thresholds
	stages     func([]models.Stage)
	ran        time.Duration
	health     *models.ReleaseHealth

	want       rollout.Action
	wantStage  int
	waitingFor models.WaitReason
	reason     string
	deadline   time.Duration
}

var (
	unwatched   = models.Thresholds{Action: models.ActionAutoRollback}
	rollsBack   = watchingCrashes(models.ActionAutoRollback)
	holdsAtGate = watchingCrashes(models.ActionGate)
)

const hour = time.Hour

func testPlan(t *testing.T, cases map[string]planCase) {
	t.Helper()
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := rollout.Input{
				Status: models.ExecutionRunning, StageIndex: tc.stage, Stages: threeStages(), Thresholds: tc.thresholds,
				Ran: tc.ran, Health: tc.health, Now: now,
			}
			if tc.paused {
				in.Status = models.ExecutionPaused
			}
			if tc.stages != nil {
				tc.stages(in.Stages)
			}
			d := rollout.Plan(in)
			require.Equal(t, tc.want, d.Action)
			require.Equal(t, tc.wantStage, d.Stage)
			require.Equal(t, tc.waitingFor, d.WaitingFor)
			require.Equal(t, tc.reason, d.Reason)
			want := time.Time{}
			if tc.deadline > 0 {
				want = now.Add(tc.deadline)
			}
			require.Equal(t, want, d.Deadline)
		})
	}
}

func TestPlanMovesThroughStages(t *testing.T) {
	t.Parallel()
	testPlan(t, map[string]planCase{
		"a healthy stage that has everything moves on": {
			thresholds: rollsBack, ran: hour, health: reported(1000, 1),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: crash rate 0.1% is within the threshold of 0.5% (1 of 1000 devices)",
		},
		"the last stage completes": {
			stage: 2, thresholds: rollsBack, ran: hour, health: reported(1000, 1),
			want: rollout.ActionComplete, wantStage: 2,
			reason: "stage 3 of 3 (100%) is done and every device gets the release: " +
				"crash rate 0.1% is within the threshold of 0.5% (1 of 1000 devices)",
		},
		"the last stage runs its time too": {
			stage: 2, thresholds: rollsBack, ran: hour - time.Second, health: reported(1000, 1),
			want: rollout.ActionHold, wantStage: 2, waitingFor: models.WaitDuration, deadline: time.Second,
			reason: "stage 3 of 3 (100%) runs until at least 2026-05-04 03:00:01 UTC",
		},
		"a stage that has not run long enough waits until exactly its deadline": {
			thresholds: rollsBack, ran: 17 * time.Minute, health: reported(1000, 1),
			want: rollout.ActionHold, waitingFor: models.WaitDuration, deadline: 43 * time.Minute,
			reason: "stage 1 of 3 (5%) runs until at least 2026-05-04 03:43:00 UTC",
		},
		"a fraction of a minute is a duration": {
			stages: func(s []models.Stage) { s[0].MinDurationMinutes = 0.05 },
			ran:    2 * time.Second, thresholds: rollsBack, health: reported(1000, 1),
			want: rollout.ActionHold, waitingFor: models.WaitDuration, deadline: time.Second,
			reason: "stage 1 of 3 (5%) runs until at least 2026-05-04 03:00:01 UTC",
		},
		"too few devices hold the stage": {
			thresholds: rollsBack, ran: hour, health: reported(99, 0),
			want: rollout.ActionHold, waitingFor: models.WaitDevices,
			reason: "stage 1 of 3 (5%) waits for more devices to report (99 of 100)",
		},
		"no data is not health": {
			thresholds: rollsBack, ran: hour, health: reported(0, 0),
			want: rollout.ActionHold, waitingFor: models.WaitData,
			reason: "stage 1 of 3 (5%) is held: no device has reported yet",
		},
		"no data is not health either when the policy asks for no devices": {
			stages:     func(s []models.Stage) { s[0].MinDevices = 0 },
			thresholds: rollsBack, ran: hour, health: reported(0, 0),
			want: rollout.ActionHold, waitingFor: models.WaitData,
			reason: "stage 1 of 3 (5%) is held: no device has reported yet",
		},
		"one healthy report is enough when the policy asks for no devices": {
			stages:     func(s []models.Stage) { s[0].MinDevices = 0 },
			thresholds: rollsBack, ran: hour, health: reported(1, 0),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: crash rate 0% is within the threshold of 0.5% (0 of 1 device)",
		},
		"a policy that watches nothing and asks for no devices goes by the clock": {
			stages:     func(s []models.Stage) { s[0].MinDevices = 0 },
			thresholds: unwatched, ran: hour, health: reported(0, 0),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: 0 devices have reported",
		},
		"a policy that watches nothing still waits for its devices": {
			thresholds: unwatched, ran: hour, health: reported(0, 0),
			want: rollout.ActionHold, waitingFor: models.WaitDevices,
			reason: "stage 1 of 3 (5%) waits for more devices to report (0 of 100)",
		},
	})
}

func TestPlanHoldsWithoutHealth(t *testing.T) {
	t.Parallel()
	testPlan(t, map[string]planCase{
		"health that cannot be read holds the stage": {
			thresholds: rollsBack, ran: 2 * hour, health: nil,
			want: rollout.ActionHold, waitingFor: models.WaitData,
			reason: "stage 1 of 3 (5%) is held: device reports cannot be read. Check that ClickHouse is running",
		},
		"health that cannot be read holds the stage whatever the policy asks for": {
			stages:     func(s []models.Stage) { s[0].MinDevices = 0 },
			thresholds: unwatched, ran: 2 * hour, health: nil,
			want: rollout.ActionHold, waitingFor: models.WaitData,
			reason: "stage 1 of 3 (5%) is held: device reports cannot be read. Check that ClickHouse is running",
		},
	})
}

func TestPlanActsOnBreaches(t *testing.T) {
	t.Parallel()
	testPlan(t, map[string]planCase{
		"a breach rolls back before the stage is over": {
			thresholds: rollsBack, ran: time.Minute, health: reported(100, 10),
			want:   rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 10% breaches the threshold of 0.5% (10 of 100 devices)",
		},
		"a breach rolls back while paused": {
			paused: true, thresholds: rollsBack, ran: time.Minute, health: reported(100, 10),
			want:   rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 10% breaches the threshold of 0.5% (10 of 100 devices)",
		},
		"a breach rolls back in the last stage": {
			stage: 2, thresholds: rollsBack, ran: 2 * hour, health: reported(1000, 100),
			want: rollout.ActionRollBack, wantStage: 2,
			reason: "rolled back in stage 3 of 3 (100%): crash rate 10% breaches the threshold of 0.5% (100 of 1000 devices)",
		},
		"a breach waits at a gate": {
			thresholds: holdsAtGate, ran: hour, health: reported(100, 10),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				"crash rate 10% breaches the threshold of 0.5% (10 of 100 devices). Waiting for the breach to end. " +
				"You can also advance the rollout, roll it back or cancel it",
		},
		"a pause stays a pause when a gated limit breaks": {
			paused: true, thresholds: holdsAtGate, ran: hour, health: reported(100, 10),
			want: rollout.ActionHold, waitingFor: models.WaitResume,
			reason: "paused in stage 1 of 3 (5%) while a threshold is breached: crash rate 10% breaches the threshold of 0.5% (10 of 100 devices)",
		},
		"over the limit but not beyond doubt holds": {
			thresholds: rollsBack, ran: hour, health: reported(130, 1),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				"crash rate 0.77% is above the threshold of 0.5% (1 of 130 devices). " +
				"There is not enough evidence for a rollback yet. Waiting for more devices to report",
		},
		"over the limit shows before the time is up": {
			thresholds: rollsBack, ran: time.Minute, health: reported(10, 1),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold, deadline: 59 * time.Minute,
			reason: "stage 1 of 3 (5%) is held: " +
				"crash rate 10% is above the threshold of 0.5% (1 of 10 devices). " +
				"There is not enough evidence for a rollback yet. Waiting for more devices to report",
		},
	})
}

// The sentence is for people; the evidence is in the observation that the timeline stores with it.
func TestTheSentenceLeavesTheEvidenceToTheObservation(t *testing.T) {
	t.Parallel()
	for _, thresholds := range []models.Thresholds{rollsBack, holdsAtGate} {
		health := reported(100, 10)
		d := rollout.Plan(rollout.Input{
			Status: models.ExecutionRunning, Stages: threeStages(), Thresholds: thresholds, Ran: hour, Health: health, Now: now,
		})
		require.Contains(t, d.Reason, "crash rate 10% breaches the threshold of 0.5% (10 of 100 devices)")
		require.NotContains(t, d.Reason, "evidence")
		require.Greater(t, rollout.Observation(*health, d.Judgement, now).Evidence, rollout.DecisiveEvidence)
	}
}

func TestPlanJudgesByThePolicysThresholds(t *testing.T) {
	t.Parallel()
	point := rollsBack
	point.Method = models.MethodPoint
	testPlan(t, map[string]planCase{
		"the point method compares once the devices are there": {
			thresholds: point, ran: time.Minute, health: reported(100, 1),
			want:   rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 1% breaches the threshold of 0.5% (1 of 100 devices)",
		},
		"the point method waits for the devices": {
			thresholds: point, ran: hour, health: reported(99, 50),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: crash rate 50.51% is above the threshold of 0.5% (50 of 99 devices). " +
				"The threshold applies once 100 devices count",
		},
		"a rate at its limit keeps it": {
			thresholds: point, ran: hour, health: reported(200, 1),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: crash rate 0.5% is within the threshold of 0.5% (1 of 200 devices)",
		},
		"a stage's own limit replaces the policy's": {
			stages:     func(s []models.Stage) { s[0].Thresholds = &models.Thresholds{CrashRate: percentLimit(20)} },
			thresholds: rollsBack, ran: hour, health: reported(100, 10),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: crash rate 10% is within the threshold of 20% (10 of 100 devices)",
		},
		"a stage's own limit leaves the policy's action": {
			stages:     func(s []models.Stage) { s[0].Thresholds = &models.Thresholds{ErrorRate: percentLimit(1)} },
			thresholds: holdsAtGate, ran: hour, health: &models.ReleaseHealth{Devices: 100, ErroredDevices: 30},
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				"error rate 30% breaches the threshold of 1% (30 of 100 devices). Waiting for the breach to end. " +
				"You can also advance the rollout, roll it back or cancel it",
		},
		"an action left out means auto-rollback": {
			thresholds: models.Thresholds{CrashRate: percentLimit(0.5), MinNetworks: new(int64(1))}, health: reported(100, 10),
			want:   rollout.ActionRollBack,
			reason: "rolled back in stage 1 of 3 (5%): crash rate 10% breaches the threshold of 0.5% (10 of 100 devices)",
		},
	})
}

func TestPlanHoldsWhilePaused(t *testing.T) {
	t.Parallel()
	testPlan(t, map[string]planCase{
		"a pause holds a stage that has everything, and its clock sets no deadline": {
			paused: true, thresholds: rollsBack, ran: time.Minute, health: reported(1000, 1),
			want: rollout.ActionHold, waitingFor: models.WaitResume,
			reason: "paused in stage 1 of 3 (5%)",
		},
		"a pause says when health cannot be read": {
			paused: true, thresholds: rollsBack, ran: hour, health: nil,
			want: rollout.ActionHold, waitingFor: models.WaitResume,
			reason: "paused in stage 1 of 3 (5%): device reports cannot be read. Check that ClickHouse is running",
		},
	})
}

func TestPlanLeavesWhatIsNotThereAlone(t *testing.T) {
	t.Parallel()
	in := rollout.Input{Status: models.ExecutionRunning, Stages: threeStages(), Ran: time.Hour, Health: reported(1000, 0), Now: now}
	for name, change := range map[string]func(*rollout.Input){
		"a completed rollout":      func(in *rollout.Input) { in.Status = models.ExecutionCompleted },
		"a rolled back rollout":    func(in *rollout.Input) { in.Status = models.ExecutionRolledBack },
		"a cancelled rollout":      func(in *rollout.Input) { in.Status = models.ExecutionCancelled },
		"a stage before the first": func(in *rollout.Input) { in.StageIndex = -1 },
		"a stage after the last":   func(in *rollout.Input) { in.StageIndex = 3 },
		"a policy without stages":  func(in *rollout.Input) { in.Stages = nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := in
			change(&in)
			require.Equal(t, rollout.Decision{Action: rollout.ActionHold, Stage: in.StageIndex}, rollout.Plan(in))
		})
	}
}
