package api

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// table returns the route table itself.
func table(t *testing.T) []rest.Route {
	t.Helper()
	m := documentedRoutes(t)
	require.NotEmpty(t, m.Rows)
	return m.Rows
}

// documented finds a route's operation in the document.
func documented(document *huma.OpenAPI, r rest.Route) *huma.Operation {
	item := document.Paths[r.Path]
	return map[string]*huma.Operation{
		get: item.Get, head: item.Head, post: item.Post, put: item.Put, patch: item.Patch, remove: item.Delete,
	}[r.Method]
}

// callOn returns a call of a route that passes the gate if its credentials allow that. Streams and uploads then fail
// because of their input.
func callOn(r rest.Route) request {
	path := strings.NewReplacer("{id}", "17", "{name}", "next", "{slug}", "demo", "{projectSlug}", "demo",
		"{ruleId}", "34", "{variationId}", "32", "{channelName}", "production",
		"{provider}", "okta", "{md5}", releasedMD5, "{key}", "new-checkout").Replace(r.Path)
	if strings.HasSuffix(r.Path, "/stream") {
		path = strings.Replace(path, "17", "none", 1)
	}
	header := map[string]string{}
	if r.NeedsIfMatch {
		header["If-Match"] = "*"
	}
	return request{method: r.Method, path: path, header: header}
}

func TestEveryRouteIsGuardedAsItsRowSays(t *testing.T) {
	t.Parallel()
	roles := []models.Role{models.RoleViewer, models.RoleEditor, models.RoleAdmin}
	shared := newTestAPI(t)
	for _, r := range table(t) {
		if !r.Access.Managed() || r.Access == rest.Person {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			refusals := func(change func(*request)) *request {
				c := callOn(r)
				change(&c)
				return &c
			}

			noKey := w.problem(w.do(*refusals(func(c *request) { c.header["Authorization"] = "" })), 401, models.CodeUnauthenticated)
			unknown := w.problem(w.do(*refusals(func(c *request) { c.key = models.NewAPIKeyToken().Reveal() })), 401, models.CodeUnauthenticated)
			require.Equal(t, noKey.Detail, unknown.Detail)

			if r.Access == rest.Anyone {
				w.problem(w.do(*refusals(func(c *request) {
					c.key = w.addKey(models.APIKey{ID: 300, ProjectID: demo.ID, Role: models.RoleClient})
				})), 403, models.CodeForbidden)
				require.Equal(t, 200, w.do(*refusals(func(c *request) { c.header["X-Project"] = "" })).Code)
				return
			}
			if r.Access == rest.Root {
				w.problem(w.do(*refusals(func(c *request) { c.key = w.keys[models.RoleAdmin] })), 403, models.CodeForbidden)
				answer := w.do(*refusals(func(c *request) { c.key, c.header["X-Project"] = w.rootKey, "" }))
				require.NotContains(t, []int{401, 403}, answer.Code, answer.Body.String())
				return
			}
			missing := w.problem(w.do(*refusals(func(c *request) { c.header["X-Project"] = "" })), 400, models.CodeInvalid)
			require.Equal(t, []string{"X-Project"}, fieldsOf(missing))
			w.problem(w.do(*refusals(func(c *request) { c.key = w.otherKey })), 403, models.CodeForbidden)
			w.problem(w.do(*refusals(func(c *request) { c.header["X-Project"] = "nowhere" })), 403, models.CodeForbidden)
			w.problem(w.do(*refusals(func(c *request) { c.key, c.header["X-Project"] = w.rootKey, "nowhere" })), 404, models.CodeNotFound)
			for _, role := range roles {
				answer := w.do(*refusals(func(c *request) { c.key = w.keys[role] }))
				if role.Allows(models.Role(r.Access)) {
					require.NotContains(t, []int{401, 403}, answer.Code, "%s: %s", role, answer.Body.String())
				} else {
					w.problem(answer, 403, models.CodeForbidden)
				}
			}
			asRoot := w.do(*refusals(func(c *request) { c.key = w.rootKey }))
			require.NotContains(t, []int{401, 403}, asRoot.Code, asRoot.Body.String())
		})
	}
}

// allowed returns a call of a route with credentials that may make it.
func (w *testAPI) allowed(r rest.Route) request {
	c := callOn(r)
	switch r.Access {
	case rest.Public:
		c.anonymous = true
	case rest.Person:
		c.session = w.owner
		c.header["Content-Type"] = "application/json"
	default:
		c.key = w.rootKey
	}
	return c
}

func TestARouteThatTakesNoBodyRefusesOne(t *testing.T) {
	t.Parallel()
	m := documentedRoutes(t)
	shared := newTestAPI(t)
	for _, r := range m.Rows {
		if documented(m.API.OpenAPI(), r).RequestBody != nil {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			call := w.allowed(r)
			with := func(body any) *httptest.ResponseRecorder {
				call.body = body
				return w.do(call)
			}
			unannounced := io.MultiReader(strings.NewReader(`{"immediately":true}`)) // a body of unknown length
			for _, body := range []any{`{"immediately":true}`, `[]`, `null`, `text`, strings.Repeat(" ", 1<<20) + `{}`, unannounced} {
				require.Contains(t, w.problem(with(body), 400, models.CodeInvalid).Detail, "does not accept a body", body)
			}
			for _, body := range []any{nil, ``, `{}`, " {\n} "} {
				require.NotContains(t, with(body).Body.String(), "does not accept a body", body)
			}
		})
	}
}

