package rollout

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

type healthReport struct {
	Incidents json.RawMessage `json:"incidents"`
	Adoption  json.RawMessage `json:"adoption"`
	Refused   json.RawMessage `json:"refused"`
}

// Health returns the command that shows incidents, adoption and refused requests.
func Health(s *command.Settings) *cobra.Command {
	var days int64
	cmd := s.Calling("health", "Show open incidents, the releases that devices run, and refused requests", func(c command.Call) error {
		window := client.GetAdoptionParamsDays(days)
		if !window.Valid() {
			return command.Usagef("--days must be 7, 14, 30 or 90, not %d", days)
		}
		ctx := c.Context()
		incidents, err := c.API.ListIncidentsWithResponse(ctx, &client.ListIncidentsParams{
			Status: new(client.ListIncidentsParamsStatusOpen), Limit: new(command.ListLimit),
		})
		if err != nil {
			return err
		}
		adoption, err := c.API.GetAdoptionWithResponse(ctx, &client.GetAdoptionParams{Days: &window})
		if err != nil {
			return err
		}
		refused, err := c.API.ListRefusedWithResponse(ctx, &client.ListRefusedParams{})
		if err != nil {
			return err
		}
		if incidents.JSON200 == nil || adoption.JSON200 == nil || refused.JSON200 == nil {
			return command.ErrNoRecord
		}
		if c.JSON {
			body, err := json.Marshal(healthReport{Incidents: incidents.Body, Adoption: adoption.Body, Refused: refused.Body})
			if err != nil {
				return err
			}
			return command.PrintJSON(c.OutOrStdout(), body)
		}
		lines := append(incidentLines(*incidents.JSON200), adoptionLines(*adoption.JSON200)...)
		return command.PrintLines(c.OutOrStdout(), append(lines, refusedLines(*refused.JSON200)...))
	})
	cmd.Flags().Int64Var(&days, "days", 7, "number of days for the releases that devices run: 7, 14, 30 or 90")
	return cmd
}

func incidentLines(incidents []client.Incident) []string {
	if len(incidents) == 0 {
		return []string{"No open incidents."}
	}
	var lines []string
	for _, i := range incidents {
		what := "the embedded update"
		if i.UpdateUUID != nil {
			what = "update " + i.UpdateUUID.String()
		}
		if i.UpdateID != nil {
			what = command.ReleasePhrase(*i.UpdateID, i.Release)
		}
		line := fmt.Sprintf("INCIDENT since %s: %d of %s reported errors in the last hour (%.2f%%, %.2f%% "+
			"before; %d crashed) on %s for %s %s, channel %s",
			i.OpenedAt.UTC().Format(command.Stamp), i.ErroredDevices, count.Of(i.Devices, "device"), i.ErrorRate, i.BaselineErrorRate,
			i.CrashedDevices, what, i.Platform, i.RuntimeVersion, i.Channel)
		if i.FlagKey != nil {
			line += fmt.Sprintf("; these devices have the flag %s = %s", *i.FlagKey, command.OrDash(i.Variation))
		}
		lines = append(lines, line)
	}
	return lines
}

func adoptionLines(a client.Adoption) []string {
	lines := []string{fmt.Sprintf("%s in %s, %s:",
		count.Of(a.TotalActiveDevices, "device"), count.Of(a.Days, "day"), count.Of(a.Downloads, "download"))}
	for _, d := range a.Distribution {
		what := "the embedded update"
		switch {
		case d.UpdateID != nil:
			what = command.ReleasePhrase(*d.UpdateID, d.Release)
		case d.UpdateUUID != nil:
			what = "unknown update " + d.UpdateUUID.String()
		}
		lines = append(lines, fmt.Sprintf("  %6.2f%%  %d on %s, %s %s", d.Percentage, d.Devices, what, d.Platform, d.RuntimeVersion))
	}
	return lines
}

func refusedLines(refused []client.RefusedRequests) []string {
	if len(refused) == 0 {
		return nil
	}
	lines := []string{"Refused manifest requests:"}
	for _, r := range refused {
		lines = append(lines, fmt.Sprintf("  %s: %s from %s, channel %q, %s %s, last %s",
			command.Words(string(r.Reason)), count.Of(r.Requests, "request"), count.Of(r.Devices, "device"), r.Channel, r.Platform,
			r.RuntimeVersion, r.LastSeenAt.UTC().Format(command.Stamp)))
	}
	return lines
}
