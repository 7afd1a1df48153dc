package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
)

// Someone floods a project with invented names before other devices report: first from one network, with devices that
// were served, then from many networks. Afterwards an honest device that was served reports, before and after a
// restart. Its reports must be found by name.
func TestAFloodOfInventedNamesHidesNoHonestError(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_NETWORK"], env["WAFT_RATE_PER_DEVICE"] = "0", "0", "0"
	url, stop := startRole(t, env, app.Role{API: true})
	p := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	w := flooded{tenant: p, release: p.release()["updateUuid"].(string)}
	p.known()
	p.eventually(func() bool { return p.gets("", "production") == w.release })
	honest, late := uuid.NewString(), uuid.NewString()
	w.ask(honest, "192.0.2.10", "production").record(http.StatusOK)
	w.ask(late, "192.0.2.11", "production").record(http.StatusOK)

	flood := func() {
		insider := uuid.NewString()
		w.ask(insider, "203.0.113.1", "production").record(http.StatusOK)
		for n := range 60 {
			w.flood(insider, fmt.Sprint("203.0.113.", n))
		}
		for n := range 100 {
			w.flood(uuid.NewString(), fmt.Sprintf("198.51.%d.7", n))
		}
	}
	flood()
	w.requireFound(honest, "192.0.2.10", "first")
	stop()
	p.url, _ = startRole(t, env, app.Role{API: true})
	flood()
	w.requireFound(late, "192.0.2.11", "second")
}

// flooded is a project that gets invented names.
type flooded struct {
	*tenant
	release string
}

// ask sends a manifest request without a key.
func (w flooded) ask(device, address, channel string) answer {
	return w.do(at("/v1/ota/manifest/%s?channel=%s", w.slug, channel).with("Authorization", "").
		with("Expo-Platform", "ios").with("Expo-Runtime-Version", "1.0.0").with("Eas-Client-Id", device).
		with("Accept", "application/expo+json").with("X-Forwarded-For", address).get())
}

func (w flooded) report(device, address, channel string, events ...object) {
	w.t.Helper()
	a := w.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
		"projectSlug": w.slug, "deviceId": device, "platform": "ios", "runtimeVersion": "1.0.0", "updateUuid": w.release,
		"channel": channel, "events": events,
	}}.with("X-Forwarded-For", address).with("Authorization", ""))
	require.Equal(w.t, http.StatusNoContent, a.status, a.body)
}

// flood sends as much as one request can: new names in every dimension, and a manifest request that is refused.
func (w flooded) flood(device, address string) {
	w.t.Helper()
	var events []object
	for range 120 {
		events = append(events, object{
			"type": "js_error", "count": 1, "name": uuid.NewString(), "errorName": uuid.NewString(), "tags": object{uuid.NewString(): "x"},
			"flagStates": object{uuid.NewString(): uuid.NewString()},
		})
	}
	w.report(device, address, uuid.NewString(), events...)
	w.ask(device, address, uuid.NewString()).problem(http.StatusNotFound, "not_found")
}

// requireFound reports an error, an event and a refused request of a device. Every name has the suffix. Each must be
// shown under its name.
func (w flooded) requireFound(device, address, suffix string) {
	w.t.Helper()
	name := func(what string) string { return what + "-" + suffix }
	w.report(device, address, name("beta"),
		object{
			"type": "js_error", "count": 1, "message": name("undefined is not a function"), "errorName": name("TypeError"),
			"tags": object{name("screen"): "cart"}, "flagStates": object{name("checkout"): "on"},
		},
		object{"type": "custom", "count": 1, "name": name("order_placed")},
	)
	w.ask(device, address, name("prodution")).problem(http.StatusNotFound, "not_found")

	for _, list := range []string{"/v1/ota/telemetry/events", "/v1/ota/observe/events"} {
		search := func(text string) []object { return w.list(list + "?search=" + url.QueryEscape(text)) }
		w.eventually(func() bool { return len(search(name("undefined is not a function"))) == 1 })
		found := search(name("undefined is not a function"))[0]
		require.Equal(w.t, name("TypeError"), found["errorName"], list)
		require.Equal(w.t, name("beta"), found["channel"], list)
		require.Equal(w.t, map[string]any{name("screen"): "cart"}, found["tags"], list)
		require.Equal(w.t, map[string]any{name("checkout"): "on"}, found["flagStates"], list)
		require.Len(w.t, search(name("order_placed")), 1, list)
	}
	errors := func() int {
		return sum(w.read("/v1/ota/telemetry/timeseries?period=1h&channel="+name("beta")), "errors")
	}
	w.eventually(func() bool { return errors() > 0 }) // views write errors and the following data after the events
	require.Equal(w.t, 1, errors())
	var impacts []object
	w.eventually(func() bool {
		impacts = w.list("/v1/ota/telemetry/flag-impacts?flagKey=" + name("checkout"))
		return len(impacts) > 0
	})
	require.Len(w.t, impacts, 1)
	require.Equal(w.t, "on", impacts[0]["variation"])
	w.eventually(func() bool {
		for _, r := range w.list("/v1/ota/telemetry/refused") {
			if r["channel"] == name("prodution") {
				return true
			}
		}
		return false
	})
}
