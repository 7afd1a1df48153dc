package main

import (
	"context"
	"encoding/json"

	"github.com/growthbook/growthbook-golang"
)

// newGrowthBook returns a peer with features from JSON, and a client per person, as GrowthBook's documentation requires. GrowthBook
// serves a feature that is off without rules.
func newGrowthBook() (library, error) {
	type object = map[string]any
	features, err := json.Marshal(object{
		flagOn: object{"defaultValue": false, "rules": []object{
			{"condition": object{"id": object{"$in": listed}}, "force": true},
			{"condition": object{
				"platform": platform, "runtimeVersion": object{"$vgte": atLeast}, "plan": object{"$in": plans},
			}, "force": true},
			{"condition": object{"country": object{"$in": countries}}, "force": true},
			{"coverage": float64(percentage) / 100, "hashAttribute": "id", "force": true},
		}},
		flagOff: object{"defaultValue": false},
	})
	if err != nil {
		return library{}, err
	}
	ctx := context.Background()
	client, err := growthbook.NewClient(ctx, growthbook.WithJsonFeatures(string(features)))
	if err != nil {
		return library{}, err
	}
	whole := func(p person, flag string) (func() bool, error) {
		return func() bool {
			one, err := client.WithAttributes(growthbook.Attributes{
				"id": p.id, "platform": p.platform, "runtimeVersion": p.version, "plan": p.plan, "country": p.country,
			})
			return err == nil && one.EvalFeature(ctx, flag).On
		}, nil
	}
	return library{named("GrowthBook", "github.com/growthbook/growthbook-golang"), nil, whole}, nil
}
