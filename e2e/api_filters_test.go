package e2e

import (
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// incident inserts an incident, as the watcher does when it opens one, and returns its ID.
func (p *tenant) incident() (id int64) {
	p.t.Helper()
	p.sqlValue(`INSERT INTO incidents (project_id, update_uuid, channel, platform, runtime_version, devices, errored_devices, crashed_devices,
			peak_errored_devices, baseline_devices, baseline_errored_devices, opened_at, checked_at)
		VALUES ($1, '', $2, 'ios', '1.0.0', 10, 9, 0, 9, 100, 1, now(), now()) RETURNING id`, &id, p.id, p.name())
	return id
}

// sqlValue runs a statement that returns one value.
func (p *tenant) sqlValue(statement string, into any, args ...any) {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.databaseURL)
	require.NoError(p.t, err)
	defer conn.Close(p.t.Context())
	require.NoError(p.t, conn.QueryRow(p.t.Context(), statement, args...).Scan(into))
}

func TestAnIncidentIsAcknowledged(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_INCIDENT_INTERVAL"] = "1h" // only the test changes incidents
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	id := p.incident()
	patch := func(body object) object {
		c := to(body, "/v1/ota/telemetry/incidents/%d", id)
		c.method = http.MethodPatch
		return p.do(c).record(200)
	}
	seen := patch(object{"acknowledged": true, "note": "on it"})
	require.Equal(t, [2]any{p.marker, "on it"}, [2]any{seen["acknowledgedBy"], seen["note"]})
	require.NotNil(t, seen["acknowledgedAt"])
	require.Equal(t, seen, patch(object{"acknowledged": true}), "acknowledging it again changes nothing")
	require.Equal(t, seen, p.list("/v1/ota/telemetry/incidents")[0])
	require.Len(t, p.list("/v1/ota/audit-log?action=incident.updated"), 1)
	undone := patch(object{"acknowledged": false, "note": nil})
	require.Equal(t, [3]any{nil, nil, ""}, [3]any{undone["acknowledgedBy"], undone["acknowledgedAt"], undone["note"]})
	require.Equal(t, "open", undone["status"])
}

// TestFlagsByState filters flags by their state. The result must agree with the health of each flag.
func TestFlagsByState(t *testing.T) {
	t.Parallel()
	s := newSpiking(t)
	flags := map[string]object{}
	for _, name := range []string{"crashing", "failing", "fine", "unused", "new"} {
		body := s.flagBody()
		body["key"] = name + "-flag"
		flags[name] = s.create("/v1/ota/flags", body)
	}
	var aged int64
	s.sqlValue(`WITH aged AS (UPDATE flags SET created_at = now() - interval '31 days' WHERE project_id = $1 AND key <> 'new-flag' RETURNING id)
		SELECT count(*) FROM aged`, &aged, s.id)
	states := func(value any) object {
		return object{"crashing-flag": value, "failing-flag": value, "fine-flag": value}
	}
	s.report(count(0, 30), "", "default", "app_launch", nil)
	s.report(count(0, 30), "", "default", "custom", states(true))
	s.report(count(100, 30), "", "default", "custom", states(false))
	s.report(count(0, 20), "", "default", "crash", object{"crashing-flag": true})
	s.report(count(0, 15), "", "default", "js_error", object{"failing-flag": true})
	keys := func(query string) (found []string) {
		for _, f := range s.list("/v1/ota/flags?" + query) {
			found = append(found, f["key"].(string))
		}
		return found
	}
	s.eventually(func() bool {
		return len(keys("state=incident")) == 1 && len(keys("state=degraded")) == 1 && len(keys("state=stale")) == 1
	})
	require.Equal(t, []string{"crashing-flag"}, keys("state=incident"))
	require.Equal(t, []string{"failing-flag"}, keys("state=degraded"))
	require.Equal(t, []string{"unused-flag"}, keys("state=stale"))
	require.Equal(t, []string{"unused-flag"}, keys("state=stale&search=UNU"))
	require.Empty(t, keys("state=incident&search=fine"))
	for name, want := range map[string]string{"crashing": "incident", "failing": "degraded", "fine": "healthy", "unused": "healthy"} {
		require.Equal(t, want, s.read(path("/v1/ota/flags/%d/health", flags[name].id("id")))["status"], name)
	}
	require.ElementsMatch(t, []string{"new-flag"}, keys("search=new"))
	require.Len(t, keys("search=flag"), 5)
}
