package e2e

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// reportsError reports an event with these breadcrumbs, and returns it as the API lists it.
func (p *tenant) reportsError(device, eventType string, breadcrumbs any) (event object) {
	p.t.Helper()
	p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
		"projectSlug": p.known(), "deviceId": device, "platform": "ios", "runtimeVersion": "1.0.0", "channel": "production",
		"events": []object{{
			"type": eventType, "count": 1, "name": "n", "errorName": "TypeError", "message": "it broke",
			"stackTrace": "TypeError: it broke\n    at pay (cart.js:1:1)", "breadcrumbs": breadcrumbs,
		}},
	}}).requireStatus(http.StatusNoContent)
	p.eventually(func() bool {
		events := p.do(at("/v1/ota/observe/events?deviceId=%s", device)).list()
		if len(events) > 0 {
			event = events[0]
		}
		return len(events) > 0
	})
	return event
}

func TestBreadcrumbsOfAnErrorAreShown(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	first := func(characters int) string { return strings.Repeat("é", characters) }
	long := first(1000)
	var sent []any
	for n := range 60 {
		sent = append(sent, object{"message": fmt.Sprint("step ", n), "category": "ui.tap"})
	}
	sent = append(sent,
		object{
			"timestamp": "2026-11-29T23:50:44.1239+02:00", "category": "navigation", "message": "to <the> cart", "level": "warning",
			"data": object{"to": "/cart", "n": 2}, "more": 1,
		},
		object{"timestamp": "yesterday", "category": long, "message": long, "level": "fatal", "data": object{long: long}},
		object{"level": "error"}, "not a breadcrumb",
	)
	device := "d-" + uuid.NewString()
	event := p.reportsError(device, "crash", sent)
	crumbs, ok := event["breadcrumbs"].([]any)
	require.True(t, ok)
	require.Len(t, crumbs, 50)
	require.Equal(t, map[string]any{
		"timestamp": nil, "category": "ui.tap", "message": "step 12", "level": "info", "data": map[string]any{},
	}, crumbs[0])
	require.Equal(t, map[string]any{
		"timestamp": "2026-11-29T21:50:44.123Z", "category": "navigation", "message": "to <the> cart", "level": "warning",
		"data": map[string]any{"n": "2", "to": "/cart"},
	}, crumbs[48])
	require.Equal(t, map[string]any{
		"timestamp": nil, "category": first(64), "message": first(512), "level": "info", "data": map[string]any{first(128): first(256)},
	}, crumbs[49])

	// Every place with events has the same breadcrumbs.
	require.Equal(t, event["breadcrumbs"], p.do(at("/v1/ota/telemetry/events?deviceId=%s", device)).list()[0]["breadcrumbs"])
	require.Equal(t, event["breadcrumbs"], p.do(at("/v1/ota/observe/events/%s", event["id"])).record(http.StatusOK)["breadcrumbs"])
	p.eventually(func() bool {
		a := p.do(at("/v1/ota/observe/groups/%s", event["fingerprint"]))
		if a.status != http.StatusOK {
			return false
		}
		samples, _ := a.record(http.StatusOK)["samples"].([]any)
		if len(samples) == 0 {
			return false
		}
		require.Equal(t, event["breadcrumbs"], samples[0].(map[string]any)["breadcrumbs"])
		return true
	})
}

func TestBreadcrumbsChangeNeitherTheGroupNorTheReport(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	without := p.reportsError("d-"+uuid.NewString(), "js_error", nil)
	require.Equal(t, []any{}, without["breadcrumbs"])
	for n, breadcrumbs := range []any{[]object{{"message": "one"}}, []object{{"message": "another"}}, "not a list", object{}} {
		event := p.reportsError("d-"+uuid.NewString(), "js_error", breadcrumbs)
		require.Equal(t, without["fingerprint"], event["fingerprint"])
		require.Len(t, event["breadcrumbs"], []int{1, 1, 0, 0}[n], strconv.Itoa(n))
	}
	require.Equal(t, []any{}, p.reportsError("d-"+uuid.NewString(), "custom", []object{{"message": "one"}})["breadcrumbs"])
}
