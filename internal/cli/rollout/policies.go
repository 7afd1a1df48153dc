package rollout

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Policies returns the command that lists and changes rollout policies.
func Policies(s *command.Settings) *cobra.Command {
	return s.Group("policies", "List, create and change rollout policies",
		command.List[client.RolloutPolicy]{
			Noun: "policies", Short: "List the rollout policies", Path: "/rollout-policies", Limit: command.ListLimit,
			None:   "no rollout policies; `waft policies create --help` shows an example",
			Header: []string{"ID", "NAME", "CHANNEL", "STAGES", "THRESHOLDS", "OPEN ROLLOUTS"}, Row: policyRow,
			Filters: []command.Filter{command.SearchFilter("policies", "name or description")},
		}.Command(s),
		s.On("show POLICY", "Show a rollout policy, by its name or ID", command.PolicyOf, func(c command.Call, id int64) error {
			return command.Tell(c, policyLines).
				Found(c.API.GetRolloutPolicyWithResponse(c.Context(), id, &client.GetRolloutPolicyParams{}))
		}),
		createPolicyCommand(s), editPolicyCommand(s),
	)
}

func policyRow(p client.RolloutPolicy) []string {
	return []string{
		strconv.FormatInt(p.ID, 10), p.Name, command.OrDash(p.Channel), stagesText(p.Stages), limitsText(p.Thresholds),
		command.IDList(p.RunningExecutions),
	}
}

// stagesText returns the percentages of the stages.
func stagesText(stages []client.Stage) string {
	shares := make([]string, len(stages))
	for i, stage := range stages {
		shares[i] = fmt.Sprintf("%v", stage.Percentage)
	}
	return strings.Join(shares, ", ") + "%"
}

// limitsText returns the thresholds and the policy's action.
func limitsText(t client.Thresholds) string {
	var limits []string
	if t.CrashRate != nil {
		limits = append(limits, fmt.Sprintf("crashes %v%%", *t.CrashRate))
	}
	if t.ErrorRate != nil {
		limits = append(limits, fmt.Sprintf("errors %v%%", *t.ErrorRate))
	}
	if t.Events != nil {
		for _, e := range *t.Events {
			limits = append(limits, fmt.Sprintf("%s %s %v%%", command.OneLine(e.Name, 40), e.Direction, e.Rate))
		}
	}
	if t.Baseline != nil && models.Baseline(*t.Baseline) == models.BaselineControl {
		limits = append(limits, "compared with the control group")
	}
	if len(limits) == 0 {
		return "none"
	}
	text := strings.Join(limits, ", ")
	if t.Action != nil {
		text += ": " + string(*t.Action)
	}
	return text
}

// judgedText returns what the thresholds count, networks or devices, or "" if they do not set it.
func judgedText(t client.Thresholds) string {
	switch n := t.MinNetworks; {
	case n == nil:
		return ""
	case *n == 1:
		return ", counted by devices"
	default:
		text := fmt.Sprintf(", decided by the votes of at least %d networks", *n)
		if t.AllocationVotes != nil {
			text += fmt.Sprintf(", at most %s per allocation", count.Of(*t.AllocationVotes, "vote"))
		}
		return text
	}
}

func policyLines(p client.RolloutPolicy) []string {
	lines := []string{fmt.Sprintf("policy %d %q: thresholds %s%s", p.ID, p.Name, limitsText(p.Thresholds), judgedText(p.Thresholds))}
	for i, stage := range p.Stages {
		line := fmt.Sprintf("  stage %d: %v%% of devices", i+1, stage.Percentage)
		if stage.MinDurationMinutes != nil && *stage.MinDurationMinutes > 0 {
			line += fmt.Sprintf(", at least %v min", *stage.MinDurationMinutes)
		}
		if stage.MinDevices != nil && *stage.MinDevices > 0 {
			line += fmt.Sprintf(", at least %s", count.Of(*stage.MinDevices, "device"))
		}
		if stage.Thresholds != nil {
			line += ", thresholds " + limitsText(*stage.Thresholds) + judgedText(*stage.Thresholds)
		}
		lines = append(lines, line)
	}
	for _, line := range scheduleLines(client.Schedule{StartAt: p.StartAt, TimeZone: p.TimeZone, FreezeWindows: p.FreezeWindows}.Model()) {
		lines = append(lines, "  "+line)
	}
	if len(p.RunningExecutions) > 0 {
		lines = append(lines, "  cannot be changed while these rollouts use it: "+command.IDList(p.RunningExecutions))
	}
	return lines
}

const policyExample = `  waft policies create - <<'END'
  {
    "name": "careful",
    "stages": [
      {"percentage": 5,   "minDevices": 20,  "minDurationMinutes": 1},
      {"percentage": 25,  "minDevices": 100, "minDurationMinutes": 1},
      {"percentage": 100, "minDevices": 100, "minDurationMinutes": 1}
    ],
    "thresholds": {"crashRate": 1.0, "action": "auto-rollback"}
  }
  END`

func createPolicyCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("create FILE", "Create a rollout policy from a JSON file; - reads the standard input",
		func(c command.Call) error {
			body, err := command.ReadJSON(c, c.Args[0])
			if err != nil {
				return err
			}
			return command.Tell(c, policyLines).
				Made(c.API.CreateRolloutPolicyWithBodyWithResponse(c.Context(), &client.CreateRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Long = "FILE has the fields of POST /v1/ota/rollout-policies, which the server documents at /docs. A rollout neither\n" +
		"advances nor rolls back until thresholds.minNetworks networks have reported. With minNetworks 1, devices are\n" +
		"counted instead, and forged reports can decide. thresholds.events sets thresholds for custom events:\n" +
		"{\"name\": \"checkout_completed\", \"rate\": 30, \"direction\": \"below\"}."
	cmd.Example = policyExample
	return cmd
}

func editPolicyCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("edit POLICY FILE", "Change the fields of a policy that a JSON file names; - reads the standard input", command.PolicyOf,
		func(c command.Call, id int64) error {
			body, err := command.ReadJSON(c, c.Args[1])
			if err != nil {
				return err
			}
			return command.Tell(c, policyLines).Found(c.API.PatchRolloutPolicyWithBodyWithResponse(
				c.Context(), id, &client.PatchRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Long = "You cannot change a policy while a rollout uses it."
	cmd.Example = "  echo '{\"thresholds\": {\"crashRate\": 0.5}}' | waft policies edit careful -"
	return cmd
}
