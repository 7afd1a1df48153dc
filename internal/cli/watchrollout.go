package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func watchRolloutCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "watch ID", Short: "Print the timeline of a rollout as it grows, until the rollout ends", Args: args("ID"),
		Long: "Every line begins with a time: that of the event, or that of the observation. A broken connection is opened\n" +
			"again. With --json each change is the rollout as one line of JSON.\n\n" +
			"Exit code 0 when the rollout reached everybody, 3 when it was cancelled or rolled back.",
		RunE: s.on(rolloutOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			out := cmd.OutOrStdout()
			var story storyteller
			var last models.RolloutExecution
			var broken error
			err := api.WatchRollout(cmd.Context(), id, func(e client.RolloutExecution) bool {
				last = e.Model()
				if s.json {
					broken = json.NewEncoder(out).Encode(e)
				} else {
					broken = printLines(out, story.lines(e, time.Now()))
				}
				return broken == nil && last.Status.Open()
			})
			switch {
			case err != nil:
				return err
			case broken != nil:
				return broken
			case last.Status != models.ExecutionCompleted:
				return &endedError{last}
			}
			return nil
		}),
	}
}

// storyteller turns the records of a rollout into lines: every entry of the timeline
// once, and where it stands when that is all that changed.
type storyteller struct {
	told int
	last string
}

// lines are what is new in a record that was seen at now.
func (s *storyteller) lines(record client.RolloutExecution, now time.Time) (lines []string) {
	e := record.Model()
	for ; s.told < len(e.Timeline); s.told++ {
		lines = append(lines, eventLine(e.Timeline[s.told]))
	}
	if stands := standsLine(e); stands != s.last {
		s.last = stands
		at := now
		if e.EndedAt != nil {
			at = *e.EndedAt
		}
		lines = append(lines, at.UTC().Format(stamp)+"  "+stands)
	}
	return lines
}

// standsLine says where a rollout stands, with the reason when the timeline did not
// end with it.
func standsLine(e models.RolloutExecution) string {
	if n := len(e.Timeline); n > 0 && e.Timeline[n-1].Reason == e.Reason {
		return rolloutText(e)
	}
	return executionLine(e)
}

// eventLine is an entry of a rollout's timeline, with its own sentence.
func eventLine(e models.RolloutEvent) string {
	return fmt.Sprintf("%s  %s at %v %% by %s: %s", e.At.UTC().Format(stamp), words(string(e.Event)), e.Percentage, e.Actor, e.Reason)
}
