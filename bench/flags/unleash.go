package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	unleash "github.com/Unleash/unleash-go-sdk/v5"
	"github.com/Unleash/unleash-go-sdk/v5/api"
	"github.com/Unleash/unleash-go-sdk/v5/context"
)

// newUnleash returns a peer with toggles from a transport in the process, and without metrics. The user list is a constraint, which the
// SDK does not split at each evaluation as it does the strategy userWithId.
func newUnleash() (library, error) {
	everybody := func(constraints ...api.Constraint) api.Strategy {
		return api.Strategy{Name: "default", Constraints: constraints}
	}
	toggle := func(name string, enabled bool) api.Feature {
		return api.Feature{Name: name, Enabled: enabled, Strategies: []api.Strategy{
			everybody(api.Constraint{ContextName: "userId", Operator: api.OperatorIn, Values: listed}),
			everybody(
				api.Constraint{ContextName: "platform", Operator: api.OperatorIn, Values: []string{platform}},
				api.Constraint{ContextName: "runtimeVersion", Operator: api.OperatorSemverLt, Value: atLeast, Inverted: true},
				api.Constraint{ContextName: "plan", Operator: api.OperatorIn, Values: plans},
			),
			everybody(api.Constraint{ContextName: "country", Operator: api.OperatorIn, Values: countries}),
			{Name: "flexibleRollout", Parameters: map[string]any{
				"groupId": name, "rollout": strconv.Itoa(percentage), "stickiness": "userId",
			}},
		}}
	}
	toggles, err := json.Marshal(api.FeatureResponse{
		Response: api.Response{Version: 2}, Features: []api.Feature{toggle(flagOn, true), toggle(flagOff, false)},
	})
	if err != nil {
		return library{}, err
	}
	folder, err := os.MkdirTemp("", "waft-bench-")
	if err != nil {
		return library{}, err
	}
	client, err := unleash.NewClient(
		unleash.WithAppName("bench"), unleash.WithUrl("http://unleash.invalid/api/"), unleash.WithBackupPath(folder),
		unleash.WithDisableMetrics(true), unleash.WithRefreshInterval(time.Hour),
		unleash.WithHttpClient(&http.Client{Transport: answering(toggles)}),
	)
	if err != nil {
		return library{}, err
	}
	client.WaitForReady()
	if err := os.RemoveAll(folder); err != nil {
		return library{}, err
	}
	whole := func(p person, flag string) (func() bool, error) {
		return func() bool {
			return client.IsEnabled(flag, unleash.WithContext(context.Context{UserId: p.id, Properties: map[string]string{
				"platform": p.platform, "runtimeVersion": p.version, "plan": p.plan, "country": p.country,
			}}))
		}, nil
	}
	return library{named("Unleash", "github.com/Unleash/unleash-go-sdk/v5"), nil, whole}, nil
}

// answering is a transport that responds to every request with these bytes.
type answering []byte

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(a)), Request: r,
	}, nil
}
