package delivery

import (
	"slices"

	"github.com/waft-ota/waft/models"
)

// Outcome is the kind of response that a device gets.
type Outcome string

// The outcomes of a resolution.
const (
	// OutcomeUpdate serves a release's manifest.
	OutcomeUpdate Outcome = "update"
	// OutcomeUpToDate is the outcome for a device that already runs its release or its embedded update.
	OutcomeUpToDate Outcome = "up_to_date"
	// OutcomeNoUpdate is the outcome for a device without a release, and for a device that reports that its release
	// failed to start.
	OutcomeNoUpdate Outcome = "no_update"
	// OutcomeRollbackToEmbedded returns a device to its embedded update.
	OutcomeRollbackToEmbedded Outcome = "rollback_to_embedded"
	// OutcomeStoreUpdateRequired is the outcome for a binary below the channel's minimum runtime version.
	OutcomeStoreUpdateRequired Outcome = "store_update_required"
	// OutcomeChannelPaused is the outcome for every device of a paused channel.
	OutcomeChannelPaused Outcome = "channel_paused"
	// OutcomeUnknownChannel is the outcome for a channel that the project does not have. The response has status 404.
	OutcomeUnknownChannel Outcome = "unknown_channel"
)

// Decision is the result of a resolution.
type Decision struct {
	Outcome Outcome
	// ReleaseID and UpdateUUID identify the device's release, whatever the outcome. They are 0 and "" if the
	// resolution did not find a release for the device.
	ReleaseID  int64
	UpdateUUID string
	// BranchName is the chosen branch, or "" if the resolution ended before it chose a branch.
	BranchName string
	// Steps explain the decision. Only Explain and ExplainAt set them.
	Steps []Step

	// refusal is the reason why the request counts as a refused request, or "".
	refusal models.RefusalReason
	release *release
	channel *channel
	filters []string
	// changedAt is the Unix time in nanoseconds of the last change to the channel or to the releases among which the
	// release was found.
	changedAt int64
}

// Resolve finds the release for a device. It checks the channel, the minimum runtime version, the user override, the
// branch, the branch's releases and finally the update that the device runs.
func (s *Snapshot) Resolve(r Request) Decision { return s.resolve(&r, nil) }

func (s *Snapshot) resolve(r *Request, t *trace) Decision {
	d := s.find(r, t)
	if s.runsLost(r) {
		s.keepLost(&d, r, t)
	}
	return d
}

// find resolves a device, whatever the project was restored from.
func (s *Snapshot) find(r *Request, t *trace) Decision {
	ch, ok := s.channels[r.Channel]
	if !ok {
		if t != nil {
			t.add(StepChannel, "unknown", "channel %q does not exist in this project", r.Channel)
		}
		return Decision{Outcome: OutcomeUnknownChannel, refusal: models.RefusedUnknownChannel}
	}
	if ch.paused {
		if t != nil {
			t.add(StepChannel, "paused", "channel %s is paused", ch.name)
		}
		return s.hold(OutcomeChannelPaused, ch, r)
	}
	if t != nil {
		t.add(StepChannel, "open", "channel %s is not paused", ch.name)
	}
	if !ch.supports(r.RuntimeVersion, t) {
		return s.hold(OutcomeStoreUpdateRequired, ch, r)
	}
	b := s.chooseBranch(ch, r, t)
	d := Decision{Outcome: OutcomeNoUpdate, BranchName: b.name, channel: ch, filters: b.filters}
	list := s.lists[listKey{b, r.Platform, r.RuntimeVersion}]
	if list == nil {
		if t != nil {
			t.add(StepRelease, "none", "branch %s has no release for %s with runtime version %q",
				b.name, r.Platform, r.RuntimeVersion)
		}
		d.refusal = models.RefusedNoRelease
		return d
	}
	rel := list.newest(r.DeviceID, t)
	if rel == nil {
		d.filters = list.filters
	} else {
		d.release, d.filters = rel, rel.filters
		d.ReleaseID, d.UpdateUUID = rel.ID, rel.served.uuid
		d.Outcome = rel.outcomeFor(r, t)
		d.changedAt = max(list.changedAt, ch.changedAt)
	}
	if d.Outcome == OutcomeUpToDate && rel.updates() && r.CurrentUpdateUUID != rel.served.uuid {
		d.filters = list.excludingOthers(rel)
	}
	return d
}