func TestPublicRoutesTakeNoKeyAndCheckOneThatIsSent(t *testing.T) {
	t.Parallel()
	for _, r := range table(t) {
		if r.Access != rest.Public {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			c := callOn(r)
			c.anonymous = true
			require.NotContains(t, []int{401, 403}, w.do(c).Code)

			c.header["Authorization"] = "Bearer " + models.NewAPIKeyToken().Reveal()
			require.Equal(t, 401, w.do(c).Code)

			c.header["Authorization"] = "Bearer " + w.keys[models.RoleViewer]
			require.NotContains(t, []int{401, 403}, w.do(c).Code)
		})
	}
}

func TestAnUnreachableKeyStoreStopsNoDevice(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.findKey = func(string) (models.APIKey, error) {
		return models.APIKey{}, models.Unavailable("Postgres", errors.New("connection refused"))
	}
	manifest := request{method: get, path: "/v1/ota/manifest/demo?channel=production", header: map[string]string{
		"expo-runtime-version": "1.0.0", "expo-platform": "ios",
	}}
	require.Equal(t, 200, w.do(manifest).Code)
	answer := w.do(request{method: get, path: "/v1/ota/builds"})
	w.problem(answer, 503, models.CodeUnavailable)
	require.NotEmpty(t, answer.Header().Get("Retry-After"))
	require.NotContains(t, answer.Body.String(), "connection refused")
}

func TestKeysThatAreRefusedAllGetOneText(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	past := now.Add(-time.Second)
	good := w.keys[models.RoleAdmin]
	cases := map[string]string{
		"no scheme":         good,
		"another scheme":    "Basic " + good,
		"empty":             "Bearer ",
		"malformed":         "Bearer waft_short_secret",
		"foreign form":      "Bearer sk_live_abcdef",
		"unknown prefix":    "Bearer " + models.NewAPIKeyToken().Reveal(),
		"wrong secret":      "Bearer " + good[:len(good)-1] + flipped(good[len(good)-1]),
		"revoked":           "Bearer " + w.addKey(models.APIKey{ID: 301, ProjectID: 1, Role: models.RoleAdmin, RevokedAt: &past}),
		"expired":           "Bearer " + w.addKey(models.APIKey{ID: 302, ProjectID: 1, Role: models.RoleAdmin, ExpiresAt: &past}),
		"root with a typo":  "Bearer " + w.rootKey[:len(w.rootKey)-1] + flipped(w.rootKey[len(w.rootKey)-1]),
		"expires right now": "Bearer " + w.addKey(models.APIKey{ID: 303, ProjectID: 1, Role: models.RoleAdmin, ExpiresAt: &now}),
	}
	for name, header := range cases {
		t.Run(name, func(t *testing.T) {
			answer := w.do(request{method: get, path: "/v1/ota/builds", header: map[string]string{"Authorization": header}})
			p := w.problem(answer, 401, models.CodeUnauthenticated)
			require.Equal(t, access.ErrUnauthenticated.Message, p.Detail)
			require.Contains(t, answer.Header().Get("WWW-Authenticate"), "Bearer")
		})
	}
	require.NotContains(t, w.store.touched, int64(301))
	require.NotContains(t, w.store.touched, int64(302))
}

func flipped(last byte) string {
	if last == '0' {
		return "1"
	}
	return "0"
}

func TestLastUseIsNotedOnceAMinute(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	recent, old := now.Add(-59*time.Second), now.Add(-time.Minute)
	fresh := w.addKey(models.APIKey{ID: 401, ProjectID: 1, Role: models.RoleViewer, LastUsedAt: &recent})
	stale := w.addKey(models.APIKey{ID: 402, ProjectID: 1, Role: models.RoleViewer, LastUsedAt: &old})
	for _, key := range []string{fresh, stale, w.keys[models.RoleViewer]} {
		require.Equal(t, http.StatusOK, w.do(request{method: get, path: "/v1/ota/builds", key: key}).Code)
	}
	require.Equal(t, []int64{402, 100}, w.store.touched)
}

func TestTheAuditLogNamesTheCaller(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var actor models.Actor
	w.store.createProject = func(a models.Actor, _ models.NewProject) (models.Project, error) {
		actor = a
		return demo, nil
	}
	w.do(request{
		method: post, path: "/v1/ota/projects", body: `{"name":"Demo"}`, key: w.rootKey,
		header: map[string]string{"X-Request-Id": "req-1"},
	})
	require.Equal(t, models.Actor{
		Type: models.ActorAPIKey, ID: "root", Name: "root", RequestID: "req-1", Role: models.RoleAdmin,
	}, actor)
}

// TestAKeyForSomeChannels walks every route. A key for some channels may call all reads, and only the writes that are
// marked for it.
func TestAKeyForSomeChannels(t *testing.T) {
	t.Parallel()
	found := 0
	shared := newTestAPI(t)
	for _, r := range table(t) {
		if r.Access != rest.Viewer && r.Access != rest.Editor && r.Access != rest.Admin {
			continue
		}
		open := r.Access == rest.Viewer
		if r.ChannelKeys {
			require.Equal(t, rest.Editor, r.Access)
			found++
			open = true
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			call := callOn(r)
			call.key = w.addKey(models.APIKey{ID: 300, ProjectID: demo.ID, Role: models.RoleEditor, Channels: []string{"staging"}})
			if answer := w.do(call); open {
				require.NotContains(t, []int{401, 403}, answer.Code, answer.Body.String())
			} else {
				p := w.problem(answer, 403, models.CodeForbidden)
				if r.Access == rest.Editor {
					require.Contains(t, p.Detail, "staging")
				}
			}
			call.key = w.keys[models.RoleAdmin]
			require.NotContains(t, []int{401, 403}, w.do(call).Code)
		})
	}
	require.Equal(t, 20, found)
}
