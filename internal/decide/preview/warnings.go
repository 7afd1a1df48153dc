package preview

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// EveryRollout is the target of a call that affects all rollouts of a project.
const EveryRollout = -1

// Warnings returns sentences that a person should read before the call. target is the rollout that the call commands, or 0.
func Warnings(c models.PreviewedChange, d Difference, target int64) ([]string, error) {
	w := warnings{texts: []string{}}
	for _, n := range NeededApprovals(c) {
		w.add("%s", n.Warning)
	}
	for _, goal := range c.Goals {
		if goal != nil && !goal.IsEnabled {
			w.add("%s This call would give it to devices again.", goal.Sentence())
		}
	}
	if len(d.Releases)+len(d.Executions)+len(d.Flags) == 0 && !changedChannels(c) {
		if changedNotes(c) {
			w.add("Only release notes would change. Devices keep what they have.")
		} else {
			w.add("This call would not change anything.")
		}
	}
	for _, r := range d.Releases {
		w.release(r)
	}
	for _, e := range d.Executions {
		w.execution(e, target)
	}
	if err := w.channels(c, d); err != nil {
		return nil, err
	}
	if c.Overrides > 0 && len(c.After.Served.Channels) > 0 {
		w.add("The project has user overrides (%d). The number of affected devices ignores them.", c.Overrides)
	}
	return w.texts, nil
}

// NeededApproval describes the approvals that a call would wait for on some channels.
type NeededApproval struct {
	Channels []string
	// Required is the number of approvals, or 0 if only admins may make the call.
	Required int
	// Warning is the sentence of Warnings about it.
	Warning string
}

// NeededApprovals returns the approvals that the call would wait for.
func NeededApprovals(c models.PreviewedChange) []NeededApproval {
	needed := make([]NeededApproval, len(c.Needed))
	for i, n := range c.Needed {
		needed[i] = NeededApproval{n.Channels, n.Required, approvalWarning(n)}
	}
	return needed
}

// ChangesSegment reports whether a change of a segment may change which devices are in it.
func ChangesSegment(before, after models.Segment) bool {
	return before.MatchType != after.MatchType || !slices.EqualFunc(before.Conditions, after.Conditions, func(a, b models.Condition) bool {
		return a.Attribute == b.Attribute && a.Operator == b.Operator && slices.Equal(a.Values, b.Values)
	})
}

func changedNotes(c models.PreviewedChange) bool {
	for id, is := range c.After.Releases {
		if was, ok := c.Before.Releases[id]; ok && was.ReleaseMessage != is.ReleaseMessage {
			return true
		}
	}
	return false
}

type warnings struct{ texts []string }

func (w *warnings) add(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.texts, text) {
		w.texts = append(w.texts, text)
	}
}

func approvalWarning(n models.ApprovalNeeded) string {
	names := "Channel " + n.Channels[0] + " is"
	if len(n.Channels) > 1 {
		names = "The channels " + strings.Join(n.Channels, ", ") + " are"
	}
	if n.Required == 0 {
		return names + " protected. Only admins may make this call."
	}
	return fmt.Sprintf("%s protected. The call would wait for approvals (%d required).", names, n.Required)
}

func (w *warnings) release(r Release) {
	devices := fmt.Sprintf("%s devices with runtime version %s", r.Platform.Shown(), r.RuntimeVersion)
	switch {
	case r.Published && r.Kind == models.KindRollbackToEmbedded:
		w.add("%s would return to the embedded update.", devices)
	case r.Published && r.IsCritical:
		w.add("The new release for %s is critical.", devices)
	case !r.Published && r.IsCritical && r.Before.IsEnabled && r.After != nil && !r.After.IsEnabled:
		w.add("This call would disable %s, which is critical.", r.Phrase())
	}
}

func (w *warnings) execution(e Execution, target int64) {
	switch {
	case e.Recounts:
		w.add("The rollout of %s restarts its current stage. Only reports received after that count.", releaseOf(e))
	case e.ID == target, target == EveryRollout, e.Started:
	case e.Before.Status.Open() && !e.After.Status.Open():
		w.add("The rollout of %s would be %s.", releaseOf(e), strings.ReplaceAll(string(e.After.Status), "_", " "))
	default:
		w.add("The rollout of %s would change too.", releaseOf(e))
	}
}

// releaseOf returns a phrase that identifies the release of a rollout.
func releaseOf(e Execution) string { return models.ReleasePhrase(e.UpdateID, e.ReleaseMessage) }

// channels warns of channels whose devices would not get the changes of releases.
func (w *warnings) channels(c models.PreviewedChange, d Difference) error {
	after, err := delivery.NewAnswers(c.After.Served)
	if err != nil {
		return err
	}
	for _, channel := range c.Before.Served.Channels {
		if !slices.ContainsFunc(c.After.Served.Channels, func(kept models.Channel) bool { return kept.ID == channel.ID }) {
			w.add("Channel %s would be deleted. Its devices keep what they run and do not get updates any more.", channel.Name)
		}
	}
	for _, channel := range c.After.Served.Channels {
		if channel.IsPaused && (len(d.Releases) > 0 || len(d.Flags) > 0) {
			w.add("Channel %s is paused. Its devices do not get updates until it is resumed.", channel.Name)
			continue
		}
		for _, r := range d.Releases {
			answer := after.To(delivery.Request{Channel: channel.Name, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion})
			if answer.Outcome == delivery.OutcomeStoreUpdateRequired {
				w.add("Channel %s requires at least runtime version %s. Its devices with runtime version %s do not get updates.",
					channel.Name, answer.MinRuntimeVersion, r.RuntimeVersion)
			}
		}
	}
	return nil
}
