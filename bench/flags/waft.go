package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/waft-ota/waft/api/flagcontext"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// newWaft evaluates as the server does, in the compiled flags of a project. Its users call the server. So the whole call is the
// server's work for an OFREP request without HTTP, from the bytes of the request to the bytes of the response.
func newWaft() (library, error) {
	rules := []models.FlagRule{
		{RuleType: models.RuleUserList, Config: models.RuleConfig{UserIDs: listed}},
		{RuleType: models.RuleAttribute, Config: models.RuleConfig{Conditions: []models.Condition{
			{Attribute: "platform", Operator: models.OpEq, Values: []string{platform}},
			{Attribute: "runtimeVersion", Operator: models.OpSemverGte, Values: []string{atLeast}},
			{Attribute: "plan", Operator: models.OpIn, Values: plans},
		}}},
		{RuleType: models.RuleAttribute, Config: models.RuleConfig{Conditions: []models.Condition{
			{Attribute: "country", Operator: models.OpIn, Values: countries},
		}}},
		{RuleType: models.RulePercentageRollout, Config: models.RuleConfig{
			Rollout: []models.RolloutShare{{VariantValue: "true", Weight: float64(percentage)}},
		}},
	}
	for i := range rules {
		rules[i].ID, rules[i].Priority = int64(i), i
		if rules[i].RuleType != models.RulePercentageRollout {
			rules[i].VariantValue = new(strconv.FormatBool(true))
		}
	}
	set, err := flags.NewSet(models.ProjectSnapshot{Flags: []models.Flag{
		{ID: 1, Key: flagOn, FlagType: models.FlagBoolean, DefaultValue: "false", Enabled: true, Rules: rules},
		{ID: 2, Key: flagOff, FlagType: models.FlagBoolean, DefaultValue: "false", Rules: rules},
	}}, nil)
	if err != nil {
		return library{}, err
	}
	inner := func(p person, flag string) (func() bool, error) {
		c := &flags.Context{
			TargetingKey: p.id, Platform: p.platform, RuntimeVersion: p.version,
			Attributes: map[string]any{"plan": p.plan, "country": p.country},
		}
		return func() bool {
			f, ok := set.Flag(flag)
			return ok && string(f.Evaluate(c).Value) == "true"
		}, nil
	}
	whole := func(p person, flag string) (func() bool, error) {
		body, err := json.Marshal(map[string]any{"context": map[string]any{
			"targetingKey": p.id, "platform": p.platform, "runtimeVersion": p.version, "plan": p.plan, "country": p.country,
		}})
		return func() bool {
			answer, err := answerOFREP(set, flag, body)
			return err == nil && bytes.Contains(answer, []byte(`"value":true`))
		}, err
	}
	return library{"Waft", inner, whole}, nil
}

// answerOFREP reads the context in the body of an OFREP request and returns the body of the response.
func answerOFREP(set *flags.Set, flag string, body []byte) ([]byte, error) {
	request, err := flagcontext.BodyObject(body)
	if err != nil {
		return nil, err
	}
	fields, _ := request["context"].(map[string]any)
	r := flagcontext.ContextReader{Prefix: "context.", Fields: fields}
	c := r.Flat()
	r.Attributes(r.Prefix, c.Attributes, len(body))
	if err := r.Problems.Err(); err != nil {
		return nil, err
	}
	f, ok := set.Flag(flag)
	if !ok {
		return nil, errors.New("there is no such flag")
	}
	return append([]byte(`{"key":"`+f.Key()+`",`), f.Evaluate(&c).JSON[1:]...), nil
}
