package e2e

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
)

// TestAProjectThatCannotBeRead makes a project unreadable. Its devices are served as before, the devices of other
// projects are served new releases, and the log reports the project once.
func TestAProjectThatCannotBeRead(t *testing.T) {
	t.Parallel()
	env := settings(t)
	var log serverLog
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelInfo}))
	address, _ := startLogging(t, env, app.Role{API: true}, logger)
	server := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	broken, whole := server.tenant(t), server.tenant(t)
	broken.served()
	pause := func(p *tenant, paused bool) (served string) {
		a := p.do(request{method: http.MethodPatch, path: "/v1/ota/channels/production", body: object{"isPaused": paused}, hasty: true})
		a.record(http.StatusOK)
		return a.header.Get("Waft-Served")
	}
	offered := func() bool {
		a := broken.do(request{method: http.MethodGet, path: "/v1/ota/manifest/" + broken.slug + "?channel=production"}.with("Authorization", "").
			with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Accept", "application/expo+json"))
		return a.status == http.StatusOK
	}
	const set = "UPDATE projects SET sealed_hash_key = $2 WHERE id = $1"
	sealed := map[*tenant]string{}
	for _, p := range []*tenant{broken, whole} {
		var key string
		p.sqlValue("SELECT sealed_hash_key FROM projects WHERE id = $1", &key, p.id)
		sealed[p] = key
	}

	broken.sql(set, broken.id, sealed[whole])
	require.Equal(t, "pending", pause(broken, true))
	require.Equal(t, "pending", pause(broken, false))
	broken.eventually(func() bool { return broken.metric("waft_snapshot_projects_failing") == 1 })
	require.True(t, offered(), "devices are served as before")
	whole.eventually(func() bool { return pause(whole, true) == "" })

	broken.sql(set, broken.id, sealed[broken])
	broken.eventually(func() bool { return pause(broken, true) == "" })
	require.False(t, offered())
	// The release is served a moment before the metric changes.
	broken.eventually(func() bool { return broken.metric("waft_snapshot_projects_failing") == 0 })
	require.Equal(t, 1, strings.Count(log.String(), "level=WARN"), log.String())
	require.Contains(t, log.String(), "a project cannot be read")
	require.Contains(t, log.String(), "a project can be read again")
}

// TestAProjectThatCannotBeReadAtStart makes a project unreadable before the process starts. The process starts, serves
// the other projects, and returns 503 for this one. It serves the project once the project is repaired.
func TestAProjectThatCannotBeReadAtStart(t *testing.T) {
	t.Parallel()
	env := settings(t)
	address, stop := startRole(t, env, app.Role{API: true})
	server := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	broken, whole := server.tenant(t), server.tenant(t)
	broken.served()
	whole.served()
	_, rule := broken.rule()
	stop()
	var config string
	broken.sqlValue("SELECT rule_config::text FROM flag_rules WHERE id = $1", &config, rule)
	const set = "UPDATE flag_rules SET rule_config = $2 WHERE id = $1"
	broken.sql(set, rule, `{"userIds": 5}`)

	var log serverLog
	broken.url, _ = startLogging(t, env, app.Role{API: true}, slog.New(slog.NewTextHandler(&log, nil)))
	whole.url = broken.url
	whole.served()
	require.Contains(t, log.String(), "a project cannot be read; its devices are answered 503")
	require.InDelta(t, 1, broken.metric("waft_snapshot_projects_failing"), 0)
	manifest := func(project string) request {
		return request{method: http.MethodGet, path: "/v1/ota/manifest/" + project + "?channel=production"}.with("Authorization", "").
			with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Accept", "application/expo+json")
	}
	report := object{"projectSlug": broken.slug, "deviceId": "d", "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
		"events": []any{object{"type": "app_launch", "count": 1}}}
	for name, r := range map[string]request{
		"manifest": manifest(broken.slug),
		"report":   to(report, "/v1/ota/health-metrics").with("Authorization", ""),
		"flags":    at("/v1/ota/flag-definitions/%s", broken.slug).get().with("Authorization", ""),
		"OFREP":    to(object{"context": object{"targetingKey": "u"}}, "/ofrep/v1/evaluate/flags"),
		"resolve":  at("/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0").get(),
		"overview": at("/v1/ota/overview").get(),
	} {
		if r.method == "" {
			r.method = http.MethodPost
		}
		a := broken.do(r)
		require.Equal(t, http.StatusServiceUnavailable, a.status, "%s: %s", name, a.body)
		require.Contains(t, a.body, "cannot be read", name)
		require.NotEmpty(t, a.header.Get("Retry-After"), name)
	}
	broken.do(manifest("nobody")).problem(http.StatusNotFound, "not_found")
	require.NotEmpty(t, broken.list("/v1/ota/channels"), "undamaged parts of the project can be managed")

	broken.sql(set, rule, config)
	broken.do(request{method: http.MethodPatch, path: "/v1/ota/channels/production", body: object{"isPaused": false}}).record(http.StatusOK)
	broken.eventually(func() bool { return broken.do(manifest(broken.slug)).status == http.StatusOK })
	broken.eventually(func() bool { return strings.Contains(log.String(), "a project can be read again") })
}
