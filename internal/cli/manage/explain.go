package manage

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// contextFlags adds the flags that describe the context of an evaluation.
func contextFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.String("channel", "", "channel of the device")
	f.String("user", "", "targeting key, such as the ID of the user; default: the device ID")
	f.String("device", "", "ID of the device")
	f.String("platform", "", "platform of the device: ios or android")
	f.String("runtime-version", "", "runtime version of the device")
	f.String("update", "", "update ID of the running update")
	f.StringArray("attribute", nil, "attribute as NAME=VALUE, with a value in JSON or a string; can be repeated")
}

// explainBody returns the context that the flags describe.
func explainBody(c command.Call) (client.ExplainBody, error) {
	attributes, err := c.Flags().GetStringArray("attribute")
	if err != nil {
		return client.ExplainBody{}, err
	}
	about, err := assignments("attribute", attributes)
	if err != nil {
		return client.ExplainBody{}, err
	}
	for flag, attribute := range map[string]string{
		"channel": "channel", "user": "targetingKey", "device": "deviceId", "platform": "platform", "runtime-version": "runtimeVersion",
		"update": "updateUuid",
	} {
		if c.Flags().Changed(flag) {
			about[attribute] = c.Flag(flag).Value.String()
		}
	}
	return client.ExplainBody{Context: about}, nil
}

func explainFlagCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("explain FLAG", "Explain which value of a flag a user or device gets, rule by rule", command.FlagOf,
		func(c command.Call, id int64) error {
			body, err := explainBody(c)
			if err != nil {
				return err
			}
			return command.Tell(c, explanationLines).Found(c.API.ExplainFlagWithResponse(c.Context(), id, &client.ExplainFlagParams{}, body))
		})
	cmd.Example = "  waft flags explain checkout --channel production --user ada@example.com --attribute plan=beta"
	contextFlags(cmd)
	return cmd
}

func explanationLines(e client.FlagExplanation) []string {
	line := fmt.Sprintf("flag %s: %s, because of %s", e.FlagKey, command.ValueText(e.Value), string(e.Reason))
	if e.Variant != nil {
		line += fmt.Sprintf(" (variation %s)", *e.Variant)
	}
	lines := []string{line}
	if e.Detail != nil && *e.Detail != "" {
		lines = append(lines, *e.Detail)
	}
	for _, r := range e.Rules {
		outcome := "does not match"
		switch {
		case r.Decided:
			outcome = "decides"
		case r.Matched:
			outcome = "matches"
		}
		lines = append(lines, fmt.Sprintf("  rule %d, %s, %s: %s", r.RuleID, command.Words(string(r.RuleType)), outcome, r.Detail))
	}
	return lines
}

func evaluateFlagsCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("evaluate", "Show the values of all flags for a user or device", func(c command.Call) error {
		body, err := explainBody(c)
		if err != nil {
			return err
		}
		table := command.Table(c.OutOrStdout(), "no flags", []string{"FLAG", "VALUE", "VARIATION", "REASON"},
			func(e client.FlagExplanation) []string {
				return []string{e.FlagKey, command.ValueText(e.Value), command.OrDash(e.Variant), string(e.Reason)}
			})
		return command.Tell(c, table).Found(c.API.ExplainFlagsWithResponse(c.Context(), &client.ExplainFlagsParams{}, body))
	})
	cmd.Example = "  waft flags evaluate --channel production --user ada@example.com"
	contextFlags(cmd)
	return cmd
}

func evaluationsCommand(s *command.Settings) *cobra.Command {
	var days int64
	cmd := s.On("evaluations FLAG", "Count how often each value of a flag was evaluated", command.FlagOf,
		func(c command.Call, id int64) error {
			return command.Tell(c, evaluationLines).
				Found(c.API.GetFlagEvaluationsWithResponse(c.Context(), id, &client.GetFlagEvaluationsParams{Days: &days}))
		})
	cmd.Flags().Int64Var(&days, "days", 7, "number of days, including today")
	return cmd
}

func evaluationLines(e client.FlagEvaluations) []string {
	last := "never evaluated"
	if e.LastEvaluatedAt != nil {
		last = "last " + e.LastEvaluatedAt.UTC().Format(command.Stamp)
	}
	lines := []string{fmt.Sprintf("flag %s: %s, %s", e.FlagKey, count.Of(e.Total, "evaluation"), last)}
	for _, v := range e.Variations {
		lines = append(lines, fmt.Sprintf("  %6.2f%%  %d gave %s %s", v.Percentage, v.Count, command.OneLine(v.Value, 60), v.Name))
	}
	days := map[string]int64{}
	for _, d := range e.Daily {
		days[d.Date.String()] += d.Count
	}
	for _, date := range slices.Sorted(maps.Keys(days)) {
		lines = append(lines, fmt.Sprintf("  %s  %d", date, days[date]))
	}
	return lines
}

func impactsCommand(s *command.Settings) *cobra.Command {
	list := command.List[client.FlagImpact]{
		Use: "impacts", Noun: "values", Short: "Compare errors and crashes under each value of the flags, by release and channel",
		Path: "/telemetry/flag-impacts", Whole: true, None: "no device has reported the value of a flag",
		Header: []string{"FLAG", "VALUE", "CHANNEL", "RELEASE", "DEVICES", "ERRORS", "DIFFERENCE", "CRASH-FREE"},
		Row: func(i client.FlagImpact) []string {
			return []string{
				i.FlagKey, command.Cell(i.Variation), i.Channel, command.OrDash(i.UpdateID), strconv.FormatInt(i.Devices, 10),
				fmt.Sprintf("%.2f%%", i.ErrorRate), fmt.Sprintf("%+.2f", i.ErrorRateDelta), fmt.Sprintf("%.2f%%", i.CrashFreePercentage),
			}
		},
		Filters: []command.Filter{
			{Flag: "flag", Usage: "show only the flag with this key", Param: "flagKey"},
			{Flag: "channel", Usage: "show only devices of this channel"},
			{Flag: "days", Usage: "number of days, including today, up to 90", Default: "7"},
		},
	}
	return list.Command(s)
}
