package rollout_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// failedPayments is a maximum rate of an event, and checkouts a minimum rate.
var (
	failedPayments = models.EventLimit{Name: "payment_failed", Rate: 5, Direction: models.EventAbove}
	checkouts      = models.EventLimit{Name: "checkout", Rate: 40, Direction: models.EventBelow}
)

func limiting(limits ...models.EventLimit) models.Thresholds {
	return models.Thresholds{Events: limits, Action: models.ActionAutoRollback}
}

func byDevices(t models.Thresholds) models.Thresholds {
	t.MinNetworks = new(int64(1))
	return t
}

// telling returns the health of devices that are each in their own network. Some of them have reported an event.
func telling(devices int64, l models.EventLimit, heard, told int64) *models.ReleaseHealth {
	h := apart(devices, 0)
	h.Events = append(h.Events, models.EventHealthOfEach(l, heard, told))
	return h
}

// uncapped returns the health of a stage without minDevices, where MaxPerNetwork is 0.
func uncapped(heard int64) *models.ReleaseHealth {
	h := telling(500, checkouts, heard, heard)
	h.Events[0].Votes.CappedDevices = 0
	return h
}

func TestPlanJudgesEvents(t *testing.T) {
	t.Parallel()
	gate := limiting(checkouts)
	gate.Action = models.ActionGate
	point := byDevices(limiting(checkouts))
	point.Method = models.MethodPoint
	twoNetworks := telling(500, checkouts, 200, 0)
	twoNetworks.Events[0].Votes = models.EventVotes{
		Networks: 2, CappedDevices: 68, Affected: models.Tally{Sum: 2, Least: 1, Most: [models.MaxLeftOut]float64{1, 1}},
	}
	testPlan(t, map[string]planCase{
		"too many devices with an event roll back": {
			thresholds: limiting(failedPayments), health: telling(100, failedPayments, 100, 30),
			want: rollout.ActionRollBack,
			reason: `rolled back in stage 1 of 3 (5%): rate of the event "payment_failed" 30% breaches the threshold of 5% (30 of 100 networks; ` +
				"22.22% without the 10 most affected networks)",
		},
		"an event within its limit moves on": {
			thresholds: limiting(failedPayments), ran: hour, health: telling(500, failedPayments, 500, 10),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: " +
				`rate of the event "payment_failed" 2% is within the threshold of 5% (10 of 500 networks)`,
		},
		"an event that nobody reports is within its limit from above": {
			thresholds: byDevices(limiting(failedPayments)), ran: hour, health: telling(500, failedPayments, 500, 0),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: " +
				`rate of the event "payment_failed" 0% is within the threshold of 5% (0 of 500 devices)`,
		},
		"too few devices with an event roll back": {
			thresholds: byDevices(limiting(checkouts)), health: telling(500, checkouts, 200, 40),
			want: rollout.ActionRollBack,
			reason: `rolled back in stage 1 of 3 (5%): rate of the event "checkout" 20% breaches the minimum of 40% ` +
				"(40 of 200 devices)",
		},
		"and hold at a gate": {
			thresholds: gate, ran: hour, health: telling(500, checkouts, 200, 40),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				`rate of the event "checkout" 20% breaches the minimum of 40% (40 of 200 networks; ` +
				"20.51% without the 5 most affected networks). Waiting for the breach to end. " +
				"You can also advance the rollout, roll it back or cancel it",
		},
		"an event below its limit without evidence holds": {
			thresholds: limiting(checkouts), ran: hour, health: telling(500, checkouts, 200, 78),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				`rate of the event "checkout" 39% is below the minimum of 40% (78 of 200 networks; ` +
				"40% without the 5 most affected networks). There is not enough evidence for a rollback yet. Waiting for more networks to report",
		},
		"an event that one network keeps at its limit holds": {
			thresholds: limiting(checkouts), ran: hour, health: telling(500, checkouts, 200, 80),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				`rate of the event "checkout" 40% meets the minimum of 40%, but would be below it without one network (80 of 200 networks; ` +
				"41.03% without the 5 most affected networks). Waiting for more networks to report",
		},
		"an event at its limit by devices moves on": {
			thresholds: byDevices(limiting(checkouts)), ran: hour, health: telling(500, checkouts, 200, 80),
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: " +
				`rate of the event "checkout" 40% meets the minimum of 40% (80 of 200 devices)`,
		},
		"a limit from below waits for the first device whose time is over": {
			thresholds: limiting(checkouts), ran: hour, health: telling(500, checkouts, 0, 0),
			want: rollout.ActionHold, waitingFor: models.WaitData,
			reason: "stage 1 of 3 (5%) is held: 0 devices in 0 networks are past the 60-minute window for the event " +
				`"checkout"; the stage needs 100 devices in 3 networks`,
		},
		"and for as many as the stage takes": {
			thresholds: byDevices(limiting(checkouts)), ran: hour, health: telling(500, checkouts, 99, 60),
			want: rollout.ActionHold, waitingFor: models.WaitDevices,
			reason: `stage 1 of 3 (5%) waits for devices: 99 devices are past the 60-minute window for the event "checkout"; the stage needs 100`,
		},
		"and for as many networks": {
			thresholds: limiting(checkouts), ran: hour, health: twoNetworks,
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				`rate of the event "checkout" 0% is below the minimum of 40% (0 of 2 networks; ` +
				"0% without the most affected network). Waiting for more networks to report (2 of 3)",
		},
		"the plain rate is compared from minDevices whose time is over": {
			thresholds: point, ran: hour, health: telling(500, checkouts, 99, 39),
			want: rollout.ActionHold, waitingFor: models.WaitThreshold,
			reason: "stage 1 of 3 (5%) is held: " +
				`rate of the event "checkout" 39.39% is below the minimum of 40% (39 of 99 devices). The threshold applies once 100 devices count`,
		},
		"and is a breach then": {
			thresholds: point, ran: hour, health: telling(500, checkouts, 100, 39),
			want:   rollout.ActionRollBack,
			reason: `rolled back in stage 1 of 3 (5%): rate of the event "checkout" 39% breaches the minimum of 40% (39 of 100 devices)`,
		},
		"a stage without minDevices ends with enough networks": {
			thresholds: limiting(checkouts), ran: hour, health: uncapped(4), stages: func(s []models.Stage) { s[0].MinDevices = 0 },
			want: rollout.ActionAdvance, wantStage: 1,
			reason: "stage 1 of 3 (5%) is done and stage 2 of 3 (25%) begins: " +
				`rate of the event "checkout" 100% meets the minimum of 40% (4 of 4 networks)`,
		},
		"and not with fewer": {
			thresholds: limiting(checkouts), ran: hour, health: uncapped(2), stages: func(s []models.Stage) { s[0].MinDevices = 0 },
			want: rollout.ActionHold, waitingFor: models.WaitDevices,
			reason: "stage 1 of 3 (5%) waits for devices: 2 devices in 2 networks are past the 60-minute window for the event " +
				`"checkout"; the stage needs 1 device in 3 networks`,
		},
		"an event that was not observed holds": {
			thresholds: limiting(failedPayments), ran: hour, health: telling(500, checkouts, 200, 40),
			want: rollout.ActionHold, waitingFor: models.WaitData,
			reason: "stage 1 of 3 (5%) is held: no device has reported yet",
		},
		"a paused rollout is rolled back": {
			paused: true, thresholds: byDevices(limiting(checkouts)), health: telling(500, checkouts, 200, 0),
			want: rollout.ActionRollBack,
			reason: `rolled back in stage 1 of 3 (5%): rate of the event "checkout" 0% breaches the minimum of 40% ` +
				"(0 of 200 devices)",
		},
	})
}

