package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	ffclient "github.com/thomaspoignant/go-feature-flag"
	"github.com/thomaspoignant/go-feature-flag/ffcontext"
)

// newGoFeatureFlag has its flags from memory, and no exporter.
func newGoFeatureFlag() (peer, error) {
	type object = map[string]any
	in := func(attribute string, values []string) string {
		return fmt.Sprintf(`%s in ["%s"]`, attribute, strings.Join(values, `","`))
	}
	flag := func(disabled bool) object {
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
	rules, err := json.Marshal(object{flagOn: flag(false), flagOff: flag(true)})
	if err != nil {
		return peer{}, err
	}
	client, err := ffclient.New(ffclient.Config{PollingInterval: time.Hour, FileFormat: "json", Retriever: retrieved(rules)})
	if err != nil {
		return peer{}, err
	}
	prepare := func(p person, flag string) (func() bool, error) {
		c := ffcontext.NewEvaluationContextBuilder(p.id).AddCustom("platform", p.platform).AddCustom("runtimeVersion", p.version).
			AddCustom("plan", p.plan).AddCustom("country", p.country).Build()
		return func() bool {
			on, err := client.BoolVariation(flag, c, false)
			return on && err == nil
		}, nil
	}
	return peer{named("GO Feature Flag", "github.com/thomaspoignant/go-feature-flag"), prepare}, nil
}

// retrieved are the bytes of a file of flags.
type retrieved []byte

func (r retrieved) Retrieve(context.Context) ([]byte, error) { return r, nil }
