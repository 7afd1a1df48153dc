package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

const overBudget = "waft_flag_evaluations_over_budget_total"

// A segment whose conditions take more steps than an evaluation may has no estimate, which a metric counts. One that takes fewer has.
func TestACostlySegmentHasNoEstimate(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	device, channel := uuid.NewString(), strings.Repeat("x", 100)
	p.tells(device, channel, nil, "app_launch")
	estimate := func(patterns ...string) any {
		return p.do(request{method: http.MethodPost, path: "/v1/ota/segments/estimate", key: p.keys[models.RoleViewer], body: object{
			"matchType": "all", "conditions": []object{{"attribute": "channel", "operator": "matches", "valuesJson": patterns}},
		}}).record(http.StatusOK)["estimatedDevices"]
	}
	eventually(t, func() bool { return estimate("^x+$") == 1.0 })
	require.Zero(t, p.metric(overBudget))
	costly := make([]string, 5) // of 130,000 steps each, and an evaluation has 500,000
	for i := range costly {
		costly[i] = fmt.Sprintf("^(?:x?){430}x{430}y{%d}$", i)
	}
	eventually(t, func() bool {
		require.Nil(t, estimate(costly...))
		return p.metric(overBudget) > 0
	})
	require.Equal(t, 1.0, estimate("^x+$"))
}

// TestCostlyWorkStopsWithItsClient: clients that leave while their evaluations wait for their turn have none made.
func TestCostlyWorkStopsWithItsClient(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	var last int64
	for i := range 12 {
		last = p.create("/v1/ota/flags", object{"key": fmt.Sprintf("costly-%d", i), "flagType": "boolean", "defaultValue": false}).id("id")
		p.create(path("/v1/ota/flags/%d/rules", last), matching("^(?:x?){400}x{400}$"))
	}
	p.settle(last)
	text := strings.Repeat("x", 800)
	p.bulk(object{"deviceId": "d0", "attributes": object{"text": text}})
	each := p.metric(overBudget) // of one request
	require.Positive(t, each)

	const clients = 200 // whose evaluations take longer together than any of them waits
	first := make(chan struct{}, clients)
	leaving, leave := context.WithCancel(t.Context())
	defer leave()
	var answered atomic.Int64
	var all sync.WaitGroup
	body := jsonOf(t, object{"projectSlug": p.slug, "deviceId": "d1", "attributes": object{"text": text}})
	for range clients {
		all.Go(func() {
			r, err := http.NewRequestWithContext(leaving, http.MethodPost, p.url+"/v1/ota/flag-evaluations-bulk", strings.NewReader(body))
			if err != nil {
				return
			}
			r.Header.Set("Content-Type", "application/json")
			if a, err := received((&http.Transport{}).RoundTrip(r)); err == nil && a.status == http.StatusOK {
				answered.Add(1)
				first <- struct{}{}
			}
		})
	}
	<-first // the others wait for their turns
	leave()
	all.Wait()
	p.bulk(object{"deviceId": "d2", "attributes": object{"text": text}})
	made := p.metric(overBudget)/each - 2 // without the first request and the last
	require.Less(t, answered.Load(), int64(clients))
	require.InDelta(t, float64(answered.Load()), made, 1, "one may have been under way")
}
