package main

import (
	"time"

	"github.com/launchdarkly/go-sdk-common/v3/ldcontext"
	"github.com/launchdarkly/go-sdk-common/v3/ldlog"
	"github.com/launchdarkly/go-sdk-common/v3/ldvalue"
	evaluation "github.com/launchdarkly/go-server-sdk-evaluation/v3"
	"github.com/launchdarkly/go-server-sdk-evaluation/v3/ldbuilders"
	"github.com/launchdarkly/go-server-sdk-evaluation/v3/ldmodel"
	ld "github.com/launchdarkly/go-server-sdk/v7"
	"github.com/launchdarkly/go-server-sdk/v7/ldcomponents"
	"github.com/launchdarkly/go-server-sdk/v7/testhelpers/ldtestdata"
)

// newLaunchDarkly returns a peer with flags from the SDK's test data source, and without events.
func newLaunchDarkly() (library, error) {
	texts := func(list ...string) (values []ldvalue.Value) {
		for _, text := range list {
			values = append(values, ldvalue.String(text))
		}
		return values
	}
	const off, on = 0, 1
	flag := func(key string, enabled bool) ldmodel.FeatureFlag {
		return ldbuilders.NewFlagBuilder(key).On(enabled).OffVariation(off).
			Variations(ldvalue.Bool(false), ldvalue.Bool(true)).
			AddTarget(on, listed...).
			AddRule(ldbuilders.NewRuleBuilder().ID("attributes").Variation(on).Clauses(
				ldbuilders.Clause("platform", ldmodel.OperatorIn, texts(platform)...),
				ldbuilders.Negate(ldbuilders.Clause("runtimeVersion", ldmodel.OperatorSemVerLessThan, texts(atLeast)...)),
				ldbuilders.Clause("plan", ldmodel.OperatorIn, texts(plans...)...),
			)).
			AddRule(ldbuilders.NewRuleBuilder().ID("country").Variation(on).Clauses(
				ldbuilders.Clause("country", ldmodel.OperatorIn, texts(countries...)...),
			)).
			Fallthrough(ldbuilders.Rollout(ldbuilders.Bucket(on, percentage*1000), ldbuilders.Bucket(off, 100_000-percentage*1000))).
			Salt("salt").Build()
	}
	data := ldtestdata.DataSource()
	flags := map[string]ldmodel.FeatureFlag{flagOn: flag(flagOn, true), flagOff: flag(flagOff, false)}
	for _, each := range flags {
		data.UsePreconfiguredFlag(each)
	}
	client, err := ld.MakeCustomClient("key", ld.Config{
		DataSource: data, Events: ldcomponents.NoEvents(), DiagnosticOptOut: true,
		Logging: ldcomponents.Logging().MinLevel(ldlog.Error),
	}, time.Second)
	if err != nil {
		return library{}, err
	}
	contextOf := func(p person) ldcontext.Context {
		return ldcontext.NewBuilder(p.id).SetString("platform", p.platform).SetString("runtimeVersion", p.version).
			SetString("plan", p.plan).SetString("country", p.country).Build()
	}
	evaluator := evaluation.NewEvaluator(nil) // for flags that refer to neither segments nor other flags
	inner := func(p person, flag string) (func() bool, error) {
		c, f := contextOf(p), flags[flag]
		return func() bool { return evaluator.Evaluate(&f, c, nil).Detail.Value.BoolValue() }, c.Err()
	}
	whole := func(p person, flag string) (func() bool, error) {
		return func() bool {
			on, err := client.BoolVariation(flag, contextOf(p), false)
			return on && err == nil
		}, nil
	}
	return library{named("LaunchDarkly", "github.com/launchdarkly/go-server-sdk/v7"), inner, whole}, nil
}
