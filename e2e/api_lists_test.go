package e2e

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// unchecked does not compare responses with the OpenAPI document, because that would take longer than the requests. It
// uses the default transport from before TestMain wraps it with the check.
var unchecked = &http.Client{Transport: http.DefaultTransport}

// listing is a walk over a list, page by page.
type listing struct {
	// query filters the list. {flag} stands for the ID of the newest flag.
	query string
	// rows selects the records that the list must contain: SQL after FROM, where $1 is the project.
	rows string
	// of is SQL that selects the ID for the path.
	of string
	// best is true for searches, whose pages continue with the parameter cursor. The best matches, by this SQL, come first.
	best string
	// oldestFirst is true for lists whose pages continue with the parameter after.
	oldestFirst bool
}

// lists are the walks over every list of the server that is stored in Postgres.
var lists = map[string][]listing{
	"/v1/ota/projects":    {{rows: "projects WHERE $1 > 0"}},
	"/v1/ota/api-keys":    {{rows: "api_keys WHERE project_id = $1 AND revoked_at IS NULL"}},
	"/v1/ota/members":     {{rows: "members WHERE project_id = $1"}},
	"/v1/ota/invitations": {{rows: "invitations WHERE project_id = $1"}},
	"/v1/ota/builds":      {{rows: "builds WHERE project_id = $1"}},
	"/v1/ota/updates": {
		{rows: "releases WHERE project_id = $1 AND deleted_at IS NULL"},
		{
			query: "branch=production&channel=production&isEnabled=true&platform=ios&runtimeVersion=1.0.0",
			rows:  "releases WHERE project_id = $1 AND deleted_at IS NULL AND channel = 'production'",
		},
		{
			query: "flagId={flag}",
			rows:  "releases WHERE project_id = $1 AND deleted_at IS NULL",
		},
		{
			query: "search=RELEASE+1",
			rows:  "releases WHERE project_id = $1 AND deleted_at IS NULL AND (release_message LIKE 'Release 1%' OR runtime_version LIKE '1.%')",
			best:  "(release_message LIKE 'Release 1%')::int",
		},
	},
	"/v1/ota/updates/{id}/history": {{
		rows:        "audit_log WHERE project_id = $1 AND action = 'update.seeded'",
		of:          "SELECT min(id) FROM releases WHERE project_id = $1",
		oldestFirst: true,
	}},
	"/v1/ota/branches": {{rows: "branches WHERE project_id = $1 AND deleted_at IS NULL"}},
	"/v1/ota/channels": {{rows: "channels WHERE project_id = $1"}},
	"/v1/ota/approvals": {
		{rows: "approvals WHERE project_id = $1"},
		{query: "status=rejected", rows: "approvals WHERE project_id = $1 AND status = 'rejected'"},
	},
	"/v1/ota/user-overrides": {{rows: "user_overrides WHERE project_id = $1"}},
	"/v1/ota/contexts": {
		{rows: "contexts WHERE project_id = $1"},
		{query: "kind=user&search=key-1", rows: "contexts WHERE project_id = $1 AND kind = 'user' AND targeting_key LIKE 'key-1%'", best: "(targeting_key = 'key-1')::int"},
	},
	"/v1/ota/webhooks": {{rows: "webhooks WHERE project_id = $1"}},
	"/v1/ota/webhooks/{id}/deliveries": {
		{
			rows: "webhook_deliveries WHERE webhook_id = (SELECT max(id) FROM webhooks WHERE project_id = $1)",
			of:   "SELECT max(id) FROM webhooks WHERE project_id = $1",
		},
		{
			query: "event=build.uploaded&status=delivered",
			rows:  "webhook_deliveries WHERE project_id = $1 AND status = 'delivered'",
			of:    "SELECT max(id) FROM webhooks WHERE project_id = $1",
		},
	},
	"/v1/ota/flags": {
		{rows: "flags WHERE project_id = $1"},
		{query: "search=FLAG+1", rows: "flags WHERE project_id = $1 AND key LIKE 'flag-1%'", best: "(id > 0)::int"},
	},
	"/v1/ota/flags/{id}/schedule": {
		{rows: "flag_schedules WHERE project_id = $1", of: "SELECT max(id) FROM flags WHERE project_id = $1"},
		{
			query: "status=cancelled",
			rows:  "flag_schedules WHERE project_id = $1 AND status = 'cancelled'",
			of:    "SELECT max(id) FROM flags WHERE project_id = $1",
		},
	},
	"/v1/ota/segments":         {{rows: "segments WHERE project_id = $1"}},
	"/v1/ota/rollout-policies": {{rows: "rollout_policies WHERE project_id = $1"}},
	"/v1/ota/rollout-executions": {
		{rows: "rollout_executions WHERE project_id = $1"},
		{query: "channel=production&status=completed", rows: "rollout_executions WHERE project_id = $1 AND channel = 'production'"},
	},
	"/v1/ota/telemetry/incidents": {
		{rows: "incidents WHERE project_id = $1"},
		{query: "status=resolved", rows: "incidents WHERE project_id = $1 AND resolution = 'recovered'"},
		{query: "status=closed", rows: "incidents WHERE project_id = $1 AND resolution = 'closed_by_person'"},
	},
	"/v1/ota/audit-log": {
		{rows: "audit_log WHERE project_id = $1"},
		{
			query: "action=update.patched&entity_id=3&entity_type=update",
			rows:  "audit_log WHERE project_id = $1 AND action = 'update.patched' AND entity_type = 'update' AND entity_id = '3'",
		},
		{
			query: "actor=rollout&from=2026-01-20T00:00:00Z&to=2026-02-20T00:00:00Z",
			rows: `audit_log WHERE project_id = $1 AND actor_id = 'rollout' AND created_at >= timestamptz '2026-01-20Z'
				AND created_at < timestamptz '2026-02-20Z'`,
		},
	},
}

