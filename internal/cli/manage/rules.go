package manage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/rollout"
)

const ruleExamples = `  waft flags rules add checkout --user ada@example.com --user ben@example.com --value true
  waft flags rules add checkout --segment beta-testers --value true --channel production
  waft flags rules add checkout --share true=10 --share false=90
  waft flags rules add checkout --condition 'plan in ["beta", "staff"]' --share true=50 --share false=50`

// rulesCommand returns the command that lists, adds, changes, orders and deletes the rules of a flag.
func rulesCommand(s *command.Settings) *cobra.Command {
	return s.Group("rules", "List, add, change, order and delete the rules of a flag",
		s.Calling("list FLAG", "List the rules of a flag in the order of evaluation", func(c command.Call) error {
			flag, err := command.FindFlag(c, c.Args[0])
			if err != nil {
				return err
			}
			lines := func(f client.Flag) []string {
				if len(f.Rules) == 0 {
					return []string{"no rules: every context gets the default value"}
				}
				return rollout.RuleLines(f)
			}
			return command.Tell(c, lines).Found(c.API.GetFlagWithResponse(c.Context(), flag.ID, &client.GetFlagParams{}))
		}),
		addRuleCommand(s), editRuleCommand(s), orderRulesCommand(s),
		s.Calling("delete FLAG RULE", "Delete a rule of a flag, by the rule's ID", func(c command.Call) error {
			flag, rule, err := flagAndRule(c)
			if err != nil {
				return err
			}
			if err := c.Confirm(fmt.Sprintf("Delete the rule %d of the flag %s?", rule, c.Args[0])); err != nil {
				return err
			}
			_, err = c.API.DeleteFlagRuleWithResponse(c.Context(), flag, rule, &client.DeleteFlagRuleParams{})
			return command.Done(c, err, "rule %d of flag %s deleted", rule, c.Args[0])
		}),
	)
}

func flagAndRule(c command.Call) (flag, rule int64, err error) {
	if flag, err = command.FlagOf(c, c.Args[0]); err != nil {
		return 0, 0, err
	}
	rule, err = command.ByID("rule", "waft flags rules list "+c.Args[0])(c, c.Args[1])
	return flag, rule, err
}

func tellRule(c command.Call) command.Teller[client.FlagRule] {
	return command.Tell(c, func(r client.FlagRule) []string { return []string{"flag " + c.Args[0] + ":", rollout.RuleLine(r)} })
}

func addRuleCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("add FLAG", "Add a rule to a flag, after its other rules", func(c command.Call) error {
		body, err := ruleBody(c)
		if err != nil {
			return err
		}
		if !body.Has("ruleType") {
			return command.Usagef("the rule is missing: use --user, --segment, --condition, --branch, --update or --share, or --file")
		}
		id, err := command.FlagOf(c, c.Args[0])
		if err != nil {
			return err
		}
		reader, err := body.Reader()
		if err != nil {
			return err
		}
		return tellRule(c).Made(c.API.CreateFlagRuleWithBodyWithResponse(c.Context(), id, &client.CreateFlagRuleParams{}, jsonType, reader))
	})
	cmd.Long = "The rule matches the users, the segment, the conditions or the running update that its flags name, or every context with\n" +
		"only --share. It gives --value, or splits the contexts by --share. Conditions are as in `waft segments create --help`."
	cmd.Example = ruleExamples
	ruleFlags(cmd, "POST /v1/ota/flags/{id}/rules")
	return cmd
}

func editRuleCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("edit FLAG RULE", "Change a rule of a flag, by the rule's ID", func(c command.Call) error {
		body, err := ruleBody(c)
		if err != nil {
			return err
		}
		reader, err := body.Changes(c)
		if err != nil {
			return err
		}
		flag, rule, err := flagAndRule(c)
		if err != nil {
			return err
		}
		return tellRule(c).
			Found(c.API.PatchFlagRuleWithBodyWithResponse(c.Context(), flag, rule, &client.PatchFlagRuleParams{}, jsonType, reader))
	})
	cmd.Long = "The matches and the shares of the rule are replaced together. `waft flags rules list FLAG` shows the rule as it is."
	cmd.Example = "  waft flags rules edit checkout 6 --share true=50 --share false=50"
	ruleFlags(cmd, "PATCH /v1/ota/flags/{id}/rules/{ruleId}")
	return cmd
}

func ruleFlags(cmd *cobra.Command, operation string) {
	f := cmd.Flags()
	f.StringArray("user", nil, "targeting key that the rule matches; can be repeated")
	f.String("segment", "", "key of the segment that the rule matches")
	f.StringArray("condition", nil, "condition that must hold, as 'ATTRIBUTE OPERATOR VALUE'; can be repeated, and then all must hold")
	f.String("branch", "", "branch of the running update that the rule matches")
	f.String("update", "", "update ID of the running update that the rule matches")
	f.String("value", "", "value that the rule gives, as a string")
	f.StringArray("share", nil, "share of a split as VALUE=PERCENTAGE; can be repeated; instead of --value")
	f.String("bucket-by", "", "attribute that assigns contexts to shares; default: the targeting key")
	f.String("channel", "", "only channel that the rule is for; '' for all channels")
	command.FileFlag(cmd, operation)
}

