package observe

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Overview returns the command that shows the releases and the health of every channel.
func Overview(s *command.Settings) *cobra.Command {
	cmd := command.List[client.StreamOverview]{
		Use: "overview", Noun: "targets", Short: "Show what the devices of every channel get, and how healthy it is",
		Path: "/overview", Whole: true, None: "no device has asked for a release, and no release is published",
		Header:  []string{"CHANNEL", "PLATFORM", "RUNTIME", "RELEASE FOR ALL", "DEVICES", "ERRORS", "CRASH-FREE", "ROLLOUT", "STATE"},
		Row:     overviewRow,
		Filters: []command.Filter{{Flag: "channel", Usage: "show only this channel"}},
	}.Command(s)
	cmd.Long = "Each line is a target: a channel, platform and runtime version. `waft rollback` shows since when, and rolls back."
	return cmd
}

func overviewRow(o client.StreamOverview) []string {
	release, rollout := "the embedded update", "-"
	if o.Release != nil {
		release = fmt.Sprintf("%d %s", o.Release.ID, command.Cell(command.ReleaseMessage(*o.Release)))
	}
	if o.Rollout != nil {
		rollout = fmt.Sprintf("%d at %v%%", o.Rollout.ID, o.Rollout.Percentage)
	}
	var state []string
	if o.IsPaused {
		state = append(state, "paused")
	}
	if o.Incidents > 0 {
		state = append(state, count.Of(o.Incidents, "incident"))
	}
	if o.WaitingCall != nil {
		state = append(state, "waits for approval")
	}
	if len(state) == 0 {
		state = []string{"ok"}
	}
	devices := "-"
	if o.Devices != nil {
		devices = strconv.FormatInt(*o.Devices, 10)
	}
	return []string{
		o.Channel, string(o.Platform), o.RuntimeVersion, release, devices, rate(o.ErrorRate), rate(o.CrashFreePercentage), rollout,
		strings.Join(state, ", "),
	}
}

// Attention returns the command that lists the work that waits for a person.
func Attention(s *command.Settings) *cobra.Command {
	return s.Calling("attention", "Show what waits for a person: approvals, incidents, an emergency stop, the next steps of the setup",
		func(c command.Call) error {
			return command.Tell(c, attentionLines).Found(c.API.GetAttentionWithResponse(c.Context(), &client.GetAttentionParams{}))
		})
}

// restoreLine says that the project was restored, and what is left to do.
func restoreLine(r client.Restore) string {
	line := fmt.Sprintf("Waft was restored on %s from a backup of %s", stampOf(&r.RestoredAt), stampOf(&r.BackedUpAt))
	if r.PausedRollouts > 0 {
		line += fmt.Sprintf("; %s %s paused, check and resume: `waft rollouts list --status paused` lists them",
			count.Of(r.PausedRollouts, "rollout"), count.Choose(r.PausedRollouts, "is", "are"))
	}
	return line
}

func attentionLines(a client.Attention) []string {
	var lines []string
	if a.EmergencyStop.Active {
		lines = append(lines, fmt.Sprintf("%s stopped the project at %s: %s; `waft resume` resumes it",
			a.EmergencyStop.StoppedBy, stampOf(a.EmergencyStop.StoppedAt), command.OneLine(a.EmergencyStop.Reason, 200)))
	}
	if r := a.Restore; r != nil {
		lines = append(lines, restoreLine(*r))
	}
	if a.Incidents > 0 {
		lines = append(lines, count.Of(a.Incidents, "open incident")+"; `waft incidents list --status open` lists them")
	}
	if a.Approvals > 0 {
		lines = append(lines, count.Of(a.Approvals, "call")+" that you may approve; `waft approvals list` lists them")
	}
	if !a.Setup.HasAPIKey {
		lines = append(lines, "setup: the project has no API key; `waft keys create NAME --role editor` creates one")
	}
	if !a.Setup.HasRelease {
		lines = append(lines, "setup: the project has no release; `waft publish DIR --channel CHANNEL` publishes one")
	}
	if len(lines) == 0 {
		return []string{"nothing waits"}
	}
	return lines
}