// TestEveryListIsWalkedFromEndToEnd follows the links of every list over 2,500 records. Each record that the filters
// let through must appear once, newest first. The export of the audit log is tested on the same records. With
// WAFT_TEST_SCALE=5 there are 12,500 records.
func TestEveryListIsWalkedFromEndToEnd(t *testing.T) {
	t.Parallel()
	records := 2_500 * enginetest.Scale(t)
	env := settings(t)
	// When the server starts, it gives the projects their keys and reads them together. If the projects were created
	// while it runs, they could not be read, and every comparison with Postgres would try each of them again.
	storetest.SeedProjects(t, connectTo(t, env["DATABASE_URL"]), records)
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	p := server.tenant(t)
	p.seed(records)
	// The list of incidents that people have closed has several pages, too.
	_, err := connectTo(t, env["DATABASE_URL"]).Exec(t.Context(),
		"UPDATE incidents SET resolution = 'closed_by_person' WHERE resolution = 'recovered' AND id % 2 = 0")
	require.NoError(t, err)
	walked := map[string]bool{}
	for _, r := range allRoutes(t) {
		if r.method != http.MethodGet || !pages(r.operation) {
			continue
		}
		walks, ok := lists[r.path]
		require.True(t, ok, "the list %s is missing in this file", r.path)
		walked[r.path] = true
		for _, walk := range walks {
			t.Run(r.path+"?"+walk.query, func(t *testing.T) {
				t.Parallel()
				p := *p
				p.t = t
				p.walk(r, walk, records)
			})
		}
	}
	require.Len(t, walked, len(lists))
	t.Run("the audit log is exported", func(t *testing.T) {
		t.Parallel()
		p := *p
		p.t = t
		p.exportsTheAuditLog()
	})
}

// pages reports whether an operation is a list with pages by ID. Lists without are stored in ClickHouse.
func pages(op *openapi3.Operation) bool {
	takes := func(name string) bool { return op.Parameters.GetByInAndName("query", name) != nil }
	return takes("limit") && (takes("before") || takes("after"))
}

// seed creates the given number of records of every kind, and a long history for the tenant's oldest release.
func (p *tenant) seed(records int) {
	p.t.Helper()
	conn := p.postgres()
	storetest.Seed(p.t, conn, p.id, records)
	_, err := conn.Exec(p.t.Context(), `INSERT INTO audit_log (project_id, action, actor_type, actor_id, actor_name, entity_type,
			entity_id, details, request_id, created_at)
		SELECT $1::bigint, 'update.seeded', 'system', '', '', 'update', (SELECT min(id)::text FROM releases WHERE project_id = $1), '{}', '', now()
		FROM generate_series(1, $2::int)`, p.id, records)
	require.NoError(p.t, err)
}

