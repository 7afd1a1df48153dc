package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

// Input is everything on which a rollout's next step depends.
type Input struct {
	Status models.ExecutionStatus
	// StageIndex counts from 0 into Stages.
	StageIndex int
	Stages     []models.Stage
	// Thresholds are the policy's; a stage may replace them field by field.
	Thresholds models.Thresholds
	// Ran is the running time of the stage so far, without pauses.
	Ran time.Duration
	// Health is what devices reported since the rollout began, nil when it cannot be read.
	Health *models.ReleaseHealth
	// Before is the comparison with the control group in the stages before this one.
	Before Comparison
	// Flags says that the release has linked flags, which a graduated rollback reverts first.
	Flags bool
	Now   time.Time
}

// Action is what a rollout does next.
type Action string

// Actions.
const (
	ActionHold     Action = "hold"
	ActionAdvance  Action = "advance"
	ActionComplete Action = "complete"
	ActionRollBack Action = "roll_back"
	// ActionDropFlags reverts the linked flags and starts the stage again.
	ActionDropFlags Action = "drop_flags"
)

// Decision is the next step of a rollout.
type Decision struct {
	Action Action
	// Stage is the stage after the action: the next one when advancing, else the current one.
	Stage int
	// WaitingFor says why the rollout holds; "" for the other actions.
	WaitingFor models.WaitReason
	// Reason is a sentence for the timeline.
	Reason string
	// Deadline is when the stage will have run long enough, zero when it has, and while its clock
	// is stopped.
	Deadline time.Time
	// Frozen says that only a freeze holds the next stage.
	Frozen    bool
	Judgement Judgement
}

// Plan decides the next step of an open rollout.
//
// Thresholds come first, also while the rollout is paused or at a gate: a breach rolls back, or
// holds when the action is gate. After that a stage ends only when health can be read, no watched
// rate is past its limit, the stage has run long enough, enough devices have reported, also of those
// that count for each limit from below, and, where a rate is watched, enough networks are heard. The same applies to the last stage, at 100 %, before the
// rollout completes. Plan moves by at most one stage.
//
// A rollout that has ended, or a stage that does not exist, holds.
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

// proceed ends the stage of a running, healthy rollout, or says what it waits for.
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

// EffectiveThresholds are the thresholds of a stage.
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

// remaining is the running time that is left of the stage's minimum.
func (in Input) remaining() time.Duration {
	return max(in.stage().MinDuration()-in.Ran, 0)
}

func (in Input) deadline() time.Time {
	if remaining := in.remaining(); remaining > 0 && in.Status == models.ExecutionRunning {
		return in.Now.Add(remaining)
	}
	return time.Time{}
}
