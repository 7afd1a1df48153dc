package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// If clients leave while their evaluations wait for their turn, the evaluations are not made.
func TestCostlyWorkStopsWithItsClient(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	var last int64
	for i := range 12 { // each flag takes 410,000 steps; a request has budget for nine, so three exceed it
		last = p.create("/v1/ota/flags", object{"key": fmt.Sprintf("costly-%d", i), "flagType": "boolean", "defaultValue": false}).id("id")
		p.create(path("/v1/ota/flags/%d/rules", last), matching("^x.{198}.{198}$"))
	}
	p.settle(last)
	text := strings.Repeat("x", 1024)
	p.bulk(object{"deviceId": "d0", "attributes": object{"text": text}})
	each := p.metric(overBudget) // the increase per request
	require.Positive(t, each)

	const clients = 200 // together their evaluations take longer than any client waits
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
	<-first // the other clients wait for their turns
	leave()
	all.Wait()
	made := func() float64 { return p.metric(overBudget)/each - 1 } // not counting the first request
	atLeaving := made()
	require.GreaterOrEqual(t, atLeaving, float64(answered.Load()))
	require.Less(t, atLeaving, float64(clients), "clients still waited for their turns when they left")
	p.bulk(object{"deviceId": "d2", "attributes": object{"text": text}})
	require.InDelta(t, atLeaving, made()-1, 10, "a few may have been in progress")
}
