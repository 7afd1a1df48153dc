package rollout

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Policies makes the command that lists and changes rollout policies.
func Policies(s *command.Settings) *cobra.Command {
	return s.Group("policies", "List, make and change rollout policies",
		s.Calling("list", "List the rollout policies", func(c command.Call) error {
			return command.Tell(c, command.Table("no rollout policies; `waft policies create --help` shows one",
				[]string{"ID", "NAME", "CHANNEL", "STAGES", "LIMITS", "ROLLOUTS UNDER WAY"}, policyRow)).
				Found(c.API.ListRolloutPoliciesWithResponse(c.Context(), &client.ListRolloutPoliciesParams{Limit: new(command.ListLimit)}))
		}),
		s.On("show POLICY", "Show a rollout policy, by its id or name", command.PolicyOf, func(c command.Call, id int64) error {
			return command.Tell(c, policyLines).
				Found(c.API.GetRolloutPolicyWithResponse(c.Context(), id, &client.GetRolloutPolicyParams{}))
		}),
		createPolicyCommand(s), editPolicyCommand(s),
		s.On("delete POLICY", "Delete a rollout policy", command.PolicyOf, func(c command.Call, id int64) error {
			_, err := c.API.DeleteRolloutPolicyWithResponse(c.Context(), id, &client.DeleteRolloutPolicyParams{})
			return command.Done(c, err, "policy %s is deleted", c.Args[0])
		}),
	)
}

func policyRow(p client.RolloutPolicy) []string {
	return []string{
		strconv.FormatInt(p.ID, 10), p.Name, command.OrDash(p.Channel), stagesText(p.Stages), limitsText(p.Thresholds),
		command.IDList(p.RunningExecutions),
	}
}

// stagesText are the stages' shares.
func stagesText(stages []client.Stage) string {
	shares := make([]string, len(stages))
	for i, stage := range stages {
		shares[i] = fmt.Sprintf("%v", stage.Percentage)
	}
	return strings.Join(shares, ", ") + " %"
}

// limitsText are the thresholds and their action.
func limitsText(t client.Thresholds) string {
	var limits []string
	if t.CrashRate != nil {
		limits = append(limits, fmt.Sprintf("crashes %v %%", *t.CrashRate))
	}
	if t.ErrorRate != nil {
		limits = append(limits, fmt.Sprintf("errors %v %%", *t.ErrorRate))
	}
	if t.Events != nil {
		for _, e := range *t.Events {
			limits = append(limits, fmt.Sprintf("%s %s %v %%", command.OneLine(e.Name, 40), e.Direction, e.Rate))
		}
	}
	if t.Baseline != nil && models.Baseline(*t.Baseline) == models.BaselineControl {
		limits = append(limits, "those outside the share")
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

// judgedText is what is compared with the thresholds, "" when they do not say.
func judgedText(t client.Thresholds) string {
	switch n := t.MinNetworks; {
	case n == nil:
		return ""
	case *n == 1:
		return ", judged by devices"
	default:
		text := fmt.Sprintf(", judged by the votes of %d networks or more", *n)
		if t.AllocationVotes != nil {
			text += fmt.Sprintf(", at most %d of one allocation", *t.AllocationVotes)
		}
		return text
	}
}

func policyLines(p client.RolloutPolicy) []string {
	lines := []string{fmt.Sprintf("policy %d %q: limits %s%s", p.ID, p.Name, limitsText(p.Thresholds), judgedText(p.Thresholds))}
	for i, stage := range p.Stages {
		line := fmt.Sprintf("  stage %d: %v %% of devices", i+1, stage.Percentage)
		if stage.MinDurationMinutes != nil && *stage.MinDurationMinutes > 0 {
			line += fmt.Sprintf(", at least %v min", *stage.MinDurationMinutes)
		}
		if stage.MinDevices != nil && *stage.MinDevices > 0 {
			line += fmt.Sprintf(", at least %d devices", *stage.MinDevices)
		}
		if stage.Thresholds != nil {
			line += ", limits " + limitsText(*stage.Thresholds) + judgedText(*stage.Thresholds)
		}
		lines = append(lines, line)
	}
	for _, line := range scheduleLines(client.Schedule{StartAt: p.StartAt, TimeZone: p.TimeZone, FreezeWindows: p.FreezeWindows}.Model()) {
		lines = append(lines, "  "+line)
	}
	if len(p.RunningExecutions) > 0 {
		lines = append(lines, "  locked while it is used by the rollouts "+command.IDList(p.RunningExecutions))
	}
	return lines
}

const policyExample = `  waft policies create - <<'END'
  {
    "name": "careful",
    "stages": [
      {"percentage": 5,   "minDevices": 100, "minDurationMinutes": 60},
      {"percentage": 25,  "minDevices": 500, "minDurationMinutes": 60},
      {"percentage": 100}
    ],
    "thresholds": {"crashRate": 1.0, "minNetworks": 3, "action": "auto-rollback"}
  }
  END`

func createPolicyCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("create FILE", "Create a rollout policy from a JSON file; - is the standard input",
		func(c command.Call) error {
			body, err := command.ReadJSON(c, c.Args[0])
			if err != nil {
				return err
			}
			return command.Tell(c, policyLines).
				Made(c.API.CreateRolloutPolicyWithBodyWithResponse(c.Context(), &client.CreateRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Long = "The fields are those of POST /v1/ota/rollout-policies, which /docs of the server describes. Below minNetworks\n" +
		"networks a rollout neither advances nor rolls back; with 1, devices are judged, and forged reports may decide.\n" +
		"thresholds.events limits custom events: {\"name\": \"checkout_completed\", \"rate\": 30, \"direction\": \"below\"}."
	cmd.Example = policyExample
	return cmd
}

func editPolicyCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("edit POLICY FILE", "Change a policy by the fields of a JSON file; - is the standard input", command.PolicyOf,
		func(c command.Call, id int64) error {
			body, err := command.ReadJSON(c, c.Args[1])
			if err != nil {
				return err
			}
			return command.Tell(c, policyLines).Found(c.API.PatchRolloutPolicyWithBodyWithResponse(
				c.Context(), id, &client.PatchRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Long = "Not possible while a rollout uses the policy."
	cmd.Example = "  echo '{\"thresholds\": {\"crashRate\": 0.5}}' | waft policies edit careful -"
	return cmd
}
