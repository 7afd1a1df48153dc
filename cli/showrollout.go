package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func showRolloutCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "show ID", Short: "Show a rollout: where it stands, when it may move, and what happened", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, api, err := rolloutOf(s, args[0])
			if err != nil {
				return err
			}
			res, err := api.GetRolloutExecutionWithResponse(cmd.Context(), id, &client.GetRolloutExecutionParams{})
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if err := answered(out, res.JSON200, nil); err != nil {
				return err
			}
			e := res.JSON200.Model()
			for _, line := range scheduleLines(e.Schedule) {
				fmt.Fprintln(out, line)
			}
			for _, l := range e.LinkedFlags {
				fmt.Fprintf(out, "links the flag %s (%d)\n", l.FlagKey, l.FlagID)
			}
			for _, event := range e.Timeline {
				fmt.Fprintf(out, "%s  %s\n", event.At.UTC().Format(time.DateTime), eventLine(event))
			}
			return nil
		},
	}
}

// scheduleLines say when a rollout may move by itself; none when at any time.
func scheduleLines(s models.Schedule) (lines []string) {
	if s.StartAt != nil {
		lines = append(lines, "begins at "+s.StartAt.UTC().Format(time.DateTime)+" UTC at the earliest")
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

// eventLine is an entry of a rollout's timeline, with its own sentence.
func eventLine(e models.RolloutEvent) string {
	return fmt.Sprintf("%s at %v %% by %s: %s", strings.ReplaceAll(string(e.Event), "_", " "), e.Percentage, e.Actor, e.Reason)
}

// storyteller turns the records of a rollout into lines: every entry of the timeline
// once, and where it stands when that is all that changed.
type storyteller struct {
	told int
	last string
}

func (s *storyteller) lines(record client.RolloutExecution) (lines []string) {
	e := record.Model()
	for ; s.told < len(e.Timeline); s.told++ {
		lines = append(lines, eventLine(e.Timeline[s.told]))
	}
	if now := executionLine(e); now != s.last {
		s.last = now
		lines = append(lines, now)
	}
	return lines
}
