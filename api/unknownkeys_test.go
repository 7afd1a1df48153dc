package api

import (
	"bytes"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// A refusal names its limit, to the client and to the operator. Otherwise throttled devices would be a mystery.
func TestARefusalNamesItsLimit(t *testing.T) {
	t.Parallel()
	report := request{method: post, path: "/v1/ota/health-metrics", anonymous: true, body: `{"projectSlug":"demo","deviceId":"c",
		"platform":"ios","runtimeVersion":"1.0.0","events":[{"type":"app_launch","count":1}]}`}
	definitions := request{method: get, path: "/v1/ota/flag-definitions/demo", anonymous: true}
	builds := request{method: get, path: "/v1/ota/builds"}
	for name, c := range map[string]struct {
		rates          limit.Rates
		call           request
		whose, setting string
	}{
		"address":            {limit.Rates{PerAddress: 0.1}, definitions, "address", "WAFT_RATE_PER_ADDRESS"},
		"network":            {limit.Rates{PerNetwork: 0.1}, definitions, "network", "WAFT_RATE_PER_NETWORK"},
		"device":             {limit.Rates{PerDevice: 0.1}, report, "device", "WAFT_RATE_PER_DEVICE"},
		"management_address": {limit.Rates{PerAddress: 0.1}, builds, "address", "WAFT_RATE_PER_ADDRESS"},
		"management_network": {limit.Rates{PerNetwork: 0.1}, builds, "network", "WAFT_RATE_PER_NETWORK"},
		"new_devices":        {limit.Rates{NewDevicesPerMinute: 0.1, NewDevicesBurst: 1}, report, "network", "WAFT_NEW_DEVICES_PER_MINUTE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			w := newTestAPI(t, func(d *parts) { d.Rates, d.Log = c.rates, slog.New(slog.NewTextHandler(&log, nil)) })
			require.Less(t, w.do(c.call).Code, 300)
			if name == "new_devices" {
				c.call.body = strings.Replace(c.call.body.(string), `"c"`, `"d"`, 1)
			}
			log.Reset()
			for range 3 {
				p := w.problem(w.do(c.call), 429, models.CodeRateLimited)
				require.Contains(t, p.Detail, "this "+c.whose)
				require.Contains(t, p.Detail, c.setting)
			}
			require.Contains(t, w.metrics(), `waft_rate_limited_total{limit="`+name+`"} 3`)
			require.Equal(t, 1, strings.Count(log.String(), "limit="+name), "once a minute: %s", &log)
			require.Contains(t, log.String(), "from=192.0.2.")
		})
	}
}

// countedKeys returns an API that counts the queries for a key.
func countedKeys(t *testing.T, change func(*parts)) (w *testAPI, asked *atomic.Int64) {
	t.Helper()
	asked = new(atomic.Int64)
	w = newTestAPI(t, change)
	w.store.findKey = func(prefix string) (models.APIKey, error) {
		asked.Add(1)
		if k, ok := w.store.keys[prefix]; ok {
			return k, nil
		}
		return models.APIKey{}, models.Errorf(models.CodeNotFound, "no such key")
	}
	return w, asked
}

func TestAKeyThatIsKnownToBeWrongIsNotLookedUpAgain(t *testing.T) {
	t.Parallel()
	at := now
	w, asked := countedKeys(t, func(d *parts) { d.Now = func() time.Time { return at } })
	wrong, revoked := models.NewAPIKeyToken().Reveal(), w.addKey(models.APIKey{ID: 301, ProjectID: 1, Role: models.RoleAdmin, RevokedAt: &now})
	for _, key := range []string{wrong, revoked} {
		before := asked.Load()
		for range 5 {
			w.problem(w.do(request{method: get, path: "/v1/ota/builds", key: key}), 401, models.CodeUnauthenticated)
			w.problem(w.do(request{method: get, path: "/healthz", key: key}), 401, models.CodeUnauthenticated)
		}
		require.Equal(t, int64(1), asked.Load()-before)
		at = at.Add(time.Minute)
		w.problem(w.do(request{method: get, path: "/v1/ota/builds", key: key}), 401, models.CodeUnauthenticated)
		require.Equal(t, int64(2), asked.Load()-before, "it is forgotten after a while")
	}

	// A key works immediately, and stops working immediately.
	before := asked.Load()
	key := w.addKey(models.APIKey{ID: 302, ProjectID: 1, Role: models.RoleAdmin})
	for range 3 {
		require.Equal(t, 200, w.do(request{method: get, path: "/v1/ota/builds", key: key}).Code)
	}
	require.Equal(t, int64(3), asked.Load()-before, "a valid key is looked up each time")
	token, _ := models.ParseAPIKeyToken(key)
	k := w.store.keys[token.Prefix]
	k.RevokedAt = &at
	w.store.keys[token.Prefix] = k
	w.problem(w.do(request{method: get, path: "/v1/ota/builds", key: key}), 401, models.CodeUnauthenticated)
}

