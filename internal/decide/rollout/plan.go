package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// Input contains everything that determines a rollout's next step.
type Input struct {
	Status models.ExecutionStatus
	// StageIndex counts from 0 into Stages.
	StageIndex int
	Stages     []models.Stage
	// Thresholds are the policy's thresholds. A stage may replace individual fields.
	Thresholds models.Thresholds
	// Ran is the running time of the stage so far, without pauses.
	Ran time.Duration
	// Health counts what devices have reported since the rollout began. It is nil if it cannot be read.
	Health *models.ReleaseHealth
	// Before is the comparison with the control group in earlier stages.
	Before Comparison
	// Flags is true if the release has linked flags, which a graduated rollback reverts first.
	Flags bool
	Now   time.Time
}

// Action is the next action of a rollout.
type Action string

// Actions.
const (
	ActionHold     Action = "hold"
	ActionAdvance  Action = "advance"
	ActionComplete Action = "complete"
	ActionRollBack Action = "roll_back"
	// ActionDropFlags reverts the linked flags and restarts the stage.
	ActionDropFlags Action = "drop_flags"
)

// Decision is the next step of a rollout.
type Decision struct {
	Action Action
	// Stage is the stage after the action: the next stage for ActionAdvance, else the current stage.
	Stage int
	// WaitingFor is the reason of a hold, or "" for the other actions.
	WaitingFor models.WaitReason
	// Reason is a sentence for the timeline.
	Reason string
	// Deadline is the time at which the stage will have run for its minimum time. It is zero if the stage already has,
	// and while its clock is stopped.
	Deadline time.Time
	// Frozen is true if the next stage waits only for the end of a freeze.
	Frozen    bool
	Judgement Judgement
}

// Plan decides the next step of an open rollout.
//
// Plan checks thresholds first, even while the rollout is paused or held for a person: a breach rolls back, or holds if
// the action is gate. A stage ends only if all of these are true:
//   - Health can be read.
//   - No watched rate is past its threshold.
//   - The stage has run for its minimum time.
//   - Enough devices have reported, including the devices that count for each event minimum.
//   - Enough networks have reported, if a rate is watched.
//
// The same applies to the last stage, at 100%, before the rollout completes. Plan moves by at most one stage. It holds a
// rollout that has ended, or whose stage does not exist.
func Plan(in Input) Decision {
	d := Decision{Action: ActionHold, Stage: in.StageIndex}
	if !in.Status.Open() || in.StageIndex < 0 || in.StageIndex >= len(in.Stages) {
		return d
	}
	limits := EffectiveThresholds(in.Stages[in.StageIndex], in.Thresholds)
	d.Judgement = in.judge(limits)
	d.Deadline = in.deadline()

	switch verdict := d.Judgement.Verdict; {
	case verdict == VerdictBreach && limits.Action != models.ActionGate:
		d.Action = ActionRollBack
		if in.Flags && limits.RollbackScope == models.ScopeGraduated {
			d.Action = ActionDropFlags
		}
		d.Deadline = time.Time{}
	case in.Status == models.ExecutionPaused:
		d.WaitingFor = models.WaitResume
	case verdict == VerdictHold && d.Judgement.FewNetworks:
		d.WaitingFor = models.WaitNetworks
	case verdict == VerdictBreach, verdict == VerdictHold:
		d.WaitingFor = models.WaitThreshold
	case in.Health == nil:
		d.WaitingFor = models.WaitData
	default:
		in.proceed(&d, limits)
	}
	d.Reason = explain(in, limits, d)
	return d
}

// proceed ends the stage of a running, healthy rollout, or sets the reason why it waits.
func (in Input) proceed(d *Decision, limits models.Thresholds) {
	switch {
	case in.remaining() > 0:
		d.WaitingFor = models.WaitDuration
	case d.Judgement.Verdict == VerdictNoData:
		d.WaitingFor = models.WaitData
	case in.Health.Devices < in.stage().MinDevices:
		d.WaitingFor = models.WaitDevices
	case d.Judgement.FewNetworks, countedDevices(*in.Health, limits) < in.stage().MinDevices:
		d.WaitingFor = models.WaitNetworks
	case in.unheard(limits) != nil:
		d.WaitingFor = models.WaitDevices
	case in.StageIndex == len(in.Stages)-1:
		d.Action = ActionComplete
	default:
		d.Action = ActionAdvance
		d.Stage = in.StageIndex + 1
	}
}

// EffectiveThresholds returns the thresholds of a stage: the policy's, with the fields that the stage replaces.
func EffectiveThresholds(stage models.Stage, policy models.Thresholds) models.Thresholds {
	if stage.Thresholds == nil {
		return policy
	}
	return stage.Thresholds.Over(policy)
}

func (in Input) judge(limits models.Thresholds) Judgement {
	if in.Health == nil {
		return Judgement{Verdict: VerdictNoData}
	}
	return Judge(*in.Health, limits, in.stage().MinDevices, in.Before)
}

func (in Input) stage() models.Stage { return in.Stages[in.StageIndex] }

// remaining returns the rest of the stage's minimum time.
func (in Input) remaining() time.Duration {
	return max(in.stage().MinDuration()-in.Ran, 0)
}

func (in Input) deadline() time.Time {
	if remaining := in.remaining(); remaining > 0 && in.Status == models.ExecutionRunning {
		return in.Now.Add(remaining)
	}
	return time.Time{}
}