func (p *tenant) postgres() *pgx.Conn {
	p.t.Helper()
	return connectTo(p.t, p.databaseURL)
}

func connectTo(t *testing.T, databaseURL string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), databaseURL)
	require.NoError(t, err)
	t.Cleanup(func() { conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

// walk follows a list's links to the end. Without a filter the list must have at least the given number of records.
func (p *tenant) walk(r route, walk listing, records int) {
	p.t.Helper()
	conn := p.postgres()
	var flag int64
	require.NoError(p.t, conn.QueryRow(p.t.Context(), "SELECT max(id) FROM flags WHERE project_id = $1", p.id).Scan(&flag))
	walk.query = strings.Replace(walk.query, "{flag}", strconv.FormatInt(flag, 10), 1)
	order, cursor := "id DESC", "before"
	switch {
	case walk.oldestFirst:
		order, cursor = "id ASC", "after"
	case walk.best != "":
		order, cursor = walk.best+" DESC, id DESC", "cursor"
	}
	rows, err := conn.Query(p.t.Context(), "SELECT id FROM "+walk.rows+" ORDER BY "+order, p.id)
	require.NoError(p.t, err)
	want, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	require.NoError(p.t, err)
	if walk.query == "" {
		require.GreaterOrEqual(p.t, len(want), records)
	}
	require.Greater(p.t, len(want), 200, "the list has only one page")

	list := request{method: r.method, path: r.path, key: p.keys[models.Role(r.access)]}
	if r.access == "root" || r.personal() {
		list.key, list.project = p.rootKey, "-"
	}
	if walk.of != "" {
		var id int64
		require.NoError(p.t, conn.QueryRow(p.t.Context(), walk.of, p.id).Scan(&id))
		list.path = strings.Replace(r.path, "{id}", strconv.FormatInt(id, 10), 1)
	}
	p.refuses(list, walk.query)

	filters, err := url.ParseQuery(walk.query)
	require.NoError(p.t, err)
	var got []int64
	for next := list.path + "?limit=200&" + walk.query; next != ""; {
		list.path = next
		answer := p.doBy(unchecked, list) // refuses has checked a page
		for _, record := range answer.list() {
			got = append(got, record.id("id"))
		}
		if next = nextPage(p.t, answer); next == "" {
			break
		}
		at, err := url.Parse(next)
		require.NoError(p.t, err)
		query := at.Query()
		if cursor != "cursor" {
			require.Equal(p.t, []string{strconv.FormatInt(got[len(got)-1], 10)}, query[cursor])
		}
		require.Equal(p.t, []string{"200"}, query["limit"])
		delete(query, cursor)
		delete(query, "limit")
		require.Equal(p.t, filters, query, "the link to the next page has lost filters")
		require.LessOrEqual(p.t, len(got), len(want), "the list does not end")
	}
	require.Equal(p.t, want, got)
}

// refuses checks the limits of a page's length, and the length without a parameter.
func (p *tenant) refuses(list request, query string) {
	p.t.Helper()
	path := list.path
	for _, bad := range []string{"limit=0", "limit=201", "limit=-1", "limit=abc", "before=0", "before=abc"} {
		list.path = path + "?" + query + "&" + bad
		name, _, _ := strings.Cut(bad, "=")
		require.Equal(p.t, []string{name}, fields(p.do(list).problem(http.StatusBadRequest, models.CodeInvalid)), bad)
	}
	list.path = path + "?" + query
	length := 100
	if strings.HasSuffix(path, "/audit-log") {
		length = 200
	}
	require.Len(p.t, p.do(list).list(), length)
}

// nextPage returns the path of the next page that a response links to, or "" on the last page.
func nextPage(t *testing.T, a answer) string {
	t.Helper()
	links := a.header.Values("Link")
	if len(links) == 0 {
		return ""
	}
	require.Len(t, links, 1)
	path, ok := strings.CutSuffix(links[0], `>; rel="next"`)
	require.True(t, ok, links[0])
	path, ok = strings.CutPrefix(path, "</")
	require.True(t, ok, links[0])
	return "/" + path
}