// In every stage, a device has as much time as the first stage lasts.
func TestHealthQueryAsksForTheLimitedEvents(t *testing.T) {
	t.Parallel()
	stages := threeStages()
	stages[1].Thresholds = &models.Thresholds{Events: []models.EventLimit{failedPayments}}
	stages[2].Thresholds = &models.Thresholds{Events: []models.EventLimit{}}
	asked := func(stage int, first float64) []models.EventHealthQuery {
		stages[0].MinDurationMinutes = first
		return rollout.HealthQuery(models.RolloutSubject{Execution: models.RolloutExecution{
			Stages: stages, StageIndex: stage, Thresholds: limiting(failedPayments, checkouts),
		}}).Events
	}
	above := models.EventHealthQuery{Name: "payment_failed", Direction: models.EventAbove, Within: 24 * time.Hour}
	below := models.EventHealthQuery{Name: "checkout", Direction: models.EventBelow, Within: 90 * time.Minute}
	require.Equal(t, []models.EventHealthQuery{above, below}, asked(0, 90))
	require.Equal(t, []models.EventHealthQuery{above}, asked(1, 90))
	require.Empty(t, asked(2, 90))
	below.Within = 24 * time.Hour
	require.Equal(t, []models.EventHealthQuery{above, below}, asked(0, 60*72))
}

// With thresholds for two events, each needs twice the evidence.
func TestEventsShareTheChanceOfAFalseAlarm(t *testing.T) {
	t.Parallel()
	h := telling(500, checkouts, 200, 40)
	one := rollout.Judge(*h, limiting(checkouts), 0, rollout.Comparison{})
	h.Events = append(h.Events, models.EventHealthOfEach(failedPayments, 500, 0))
	two := rollout.Judge(*h, limiting(checkouts, failedPayments), 0, rollout.Comparison{})
	require.InEpsilon(t, one.Evidence/2, two.Evidence, 1e-9)
}
