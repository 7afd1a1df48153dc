package rollout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/live"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

func showRolloutCommand(s *command.Settings) *cobra.Command {
	var verbose bool
	cmd := s.On("show ID", "Show a rollout: its state, its schedule and its timeline", command.RolloutOf,
		func(c command.Call, id int64) error {
			res, err := c.API.GetRolloutExecutionWithResponse(c.Context(), id, &client.GetRolloutExecutionParams{})
			if err != nil {
				return err
			}
			if c.JSON || res.JSON200 == nil {
				return command.Tell(c, executionLines).Found(res, nil)
			}
			e := res.JSON200.Model()
			lines := []string{fmt.Sprintf("rollout %d: %s", e.ID, command.RolloutText(e))}
			if e.Reason != "" {
				lines = append(lines, e.Reason)
			}
			if verbose {
				lines = append(lines, evidenceLines(e, e.Health)...)
			}
			lines = append(lines, fmt.Sprintf("%s for %s %s on %s, policy %q, workflow %s",
				models.ReleasePhrase(e.UpdateID, res.JSON200.ReleaseMessage),
				e.Platform, e.RuntimeVersion, command.OrDash(e.Channel), e.PolicyName, e.WorkflowID))
			lines = append(lines, scheduleLines(e.Schedule)...)
			for _, l := range e.LinkedFlags {
				lines = append(lines, fmt.Sprintf("linked flag %s (%d)", l.FlagKey, l.FlagID))
			}
			if e.Health != nil {
				for _, event := range e.Health.Events {
					lines = append(lines, fmt.Sprintf("event %s: %.2f%% (%d of %s)",
						command.OneLine(event.Name, 60), event.Rate(), event.ReportedDevices, count.Of(event.Devices, "device")))
				}
			}
			if h := res.JSON200.Health; h != nil && h.IgnoredDevices > 0 {
				r := h.IgnoredReasons
				lines = append(lines, fmt.Sprintf("%s %s not counted: %d %s not served the release, %d %s outside the rollout, "+
					"%d exceeded the rate limit",
					count.Of(h.IgnoredDevices, "device"), count.Choose(h.IgnoredDevices, "is", "are"),
					r.NotServed, count.Choose(r.NotServed, "was", "were"), r.NotInShare, count.Choose(r.NotInShare, "is", "are"), r.RateLimited))
			}
			after, err := successorLines(c.Context(), c.API, res.JSON200)
			if err != nil {
				return err
			}
			lines = append(lines, after...)
			for _, event := range e.Timeline {
				lines = append(lines, eventLine(event))
				if verbose {
					lines = append(lines, evidenceLines(e, event.Health)...)
				}
			}
			return command.PrintLines(c.OutOrStdout(), c.WithLink(lines, command.RolloutPage(*res.JSON200)))
		})
	cmd.Flags().BoolVar(&verbose, "verbose", false, "also show the evidence in each observation against the release")
	return cmd
}

// evidenceLines returns the line with the evidence of an observation, or no line if there is no observation.
func evidenceLines(e models.RolloutExecution, o *models.Observation) []string {
	if o == nil {
		return nil
	}
	needed := fmt.Sprintf("a breach needs %v", rollout.DecisiveEvidence)
	if e.Thresholds.Method == models.MethodPoint && e.Thresholds.Baseline != models.BaselineControl {
		needed = "the method point does not use it"
	}
	return []string{fmt.Sprintf("    evidence %s; %s", command.EvidenceText(o.Evidence), needed)}
}

// successorLines returns a line about the successor of a release that was rolled back.
func successorLines(ctx context.Context, api *client.Waft, e *client.RolloutExecution) ([]string, error) {
	if e.Successor == nil {
		return nil, nil
	}
	res, err := api.GetUpdateWithResponse(ctx, e.Successor.UpdateID, &client.GetUpdateParams{})
	if err != nil || res.JSON200 == nil {
		return nil, err
	}
	u := *res.JSON200
	return []string{fmt.Sprintf("devices that had release %d get release %d: %s", e.UpdateID, u.ID, command.ReleaseMessage(u))}, nil
}