// supports reports whether the channel serves the runtime version.
func (ch *channel) supports(runtimeVersion string, t *trace) bool {
	switch {
	case ch.minimum == nil:
		if t != nil {
			t.add(StepMinimumVersion, "not_set", "channel %s has no minimum runtime version", ch.name)
		}
		return true
	case ch.minimum.below(runtimeVersion):
		if t != nil {
			t.add(StepMinimumVersion, "below", "runtime version %q is below the minimum %q: the device needs a new binary from the app store",
				runtimeVersion, ch.minimum.text)
		}
		return false
	default:
		if t != nil {
			t.add(StepMinimumVersion, "not_below", "runtime version %q is not below the minimum %q",
				runtimeVersion, ch.minimum.text)
		}
		return true
	}
}

// override returns the branch of the end user's override, or nil without an override.
func (s *Snapshot) override(userID string, t *trace) *branch {
	if userID == "" {
		return nil
	}
	b := s.branches[s.overrides[userID]]
	switch {
	case t == nil:
	case b == nil:
		t.add(StepUserOverride, "none", "user %q has no override", userID)
	default:
		t.add(StepUserOverride, "applies", "user %q has an override to branch %s", userID, b.name)
	}
	return b
}

// chooseBranch returns the branch from which the device gets its release.
func (s *Snapshot) chooseBranch(ch *channel, r *Request, t *trace) *branch {
	if b := s.override(r.UserID, t); b != nil {
		if t != nil {
			t.add(StepBranch, "override", "branch %s replaces the branch of channel %s", b.name, ch.name)
		}
		return b
	}
	switch {
	case ch.rollout == nil:
		if t != nil {
			t.add(StepBranch, "channel", "channel %s points to branch %s", ch.name, ch.branch.name)
		}
		return ch.branch
	case ch.share.includes(r.DeviceID):
		if t != nil {
			t.add(StepBranch, "rollout", "channel %s rolls out branch %s: %s",
				ch.name, ch.rollout.name, ch.share.explain(r.DeviceID))
		}
		return ch.rollout
	default:
		if t != nil {
			t.add(StepBranch, "channel", "channel %s rolls out branch %s: %s, so the device gets branch %s",
				ch.name, ch.rollout.name, ch.share.explain(r.DeviceID), ch.branch.name)
		}
		return ch.branch
	}
}

// outcomeFor returns the outcome for a device whose release is rel.
func (rel *release) outcomeFor(r *Request, t *trace) Outcome {
	outcome, detail := OutcomeUpdate, "the device does not run %s"
	switch {
	case !rel.updates() && r.CurrentUpdateUUID != "" && r.CurrentUpdateUUID == r.EmbeddedUpdateUUID:
		outcome, detail = OutcomeUpToDate, "%s rolls back to the embedded update, which the device already runs"
	case !rel.updates():
		outcome, detail = OutcomeRollbackToEmbedded, "%s rolls back to the embedded update"
	case rel.has(r.CurrentUpdateUUID):
		outcome, detail = OutcomeUpToDate, "the device runs %s"
	case slices.ContainsFunc(r.RecentFailed, rel.has):
		outcome, detail = OutcomeNoUpdate, "the device reports that %s failed to start"
	}
	if t != nil {
		if rel.updates() && rel.served.uuid != rel.uuid {
			detail += "; the release is served as " + rel.served.uuid + ", because clients refuse updates committed before a rollback"
		}
		t.add(StepDevice, string(outcome), detail, rel.Phrase())
	}
	return outcome
}

// hold resolves a device to which the channel does not serve a release. The device keeps its running release unless
// that is withheld, and must not start any other release it has stored. The filters therefore belong to the running
// release's branch. If the channel now points to another branch, that branch's filters would exclude the running
// release.
func (s *Snapshot) hold(outcome Outcome, ch *channel, r *Request) Decision {
	running := s.releases[r.CurrentUpdateUUID]
	if running != nil && (running.branch == nil || running.Platform != r.Platform || running.RuntimeVersion != r.RuntimeVersion) {
		running = nil
	}
	b := s.chooseBranch(ch, r, nil)
	if running != nil {
		b = running.branch
	}
	d := Decision{Outcome: outcome, channel: ch, filters: b.filters}
	list := s.lists[listKey{b, r.Platform, r.RuntimeVersion}]
	switch {
	case list == nil:
	case running == nil:
		d.filters = list.embeddedOnly()
	case r.CurrentUpdateUUID != running.served.uuid:
		d.filters = list.excludingOthers(running)
	default:
		d.filters = list.excludingNewer(running)
	}
	return d
}
