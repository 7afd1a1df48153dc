package delivery

import (
	"fmt"

	"github.com/waft-ota/waft/models"
)

// Outcome is the kind of answer that a device gets.
type Outcome string

// The outcomes.
const (
	// OutcomeUpdate serves a release's manifest.
	OutcomeUpdate Outcome = "update"
	// OutcomeUpToDate is for a device that already runs the release or embedded update.
	OutcomeUpToDate Outcome = "up_to_date"
	// OutcomeNoUpdate is for a device without a release, and for one that reports that its
	// release failed to start.
	OutcomeNoUpdate Outcome = "no_update"
	// OutcomeRollbackToEmbedded returns a device to its embedded update.
	OutcomeRollbackToEmbedded Outcome = "rollback_to_embedded"
	// OutcomeStoreUpdateRequired is for a binary below the channel's minimum runtime version.
	OutcomeStoreUpdateRequired Outcome = "store_update_required"
	// OutcomeChannelPaused is for every device of a paused channel.
	OutcomeChannelPaused Outcome = "channel_paused"
	// OutcomeUnknownChannel is for a channel that the project does not have; the answer is 404.
	OutcomeUnknownChannel Outcome = "unknown_channel"
)

// Decision is the result of a resolution.
type Decision struct {
	Outcome Outcome
	// ReleaseID and UpdateUUID identify the release for the device, whatever the outcome; 0 and
	// "" when there is none.
	ReleaseID  int64
	UpdateUUID string
	// BranchName is the chosen branch, "" when the resolution ended earlier.
	BranchName string
	// Steps explain the decision; only Explain and ExplainAt set them.
	Steps []Step

	// refusal says why the request is a refused request, "" when it is not one.
	refusal models.RefusalReason
	release *release
	channel *channel
	filters []string
}

// Names of the steps of a resolution, in order.
const (
	StepChannel        = "channel"
	StepMinimumVersion = "min_runtime_version"
	StepUserOverride   = "user_override"
	StepBranch         = "branch"
	StepRelease        = "release"
	StepDevice         = "device"
)

// Step is one step of a resolution: its name, its outcome (a snake_case word) and the reason in
// a sentence.
type Step struct {
	Step    string `json:"step"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail"`
}

// trace collects the steps of an explained resolution. It is nil for a device's request; callers
// check that first, so that such a request allocates nothing.
type trace struct {
	steps []Step
	// override is a release to resolve with percentage in place of its own; nil for none.
	override   *release
	percentage float64
}

// shareOf is the share of the release in this resolution.
func (t *trace) shareOf(r *release) share {
	if t == nil || r != t.override {
		return r.share
	}
	return share{salt: r.share.salt, percentage: t.percentage}
}

func (t *trace) add(step, outcome, format string, args ...any) {
	t.steps = append(t.steps, Step{Step: step, Outcome: outcome, Detail: fmt.Sprintf(format, args...)})
}
