package observe

import (
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

var (
	incidentStatuses = []string{"open", "resolved", "closed"}
	incidentOf       = command.ByID("incident", "waft incidents list")
)

// Incidents returns the command that lists, shows, acknowledges and closes incidents.
func Incidents(s *command.Settings) *cobra.Command {
	return s.Group("incidents", "List, show, acknowledge and close incidents: spikes of errors that Waft found",
		command.List[client.Incident]{
			Noun: "incidents", Short: "List the incidents, newest first", Path: "/telemetry/incidents",
			Header: []string{"ID", "STATUS", "OPENED", "CHANNEL", "PLATFORM", "RUNTIME", "ERRORS", "BEFORE", "OWNER", "RELEASE"}, Row: incidentRow,
			Filters: []command.Filter{
				{Flag: "status", Usage: "list only incidents with this status: " + command.Choice(incidentStatuses), Values: incidentStatuses},
				{Flag: "search", Usage: "list only incidents with words that begin with these, in their release, channel or note"},
			},
		}.Command(s),
		s.On("show ID", "Show an incident", incidentOf, func(c command.Call, id int64) error {
			return command.Tell(c, command.Linking(c, incidentLines, incidentPage)).
				Found(c.API.GetIncidentWithResponse(c.Context(), id, &client.GetIncidentParams{}))
		}),
		editIncidentCommand(s),
		s.On("close ID", "Close an open incident", incidentOf, func(c command.Call, id int64) error {
			body, err := command.BodyOf(c)
			if err != nil {
				return err
			}
			body.Set("status", "closed")
			return patchIncident(c, id, body)
		}),
	)
}

func incidentPage(i client.Incident) string { return fmt.Sprintf("incidents/%d", i.ID) }

func incidentRow(i client.Incident) []string {
	return []string{
		strconv.FormatInt(i.ID, 10), string(i.Status), i.OpenedAt.UTC().Format(command.Stamp), i.Channel, string(i.Platform), i.RuntimeVersion,
		fmt.Sprintf("%.2f%%", i.ErrorRate), fmt.Sprintf("%.2f%%", i.BaselineErrorRate), command.OrDash(i.AcknowledgedBy),
		command.Cell(command.RunningText(i.UpdateUUID, i.Release)),
	}
}

func incidentLines(i client.Incident) []string {
	lines := []string{
		fmt.Sprintf("incident %d, %s, since %s: %s on channel %s for %s %s", i.ID, i.Status, i.OpenedAt.UTC().Format(command.Stamp),
			command.RunningText(i.UpdateUUID, i.Release), i.Channel, i.Platform, i.RuntimeVersion),
		fmt.Sprintf("%d of %s had errors in the hour before %s: %.2f%%, %.2f%% before the incident; %d crashed; at most %d had errors",
			i.ErroredDevices, count.Of(i.Devices, "device"), i.CheckedAt.UTC().Format(command.Stamp), i.ErrorRate, i.BaselineErrorRate,
			i.CrashedDevices, i.PeakErroredDevices),
	}
	if i.FlagKey != nil {
		lines = append(lines, fmt.Sprintf("these devices have the flag %s = %s", *i.FlagKey, command.OrDash(i.Variation)))
	}
	if i.GitCommitHash != "" {
		lines = append(lines, command.OneLine("from commit "+i.GitCommitHash+" "+i.GitAuthor, 200))
	}
	if i.RolloutExecutionID != nil {
		lines = append(lines, fmt.Sprintf("newest rollout of the release: %d", *i.RolloutExecutionID))
	}
	if i.AcknowledgedBy != nil {
		lines = append(lines, fmt.Sprintf("%s works on it since %s", *i.AcknowledgedBy, stampOf(i.AcknowledgedAt)))
	}
	if i.Note != "" {
		lines = append(lines, "note: "+command.OneLine(i.Note, 300))
	}
	if i.Resolution != nil {
		lines = append(lines, fmt.Sprintf("ended %s: %s", stampOf(i.ResolvedAt), command.Words(string(*i.Resolution))))
	}
	return lines
}

func editIncidentCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("edit ID", "Acknowledge an incident, or note something about it", incidentOf, func(c command.Call, id int64) error {
		body, err := command.BodyOf(c, "acknowledged", "note?")
		if err != nil {
			return err
		}
		return patchIncident(c, id, body)
	})
	cmd.Example = "  waft incidents edit 41 --acknowledged --note 'looking at the payment provider'"
	cmd.Flags().Bool("acknowledged", false, "record that you work on the incident; --acknowledged=false gives it back")
	cmd.Flags().String("note", "", "note about the incident; '' for none")
	return cmd
}

func patchIncident(c command.Call, id int64, body command.Body) error {
	reader, err := body.Changes(c)
	if err != nil {
		return err
	}
	return command.Tell(c, command.Linking(c, incidentLines, incidentPage)).
		Found(c.API.PatchIncidentWithBodyWithResponse(c.Context(), id, &client.PatchIncidentParams{}, "application/json", reader))
}
