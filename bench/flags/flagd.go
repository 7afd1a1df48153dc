package main

import (
	"context"
	"encoding/json"

	"github.com/open-feature/flagd/core/pkg/evaluator"
	"github.com/open-feature/flagd/core/pkg/logger"
	"github.com/open-feature/flagd/core/pkg/store"
	"github.com/open-feature/flagd/core/pkg/sync"
	"go.uber.org/zap"
)

// newFlagd evaluates with the core that flagd and its provider in the process share. The whole is without the provider.
func newFlagd() (library, error) {
	type object = map[string]any
	type list = []any
	attribute := func(name string) object { return object{"var": name} }
	in := func(name string, values []string) object { return object{"in": list{attribute(name), values}} }
	flag := func(state string) object {
		return object{
			"state": state, "variants": object{"on": true, "off": false}, "defaultVariant": "off",
			"targeting": object{"if": list{
				in("targetingKey", listed), "on",
				object{"and": list{
					object{"==": list{attribute("platform"), platform}},
					object{"sem_ver": list{attribute("runtimeVersion"), ">=", atLeast}},
					in("plan", plans),
				}}, "on",
				in("country", countries), "on",
				object{"fractional": list{list{"on", percentage}, list{"off", 100 - percentage}}},
			}},
		}
	}
	flags, err := json.Marshal(object{"flags": object{flagOn: flag("ENABLED"), flagOff: flag("DISABLED")}})
	if err != nil {
		return library{}, err
	}
	const source = "bench"
	log := logger.NewLogger(zap.NewNop(), false)
	state, err := store.NewStore(log, []string{source})
	if err != nil {
		return library{}, err
	}
	client := evaluator.NewJSON(log, state)
	if err := client.SetState(sync.DataSync{FlagData: string(flags), Source: source}); err != nil {
		return library{}, err
	}
	ctx := context.Background()
	contextOf := func(p person) map[string]any {
		return map[string]any{
			"targetingKey": p.id, "platform": p.platform, "runtimeVersion": p.version, "plan": p.plan, "country": p.country,
		}
	}
	resolve := func(flag string, c map[string]any) bool {
		on, _, _, _, err := client.ResolveBooleanValue(ctx, "", flag, c)
		return on && err == nil
	}
	inner := func(p person, flag string) (func() bool, error) {
		c := contextOf(p)
		return func() bool { return resolve(flag, c) }, nil
	}
	whole := func(p person, flag string) (func() bool, error) {
		return func() bool { return resolve(flag, contextOf(p)) }, nil
	}
	return library{named("flagd", "github.com/open-feature/flagd/core"), inner, whole}, nil
}