// scheduleLines returns the times in which a stage may begin without a person.
func scheduleLines(s models.Schedule) (lines []string) {
	if s.StartAt != nil {
		lines = append(lines, "begins at "+s.StartAt.UTC().Format(command.Stamp)+" at the earliest")
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

func watchRolloutCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("watch ID", "Watch a rollout until it ends: a live panel on a terminal, otherwise its timeline as it grows",
		command.RolloutOf,
		func(c command.Call, id int64) error {
			// Unlike the stream, this call is not repeated: a wrong ID, key or address ends the command.
			first, err := c.API.GetRolloutExecutionWithResponse(c.Context(), id, &client.GetRolloutExecutionParams{})
			if err != nil {
				return err
			}
			if first.JSON200 == nil {
				return command.ErrNoRecord
			}
			out := c.OutOrStdout()
			if !c.JSON && live.Usable(out) {
				return watchLive(c, *first.JSON200)
			}
			return watchLines(c, *first.JSON200)
		})
	cmd.Long = "On a terminal it shows a panel: the stages, the devices, each rate against its limit, the evidence, what the\n" +
		"rollout waits for, and the latest sentences of its timeline. Press q to leave; the rollout continues.\n" +
		"Elsewhere, and with TERM=dumb, it prints lines that begin with the time of the event or of the observation.\n" +
		"With --json each change is the rollout as one line of JSON. A broken connection is opened again; if\n" +
		"that fails, a line on standard error says so.\n\n" +
		"The exit code is 0 when the rollout completed or you left, and 3 when it was cancelled or rolled back."
	return cmd
}

// watchLines prints a rollout and each of its changes until it ends.
func watchLines(c command.Call, first client.RolloutExecution) error {
	var story storyteller
	var connection connectionTeller
	var last client.RolloutExecution
	var broken error
	tell := func(line string) {
		if line != "" {
			fmt.Fprintf(c.ErrOrStderr(), "%s  %s\n", time.Now().UTC().Format(command.Stamp), terminal.Plain(line))
		}
	}
	each := func(e client.RolloutExecution) bool {
		tell(connection.works())
		switch {
		case !c.JSON:
			broken = command.PrintLines(c.OutOrStdout(), story.lines(e, time.Now()))
		case !reflect.DeepEqual(e, last): // the stream begins with the state that is known
			broken = command.PrintRecord(c.OutOrStdout(), e)
		}
		last = e
		return broken == nil && e.Model().Status.Open()
	}
	var err error
	if each(first) {
		err = c.API.FollowRollout(c.Context(), first.ID, each, func(err error) { tell(connection.broke(err)) })
	}
	if err := cmp.Or(err, broken); err != nil {
		return err
	}
	return ended(last.Model())
}

// watchLive shows the rollout in a panel until it ends or the person leaves.
func watchLive(c command.Call, first client.RolloutExecution) error {
	follow := func(ctx context.Context, each func(client.RolloutExecution) bool, lost func(error)) error {
		return c.API.FollowRollout(ctx, first.ID, each, lost)
	}
	last, err := live.Watch(c.Context(), c.InOrStdin(), c.OutOrStdout(), first, c.PageURL(command.RolloutPage(first)), follow)
	if errors.Is(err, live.ErrLeft) {
		return command.PrintLines(c.ErrOrStderr(), []string{
			fmt.Sprintf("the rollout continues; `waft rollouts watch %d` shows it again", first.ID),
		})
	}
	if err != nil {
		return err
	}
	return ended(last.Model())
}

// ended returns an error unless the rollout completed.
func ended(e models.RolloutExecution) error {
	if e.Status == models.ExecutionCompleted {
		return nil
	}
	return &EndedError{e}
}

// storyteller turns the records of a rollout into lines: each event of the timeline once,
// and the rollout's state when it changes.
type storyteller struct {
	told int // events
	last string
}

// lines returns a line for each event and state in the record that lines did not return before. now is the time at which the record
// was received.
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
		lines = append(lines, at.UTC().Format(command.Stamp)+"  "+stands)
	}
	return lines
}

// standsLine returns the state of a rollout, with the reason unless the last event has the same one.
func standsLine(e models.RolloutExecution) string {
	if n := len(e.Timeline); n > 0 && e.Timeline[n-1].Reason == e.Reason {
		return command.RolloutText(e)
	}
	return executionLine(e)
}

func eventLine(e models.RolloutEvent) string {
	return fmt.Sprintf("%s  %s at %v%% by %s: %s",
		e.At.UTC().Format(command.Stamp), command.Words(string(e.Event)), e.Percentage, e.Actor, e.Reason)
}

// EndedError is a watched rollout that did not complete.
type EndedError struct{ execution models.RolloutExecution }

func (e *EndedError) Error() string {
	return fmt.Sprintf("rollout %d was %s: %s", e.execution.ID, command.Words(string(e.execution.Status)), e.execution.Reason)
}
