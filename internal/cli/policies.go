package cli

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

func policiesCommand(s *settings) *cobra.Command {
	return s.group("policies", "List, make and change rollout policies",
		listPoliciesCommand(s), showPolicyCommand(s), createPolicyCommand(s), editPolicyCommand(s), deletePolicyCommand(s),
	)
}

func listPoliciesCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the rollout policies", Args: args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			return tell(cmd, s, table("no rollout policies; `waft policies create --help` shows one",
				[]string{"ID", "NAME", "CHANNEL", "STAGES", "LIMITS", "ROLLOUTS UNDER WAY"}, policyRow)).
				found(api.ListRolloutPoliciesWithResponse(cmd.Context(), &client.ListRolloutPoliciesParams{Limit: new(listLimit)}))
		}),
	}
}

func policyRow(p client.RolloutPolicy) []string {
	return []string{
		strconv.FormatInt(p.ID, 10), p.Name, orDash(p.Channel), stagesText(p.Stages), limitsText(p.Thresholds), idList(p.RunningExecutions),
	}
}

// stagesText is the stages' shares in a row.
func stagesText(stages []client.Stage) string {
	shares := make([]string, len(stages))
	for i, stage := range stages {
		shares[i] = fmt.Sprintf("%v", stage.Percentage)
	}
	return strings.Join(shares, ", ") + " %"
}

// limitsText says which rates are too much, and what happens then.
func limitsText(t client.Thresholds) string {
	var limits []string
	if t.CrashRate != nil {
		limits = append(limits, fmt.Sprintf("crashes %v %%", *t.CrashRate))
	}
	if t.ErrorRate != nil {
		limits = append(limits, fmt.Sprintf("errors %v %%", *t.ErrorRate))
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

func policyLines(p client.RolloutPolicy) []string {
	lines := []string{fmt.Sprintf("policy %d %q: limits %s", p.ID, p.Name, limitsText(p.Thresholds))}
	for i, stage := range p.Stages {
		line := fmt.Sprintf("  stage %d: %v %% of devices", i+1, stage.Percentage)
		if stage.MinDurationMinutes != nil && *stage.MinDurationMinutes > 0 {
			line += fmt.Sprintf(", at least %v min", *stage.MinDurationMinutes)
		}
		if stage.MinDevices != nil && *stage.MinDevices > 0 {
			line += fmt.Sprintf(", at least %d devices", *stage.MinDevices)
		}
		if stage.Thresholds != nil {
			line += ", limits " + limitsText(*stage.Thresholds)
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

func showPolicyCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "show POLICY", Short: "Show a rollout policy, by its id or name", Args: args("POLICY"),
		RunE: s.on(policyOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			return tell(cmd, s, policyLines).
				found(api.GetRolloutPolicyWithResponse(cmd.Context(), id, &client.GetRolloutPolicyParams{}))
		}),
	}
}

const policyExample = `  waft policies create - <<'END'
  {
    "name": "careful",
    "stages": [
      {"percentage": 5,   "minDevices": 100, "minDurationMinutes": 60},
      {"percentage": 25,  "minDevices": 500, "minDurationMinutes": 60},
      {"percentage": 100}
    ],
    "thresholds": {"crashRate": 1.0, "action": "auto-rollback"}
  }
  END`

func createPolicyCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "create FILE", Short: "Create a rollout policy from a JSON file; - is the standard input",
		Long:    "The fields are those of POST /v1/ota/rollout-policies, which /docs of the server describes.",
		Example: policyExample,
		Args:    args("FILE"),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, args []string) error {
			body, err := readJSON(cmd, args[0])
			if err != nil {
				return err
			}
			return tell(cmd, s, policyLines).
				made(api.CreateRolloutPolicyWithBodyWithResponse(cmd.Context(), &client.CreateRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		}),
	}
}

func editPolicyCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "edit POLICY FILE", Short: "Change a policy by the fields of a JSON file; - is the standard input",
		Long:    "Refused while a rollout by it is under way: a rollout keeps the policy that it began with.",
		Example: "  echo '{\"thresholds\": {\"crashRate\": 0.5}}' | waft policies edit careful -",
		Args:    args("POLICY", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			body, err := readJSON(cmd, args[1])
			if err != nil {
				return err
			}
			id, api, err := policyOf(cmd.Context(), s, args[0])
			if err != nil {
				return err
			}
			return tell(cmd, s, policyLines).
				found(api.PatchRolloutPolicyWithBodyWithResponse(cmd.Context(), id, &client.PatchRolloutPolicyParams{}, "application/json", bytes.NewReader(body)))
		},
	}
}

func deletePolicyCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "delete POLICY", Short: "Delete a rollout policy", Args: args("POLICY"),
		RunE: s.on(policyOf, func(cmd *cobra.Command, api *client.Waft, id int64, args []string) error {
			_, err := api.DeleteRolloutPolicyWithResponse(cmd.Context(), id, &client.DeleteRolloutPolicyParams{})
			return done(cmd, s, err, "policy %s is deleted", args[0])
		}),
	}
}

// policyOf finds the policy with that id or name.
func policyOf(ctx context.Context, s *settings, idOrName string) (int64, *client.Waft, error) {
	api, err := s.client()
	if err != nil {
		return 0, nil, err
	}
	id, err := policyID(ctx, api, idOrName)
	return id, api, err
}

// policyID is the id of the policy with that id or name.
func policyID(ctx context.Context, api *client.Waft, idOrName string) (int64, error) {
	policy, err := api.FindPolicy(ctx, idOrName)
	if err != nil {
		return 0, err
	}
	if policy == nil {
		return 0, fmt.Errorf("there is no rollout policy %q in this project; `waft policies list` shows them", idOrName)
	}
	return policy.ID, nil
}
