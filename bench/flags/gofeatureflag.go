package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	ffclient "github.com/thomaspoignant/go-feature-flag"
	"github.com/thomaspoignant/go-feature-flag/modules/core/ffcontext"
	"github.com/thomaspoignant/go-feature-flag/modules/core/flag"
)

// newGoFeatureFlag returns a peer with flags from memory, and without an exporter.
func newGoFeatureFlag() (library, error) {
	type object = map[string]any
	in := func(attribute string, values []string) string {
		return fmt.Sprintf(`%s in ["%s"]`, attribute, strings.Join(values, `","`))
	}
	made := func(disabled bool) object {
		return object{
			"variations": object{"on": true, "off": false}, "disable": disabled,
			"targeting": []object{
				{"query": in("key", listed), "variation": "on"},
				{
					"query":     fmt.Sprintf(`platform eq "%s" and runtimeVersion ge %s and %s`, platform, atLeast, in("plan", plans)),
					"variation": "on",
				},
				{"query": in("country", countries), "variation": "on"},
			},
			"defaultRule": object{"percentage": object{"on": percentage, "off": 100 - percentage}},
		}
	}
	rules, err := json.Marshal(object{flagOn: made(false), flagOff: made(true)})
	if err != nil {
		return library{}, err
	}
	client, err := ffclient.New(ffclient.Config{PollingInterval: time.Hour, FileFormat: "json", Retriever: retrieved(rules)})
	if err != nil {
		return library{}, err
	}
	flags, err := client.GetFlagsFromCache()
	if err != nil {
		return library{}, err
	}
	contextOf := func(p person) ffcontext.Context {
		return ffcontext.NewEvaluationContextBuilder(p.id).AddCustom("platform", p.platform).AddCustom("runtimeVersion", p.version).
			AddCustom("plan", p.plan).AddCustom("country", p.country).Build()
	}
	inner := func(p person, key string) (func() bool, error) {
		c, f := contextOf(p), flags[key]
		return func() bool {
			value, _ := f.Value(key, c, flag.Context{DefaultSdkValue: false})
			on, _ := value.(bool)
			return on
		}, nil
	}
	whole := func(p person, key string) (func() bool, error) {
		return func() bool {
			on, err := client.BoolVariation(key, contextOf(p), false)
			return on && err == nil
		}, nil
	}
	return library{named("GO Feature Flag", "github.com/thomaspoignant/go-feature-flag"), inner, whole}, nil
}

// retrieved are the bytes of a file of flags.
type retrieved []byte

func (r retrieved) Retrieve(context.Context) ([]byte, error) { return r, nil }
