package cli

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func policiesCommand(s *settings) *cobra.Command {
	return s.group("policies", "List, make and change rollout policies",
		s.calling("list", "List the rollout policies", func(c call) error {
			return tell(c, table("no rollout policies; `waft policies create --help` shows one",
				[]string{"ID", "NAME", "CHANNEL", "STAGES", "LIMITS", "ROLLOUTS UNDER WAY"}, policyRow)).
				found(c.api.ListRolloutPoliciesWithResponse(c.Context(), &client.ListRolloutPoliciesParams{Limit: new(listLimit)}))
		}),
		s.on("show POLICY", "Show a rollout policy, by its id or name", policyOf, func(c call, id int64) error {
			return tell(c, policyLines).
				found(c.api.GetRolloutPolicyWithResponse(c.Context(), id, &client.GetRolloutPolicyParams{}))
		}),
		createPolicyCommand(s), editPolicyCommand(s),
		s.on("delete POLICY", "Delete a rollout policy", policyOf, func(c call, id int64) error {
			_, err := c.api.DeleteRolloutPolicyWithResponse(c.Context(), id, &client.DeleteRolloutPolicyParams{})
			return done(c, err, "policy %s is deleted", c.args[0])
		}),
	)
}

func policyRow(p client.RolloutPolicy) []string {
	return []string{
		strconv.FormatInt(p.ID, 10), p.Name, orDash(p.Channel), stagesText(p.Stages), limitsText(p.Thresholds), idList(p.RunningExecutions),
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
			limits = append(limits, fmt.Sprintf("%s %s %v %%", oneLine(e.Name, 40), e.Direction, e.Rate))
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
		return fmt.Sprintf(", judged by the votes of %d networks or more", *n)
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
		lines = append(lines, "  locked while it is used by the rollouts "+idList(p.RunningExecutions))
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

func createPolicyCommand(s *settings) *cobra.Command {
	cmd := s.calling("create FILE", "Create a rollout policy from a JSON file; - is the standard input",
		func(c call) error {
			body, err := readJSON(c, c.args[0])
			if err != nil {
				return err
			}
			return tell(c, policyLines).
				made(c.api.CreateRolloutPolicyWithBodyWithResponse(c.Context(), &client.CreateRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Long = "The fields are those of POST /v1/ota/rollout-policies, which /docs of the server describes. Below minNetworks\n" +
		"networks a rollout neither advances nor rolls back; with 1, devices are judged, and forged reports may decide.\n" +
		"thresholds.events limits custom events: {\"name\": \"checkout_completed\", \"rate\": 30, \"direction\": \"below\"}."
	cmd.Example = policyExample
	return cmd
}

func editPolicyCommand(s *settings) *cobra.Command {
	cmd := s.on("edit POLICY FILE", "Change a policy by the fields of a JSON file; - is the standard input", policyOf,
		func(c call, id int64) error {
			body, err := readJSON(c, c.args[1])
			if err != nil {
				return err
			}
			return tell(c, policyLines).found(c.api.PatchRolloutPolicyWithBodyWithResponse(
				c.Context(), id, &client.PatchRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		})
	cmd.Long = "Not possible while a rollout uses the policy."
	cmd.Example = "  echo '{\"thresholds\": {\"crashRate\": 0.5}}' | waft policies edit careful -"
	return cmd
}
