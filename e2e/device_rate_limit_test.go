package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// unbounded lists the public endpoints without a rate limit for requests that do not name a device and update. A device
// must be able to download every file in its manifest.
var unbounded = []string{"GET /v1/ota/assets/{md5}", "HEAD /v1/ota/assets/{md5}"}

// TestPublicEndpointsHaveRateLimits calls every public endpoint twice from one address, and twice as one device. The
// limit allows one call per thousand seconds.
func TestPublicEndpointsHaveRateLimits(t *testing.T) {
	t.Parallel()
	env := maps.Clone(settings(t))
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"] = "0.001", "0.001"
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	for i, r := range allRoutes(t) {
		if r.access != "public" || !strings.HasPrefix(r.path, "/v1/ota/") {
			continue
		}
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			call := r.call(p).with("Authorization", "").with("X-Project", "")
			passes := func(c request) {
				answer := p.do(c)
				require.Equal(t, r.status, answer.status, answer.body)
			}
			here, there := fmt.Sprint("203.0.113.", i), fmt.Sprint("198.51.100.", i)
			passes(call.with("X-Forwarded-For", here))
			if slices.Contains(unbounded, r.String()) {
				passes(call.with("X-Forwarded-For", here))
				return
			}
			require.NotNil(t, r.operation.Responses.Status(http.StatusTooManyRequests), "the OpenAPI document does not mention 429")
			p.requireTooMany(call.with("X-Forwarded-For", here))
			passes(call.with("X-Forwarded-For", there))

			// A machine's own addresses are not limited, but the devices behind them are.
			passes(call.with("Expo-Device-Id", "one"+p.marker))
			p.requireTooMany(call.with("Expo-Device-Id", "One"+p.marker))
			if !r.json() && !strings.Contains(call.path, "deviceId=") { // a body and a query can name a device too
				passes(call.with("Expo-Device-Id", "two"+p.marker))
			}
		})
	}
}

// requireTooMany checks that a call is refused and that Retry-After gives the time to wait.
func (p *tenant) requireTooMany(call request) {
	p.t.Helper()
	answer := p.do(call)
	answer.problem(http.StatusTooManyRequests, models.CodeRateLimited)
	wait, err := strconv.Atoi(answer.header.Get("Retry-After"))
	require.NoError(p.t, err)
	require.InDelta(p.t, 1000, wait, 100)
}
