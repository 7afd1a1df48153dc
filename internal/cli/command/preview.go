package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/models"
)

// PreviewFlag adds the flag --preview to a command.
func PreviewFlag(cmd *cobra.Command, preview *bool) {
	cmd.Flags().BoolVar(preview, "preview", false, "show the changes and the number of affected devices, without changing anything")
}

// PreviewLines describes what a call would change.
func PreviewLines(p client.ChangePreview) []string {
	effect := "the number of devices that the call would affect is unknown"
	if p.DevicesAffected != nil {
		effect = fmt.Sprintf("the call would affect %s that %s active in the last 24 hours",
			count.Of(*p.DevicesAffected, "device"), count.Choose(*p.DevicesAffected, "was", "were"))
	}
	lines := []string{"nothing has changed; " + effect}
	for _, r := range p.Releases {
		lines = append(lines, "  "+previewedReleaseLine(r))
	}
	for _, e := range p.Executions {
		lines = append(lines, "  "+previewedRolloutLine(e))
	}
	for _, f := range p.Flags {
		of := "the new release"
		if f.UpdateID != nil {
			of = ReleasePhrase(*f.UpdateID, f.Release)
		}
		lines = append(lines, fmt.Sprintf("  flag %s of %s: %s -> %s", f.FlagKey, of, orNotSet(f.Before), orNotSet(f.After)))
	}
	for _, c := range p.Channels {
		lines = append(lines, fmt.Sprintf("  channel %s: %s -> %s", c.Name, channelStateText(c.Before), channelStateText(c.After)))
	}
	for _, w := range p.Warnings {
		lines = append(lines, "warning: "+w)
	}
	return lines
}

func previewedReleaseLine(r client.PreviewedRelease) string {
	where := fmt.Sprintf("for %s %s on branch %s", r.Platform, r.RuntimeVersion, r.BranchName)
	if r.UpdateID != nil {
		return fmt.Sprintf("%s %s: %s -> %s", models.ReleasePhrase(*r.UpdateID, r.ReleaseMessage), where, releaseStateText(r.Before), releaseStateText(r.After))
	}
	line := "a new release " + where
	switch {
	case r.Kind == client.PreviewedReleaseKindRollbackToEmbedded:
		line = "a return to the embedded update " + where
	case r.RepublishedFromID != nil:
		line += fmt.Sprintf(" with the build of release %d", *r.RepublishedFromID)
	}
	return line + ": " + releaseStateText(r.After)
}

func previewedRolloutLine(e client.PreviewedRollout) string {
	if e.ID == nil || e.Before == nil {
		return fmt.Sprintf("a new rollout by policy %s: %s", e.PolicyName, rolloutStateText(e.After))
	}
	of := "the new release"
	if e.UpdateID != nil {
		of = ReleasePhrase(*e.UpdateID, e.Release)
	}
	return fmt.Sprintf("rollout %d of %s: %s -> %s", *e.ID, of, rolloutStateText(*e.Before), rolloutStateText(e.After))
}

func releaseStateText(s *client.PreviewedReleaseState) string {
	switch {
	case s == nil:
		return "none"
	case s.IsEnabled:
		return fmt.Sprintf("enabled, %v%% of devices", s.RolloutPercentage)
	default:
		return fmt.Sprintf("disabled, %v%% of devices", s.RolloutPercentage)
	}
}

func channelStateText(s client.PreviewedChannelState) string {
	if s.IsPaused {
		return "paused"
	}
	return "running"
}

func rolloutStateText(s client.PreviewedRolloutState) string {
	return fmt.Sprintf("%s, stage %d, rollout percentage %v%%", Words(string(s.Status)), s.StageIndex+1, s.Percentage)
}

func orNotSet(l *client.LinkedFlag) string {
	if l == nil {
		return "not set"
	}
	return LinkText(*l)
}
