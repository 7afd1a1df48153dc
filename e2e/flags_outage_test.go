package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// While Postgres is unavailable, a recently used key can evaluate flags, but cannot do anything else.
func TestOFREPWorksWithoutPostgres(t *testing.T) {
	t.Parallel()
	env := settings(t)
	direct := env["DATABASE_URL"]
	line, through := newLine(t, direct)
	env["DATABASE_URL"] = through
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: direct, still: true}.tenant(t)
	p.known()
	p.settle(p.create("/v1/ota/flags", object{"key": "dark", "flagType": "boolean", "defaultValue": true}).id("id"))
	used, unused := p.key(models.RoleClient), p.key(models.RoleClient)
	want := object{"key": "dark", "value": true, "variant": "On", "reason": "DEFAULT"}
	require.Equal(t, want, p.ofrep(used, "dark", nil).record(http.StatusOK))

	line.cut()
	require.Equal(t, want, p.ofrep(used, "dark", nil).record(http.StatusOK))
	require.Len(t, p.ofrep(used, "", object{"targetingKey": "ada"}).record(http.StatusOK)["flags"], 1)
	require.Equal(t, map[string]any{"value": true, "variant": "On", "reason": "DEFAULT"}, p.bulk(object{"deviceId": "d1"})["dark"])
	for name, key := range map[string]string{"unused": unused, "unknown": models.NewAPIKeyToken().Reveal()} {
		answer := p.ofrep(key, "dark", nil)
		require.Equal(t, "GENERAL", answer.record(http.StatusServiceUnavailable)["errorCode"], name)
		require.NotEmpty(t, answer.header.Get("Retry-After"), name)
	}
	stranger := used[:len("waft_00000000_")] + strings.Repeat("0", 64)
	require.Equal(t, http.StatusUnauthorized, p.ofrep(stranger, "dark", nil).status, "the key's prefix with another secret")
	p.do(request{method: http.MethodGet, path: "/v1/ota/flags", key: used}).problem(http.StatusServiceUnavailable, models.CodeUnavailable)

	line.mend(t)
	eventually(t, func() bool { return p.ofrep(unused, "dark", nil).status == http.StatusOK })
}

// A key that is revoked in one process stops working in all processes, because they are notified. The clock of these
// processes does not advance, so a key never gets old enough to be looked up again.
func TestARevokedKeyEndsEverywhere(t *testing.T) {
	t.Parallel()
	env := settings(t)
	now := time.Now()
	still := app.WithClock(func() time.Time { return now })
	here := installation{url: serveAPI(t, env, still), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	env["WAFT_DATA_DIR"] = t.TempDir()
	there := *here
	there.url = serveAPI(t, env, still)
	there.known()
	here.create("/v1/ota/flags", object{"key": "dark", "flagType": "boolean", "defaultValue": true})
	made := here.create("/v1/ota/api-keys", object{"name": "soon gone", "role": "viewer"})
	key := made["key"].(string)
	for _, p := range []*tenant{here, &there} {
		eventually(t, func() bool { return p.ofrep(key, "dark", nil).status == http.StatusOK })
	}
	revoke := request{method: http.MethodDelete, path: path("/v1/ota/api-keys/%d", made.id("id"))}
	require.Equal(t, http.StatusNoContent, here.do(revoke).status)
	// OFREP is tried first, because a refused management request would also make OFREP refuse the key.
	for _, p := range []*tenant{here, &there} {
		eventually(t, func() bool { return p.ofrep(key, "dark", nil).status == http.StatusUnauthorized })
		p.do(request{method: http.MethodGet, path: "/v1/ota/flags", key: key}).problem(http.StatusUnauthorized, models.CodeUnauthenticated)
	}
}
