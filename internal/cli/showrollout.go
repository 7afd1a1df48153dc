package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func showRolloutCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a rollout: its state, its schedule and its timeline", Args: args("ID"),
		RunE: s.on(rolloutOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			res, err := api.GetRolloutExecutionWithResponse(cmd.Context(), id, &client.GetRolloutExecutionParams{})
			if err != nil {
				return err
			}
			if s.json || res.JSON200 == nil {
				return tell(cmd, s, executionLines).found(res, nil)
			}
			e := res.JSON200.Model()
			lines := append([]string{fmt.Sprintf("rollout %d: %s", e.ID, rolloutText(e))}, reasonLines(e)...)
			lines = append(lines, fmt.Sprintf("release %d for %s %s on %s, policy %q, workflow %s", e.UpdateID, e.Platform, e.RuntimeVersion,
				orDash(e.Channel), e.PolicyName, e.WorkflowID))
			lines = append(lines, scheduleLines(e.Schedule)...)
			for _, l := range e.LinkedFlags {
				lines = append(lines, fmt.Sprintf("links the flag %s (%d)", l.FlagKey, l.FlagID))
			}
			lines = append(lines, ignoredLines(res.JSON200.Health)...)
			after, err := successorLines(cmd.Context(), api, e)
			if err != nil {
				return err
			}
			lines = append(lines, after...)
			for _, event := range e.Timeline {
				lines = append(lines, eventLine(event))
			}
			return printLines(cmd.OutOrStdout(), lines)
		}),
	}
}

// reasonLines is the reason why a rollout stands as it does.
func reasonLines(e models.RolloutExecution) []string {
	if e.Reason == "" {
		return nil
	}
	return []string{e.Reason}
}

// ignoredLines say which devices' reports did not count, and why.
func ignoredLines(h *client.Health) []string {
	if h == nil || h.IgnoredDevices == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d devices do not count: %d were not served the release, %d are not in its share",
		h.IgnoredDevices, h.IgnoredReasons.NotServed, h.IgnoredReasons.NotInShare)}
}

// successorLines say what devices get instead of a release that was taken back.
func successorLines(ctx context.Context, api *client.Waft, e models.RolloutExecution) ([]string, error) {
	if e.Status != models.ExecutionRolledBack && e.Status != models.ExecutionCancelled {
		return nil, nil
	}
	res, err := api.ListUpdatesWithResponse(ctx, &client.ListUpdatesParams{
		Platform: new(client.ListUpdatesParamsPlatform(e.Platform)), RuntimeVersion: &e.RuntimeVersion, Limit: new(listLimit),
	})
	if err != nil || res.JSON200 == nil {
		return nil, err
	}
	for _, u := range *res.JSON200 {
		if slices.Contains(u.RolledBackUpdateIds, e.UpdateID) {
			return []string{fmt.Sprintf("devices that had release %d get release %d: %s", e.UpdateID, u.ID, releaseMessage(u))}, nil
		}
	}
	return nil, nil
}

// scheduleLines say when a rollout may move by itself; none when at any time.
func scheduleLines(s models.Schedule) (lines []string) {
	if s.StartAt != nil {
		lines = append(lines, "begins at "+s.StartAt.UTC().Format(stamp)+" at the earliest")
	}
	for _, w := range s.FreezeWindows {
		days := "every day"
		if len(w.Days) > 0 {
			names := make([]string, len(w.Days))
			for i, day := range w.Days {
				names[i] = string(day)
			}
			days = strings.Join(names, ", ")
		}
		lines = append(lines, fmt.Sprintf("no stage begins from %s to %s (%s, %s)", w.From, w.To, days, s.TimeZone))
	}
	return lines
}