// ruleBody returns the body of a rule. The type of the rule follows from the flags.
func ruleBody(c command.Call) (command.Body, error) {
	body, err := command.BodyOf(c, "channel=channelName?", "value=variantValue")
	if err != nil {
		return body, err
	}
	kind, config, err := ruleConfig(c)
	if err != nil || len(config) == 0 {
		return body, err
	}
	body.Set("ruleType", kind)
	body.Set("ruleConfig", config)
	if _, split := config["rollout"]; split && !body.Has("variantValue") && c.Name() == "edit" {
		body.Set("variantValue", nil)
	}
	return body, nil
}

// ruleConfig returns the type of a rule and what it matches.
func ruleConfig(c command.Call) (kind string, config map[string]any, err error) {
	config = map[string]any{}
	kinds := map[string]string{
		"user": "user_list", "segment": "segment", "condition": "attribute", "branch": "ota_update", "update": "ota_update",
	}
	var used []string
	for _, flag := range []string{"user", "segment", "condition", "branch", "update"} {
		if !c.Flags().Changed(flag) {
			continue
		}
		if kind != "" && kind != kinds[flag] {
			return "", nil, command.Usagef("use only one of %s: a rule matches one kind of thing", command.Choice(append(used, "--"+flag)))
		}
		kind = kinds[flag]
		used = append(used, "--"+flag)
	}
	users, _ := c.Flags().GetStringArray("user") // the flags have these types
	conditions, _ := c.Flags().GetStringArray("condition")
	shares, _ := c.Flags().GetStringArray("share")
	for flag, field := range map[string]string{"segment": "segmentKey", "branch": "branch", "update": "updateUuid", "bucket-by": "bucketBy"} {
		if c.Flags().Changed(flag) {
			config[field] = c.Flag(flag).Value.String()
		}
	}
	if len(users) > 0 {
		config["userIds"] = users
	}
	if len(conditions) > 0 {
		parsed, err := parseConditions(conditions)
		if err != nil {
			return "", nil, err
		}
		list := make([]map[string]any, len(parsed))
		for i, p := range parsed {
			list[i] = map[string]any{"attribute": p.Attribute, "operator": p.Operator, "values": p.ValuesJSON}
		}
		config["conditions"] = list
	}
	if len(shares) > 0 {
		if config["rollout"], err = parseShares(shares); err != nil {
			return "", nil, err
		}
		if kind == "" {
			kind = "percentage_rollout"
		}
	}
	return kind, config, nil
}

// parseShares reads the values of --share.
func parseShares(texts []string) ([]map[string]any, error) {
	list := make([]map[string]any, len(texts))
	for i, text := range texts {
		at := strings.LastIndex(text, "=")
		if at < 0 {
			return nil, command.Usagef("--share must be VALUE=PERCENTAGE such as true=10, not %q", text)
		}
		weight, err := strconv.ParseFloat(strings.TrimSuffix(text[at+1:], "%"), 64)
		if err != nil {
			return nil, command.Usagef("--share must be VALUE=PERCENTAGE such as true=10, not %q", text)
		}
		list[i] = map[string]any{"variantValue": text[:at], "weight": weight}
	}
	return list, nil
}

func orderRulesCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("order FLAG RULES", "Change the order in which the rules of a flag are evaluated", func(c command.Call) error {
		flag, err := command.FindFlag(c, c.Args[0])
		if err != nil {
			return err
		}
		var ids []int64
		for _, text := range strings.Split(c.Args[1], ",") {
			id := command.Number(strings.TrimSpace(text))
			if id == 0 {
				return command.Usagef("RULES must be IDs of rules separated by commas, such as 7,6, not %q", c.Args[1])
			}
			ids = append(ids, id)
		}
		for _, r := range flag.Rules { // rules that the argument leaves out keep their order behind the others
			if !slices.Contains(ids, r.ID) {
				ids = append(ids, r.ID)
			}
		}
		return command.Tell(c, rollout.FlagLines).Found(c.API.OrderFlagRulesWithResponse(
			c.Context(), flag.ID, &client.OrderFlagRulesParams{}, client.OrderRulesBody{RuleIds: ids}))
	})
	cmd.Long = "RULES are IDs separated by commas. Rules that it leaves out keep their order behind the others. The first rule that\n" +
		"matches decides."
	cmd.Example = "  waft flags rules order checkout 7,6"
	return cmd
}

func cutOnce(text, separator string) (before, after string, found bool) {
	before, after, found = strings.Cut(text, separator)
	return before, after, found && before != ""
}
