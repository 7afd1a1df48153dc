package delivery

import "fmt"

// Outcome is what a device is answered.
type Outcome string

// The outcomes.
const (
	// OutcomeUpdate serves a release's manifest.
	OutcomeUpdate Outcome = "update"
	// OutcomeUpToDate is for a device that runs the answer already.
	OutcomeUpToDate Outcome = "up_to_date"
	// OutcomeNoUpdate is for a device that no release is for, or that reports to
	// have failed on the one that is.
	OutcomeNoUpdate Outcome = "no_update"
	// OutcomeRollbackToEmbedded sends a device back to the update inside its app.
	OutcomeRollbackToEmbedded Outcome = "rollback_to_embedded"
	// OutcomeStoreUpdateRequired is for a binary below the channel's minimum.
	OutcomeStoreUpdateRequired Outcome = "store_update_required"
	// OutcomeChannelPaused is for every device of a paused channel.
	OutcomeChannelPaused Outcome = "channel_paused"
	// OutcomeUnknownChannel is for a channel that the project does not have. It is
	// rendered as 404.
	OutcomeUnknownChannel Outcome = "unknown_channel"
)

// Decision is what a device is served and why.
type Decision struct {
	Outcome Outcome
	// ReleaseID and UpdateUUID are of the release that the device's branch led to,
	// whatever the outcome for the device; 0 and "" when there is none.
	ReleaseID  int64
	UpdateUUID string
	// BranchName is the branch that was chosen, "" when it did not come to that.
	BranchName string
	// Steps are how the decision came about; only Explain fills them.
	Steps []Step

	// unserved says that the branch has no release for the device's platform and
	// runtime version.
	unserved bool

	release *release
	channel *channel
	filters []string
}

// Step names of an explanation, in their order.
const (
	StepChannel        = "channel"
	StepMinimumVersion = "min_runtime_version"
	StepUserOverride   = "user_override"
	StepBranch         = "branch"
	StepRelease        = "release"
	StepDevice         = "device"
)

// Step is one step of a resolution: which, how it ended (a snake_case word), and
// why in words for a person.
type Step struct {
	Step    string `json:"step"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail"`
}

// trace collects steps. Where no explanation is asked for it is nil, and callers
// check that before they compute what to add.
type trace struct {
	steps []Step
	// supposed stands at percentage for this resolution, nil for no such supposition.
	supposed   *release
	percentage float64
}

// shareOf is the share by which to decide on the release.
func (t *trace) shareOf(r *release) share {
	if t == nil || r != t.supposed {
		return r.share
	}
	return share{salt: r.share.salt, percentage: t.percentage}
}

func (t *trace) add(step, outcome, format string, args ...any) {
	t.steps = append(t.steps, Step{Step: step, Outcome: outcome, Detail: fmt.Sprintf(format, args...)})
}