// A program on this machine is exempt from the limits of an address. A proxy on the machine is not, unless the
// settings name it.
func TestALocalProxyIsLimited(t *testing.T) {
	t.Parallel()
	w, asked := countedKeys(t, func(d *parts) { d.Rates = limit.Rates{UnknownKeys: 0.1} }) // a burst of one
	ask := func(header map[string]string) int {
		return w.do(request{method: get, path: "/v1/ota/builds", key: models.NewAPIKeyToken().Reveal(), local: true, header: header}).Code
	}
	for range 5 {
		require.Equal(t, 401, ask(nil))
	}
	forwarded := map[string]string{"X-Forwarded-For": "203.0.113.66"}
	require.Equal(t, 401, ask(forwarded))
	require.Equal(t, 429, ask(forwarded))
	require.Equal(t, int64(6), asked.Load())
}

// Each key of a flood is a new one, so remembering keys does not help.
func TestAFloodOfUnknownKeysEndsAtTheLimitOfItsSender(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{
		"management": "/v1/ota/builds", "a public endpoint": "/v1/ota/assets/" + releasedMD5 + "?project=demo",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, asked := countedKeys(t, func(d *parts) {
				d.Rates, d.TrustedProxies = limit.Rates{UnknownKeys: 0.3},
					[]string{"192.0.2.1"}
			}) // a burst of three
			ask := func(from, key string) int {
				answer := w.do(request{method: get, path: path, key: key, header: map[string]string{"X-Forwarded-For": from}})
				if answer.Code == 429 {
					require.Contains(t, w.problem(answer, 429, models.CodeRateLimited).Detail, "WAFT_RATE_UNKNOWN_KEYS")
				}
				return answer.Code
			}
			valid := w.keys[models.RoleAdmin]
			require.NotEqual(t, 429, ask("198.51.100.1", valid))
			for n := range 20 {
				want := 401
				if n >= 2 {
					want = 429
				}
				require.Equal(t, want, ask("198.51.100.1", models.NewAPIKeyToken().Reveal()))
			}
			require.Equal(t, int64(3), asked.Load(), "Postgres has no part in it")
			require.NotContains(t, []int{401, 429}, ask("198.51.100.1", valid), "a key that was valid recently is not limited")
			require.Equal(t, 401, ask("198.51.100.2", models.NewAPIKeyToken().Reveal()))
			require.Equal(t, 429, ask("198.51.100.1", w.otherKey), "it was not sent recently")
			require.NotContains(t, []int{401, 429}, ask("203.0.113.1", w.otherKey), "it works from elsewhere")

			// A sender with a whole network may send four times as many.
			before := asked.Load()
			for n := range 100 {
				ask("198.18.0."+string(rune('0'+n%10)), models.NewAPIKeyToken().Reveal())
			}
			require.LessOrEqual(t, asked.Load()-before, int64(12))
		})
	}
}

// Above the limit of its address, a request is refused before its key is looked up.
func TestTheRateLimitComesBeforeTheKey(t *testing.T) {
	t.Parallel()
	at := now
	shared, asked := countedKeys(t, func(d *parts) { d.Rates, d.Now = limit.Rates{PerAddress: 0.1}, func() time.Time { return at } })
	for _, r := range table(t) {
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w, call := shared.in(t), callOn(r)
			at = at.Add(time.Hour) // the limits have forgotten the route before
			asked.Store(0)
			call.key = models.NewAPIKeyToken().Reveal()
			require.Equal(t, 401, w.do(call).Code)
			require.Equal(t, int64(1), asked.Load())
			call.key = models.NewAPIKeyToken().Reveal()
			answer := w.do(call)
			limited := strings.HasPrefix(r.Path, "/v1/") || strings.HasPrefix(r.Path, "/ofrep/")
			if r.Access == rest.Public && !limited || strings.Contains(r.Path, "/assets/") {
				require.Equal(t, 401, answer.Code) // limited by the limit of unknown keys
				return
			}
			require.Equal(t, 429, answer.Code)
			require.Equal(t, int64(1), asked.Load())
		})
	}
}

const unknownToken = "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// Each guess of a setup link or an invitation costs a query, so guesses are limited like API keys.
func TestGuessedTokensAreBounded(t *testing.T) {
	t.Parallel()
	for path, body := range map[string]any{
		"/v1/auth/setup":              map[string]string{"token": unknownToken, "email": jo.Email, "name": "Jo Doe", "password": jo.Password},
		"/v1/auth/invitations/accept": map[string]string{"token": unknownToken, "name": "Sam Roe", "password": jo.Password},
	} {
		w := newTestAPI(t, func(d *parts) { d.Rates.UnknownKeys = 1 })
		guess := request{method: post, path: path, body: body, anonymous: true, header: map[string]string{"Content-Type": "application/json"}}
		for range 10 {
			if answer := w.do(guess); answer.Code == 429 {
				t.Fatal(path, answer.Body.String())
			}
		}
		w.problem(w.do(guess), 429, models.CodeRateLimited)
	}
}
