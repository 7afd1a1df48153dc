package api

import (
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func TestAPathMayHaveTheUUIDOfARecord(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse(rest.ExampleUUID)

	t.Run("in either case, and its id takes its place", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{rest.ExampleUUID, strings.ToUpper(rest.ExampleUUID)} {
			w := newTestAPI(t)
			w.store.updateID = func(got uuid.UUID) (int64, error) {
				require.Equal(t, id, got)
				return 42, nil
			}
			require.EqualValues(t, 42, decoded(t, w.do(request{method: get, path: "/v1/ota/updates/" + text}), 200)["id"])
		}
	})
	t.Run("and the links of a list keep it", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.store.history = func(id int64, _ models.HistoryPage) ([]models.AuditEntry, error) {
			require.EqualValues(t, 17, id)
			return []models.AuditEntry{{ID: 1}, {ID: 2}}, nil
		}
		path := "/v1/ota/updates/" + rest.ExampleUUID + "/history"
		answer := w.do(request{method: get, path: path + "?limit=1"})
		require.Equal(t, path+"?after=1&limit=1", nextPath(t, answer.Header().Get("Link")))
	})
	t.Run("and a rollout goes by its workflow, also in its stream", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.store.executionID = func(text string) (int64, error) {
			require.Equal(t, "rollout/demo/21", text)
			return 0, models.Errorf(models.CodeNotFound, "there is no such rollout")
		}
		for _, path := range []string{"", "/stream"} {
			answer := w.do(request{method: get, path: "/v1/ota/rollout-executions/rollout%2Fdemo%2F21" + path})
			require.Contains(t, w.problem(answer, 404, models.CodeNotFound).Detail, "no such rollout")
		}
	})
	t.Run("but nobody without a key learns of it", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.store.updateID = func(uuid.UUID) (int64, error) {
			require.Fail(t, "it was looked for")
			return 0, nil
		}
		w.problem(w.do(request{method: get, path: "/v1/ota/updates/" + rest.ExampleUUID, anonymous: true}), 401, models.CodeUnauthenticated)
	})
	t.Run("and it says so when the store is away", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.store.buildID = func(uuid.UUID) (int64, error) { return 0, models.Unavailable("Postgres", errors.New("away")) }
		w.problem(w.do(request{method: remove, path: "/v1/ota/builds/" + rest.ExampleUUID}), 503, models.CodeUnavailable)
	})
	for _, text := range []string{"x", "urn:uuid:" + rest.ExampleUUID, strings.ReplaceAll(rest.ExampleUUID, "-", ""), strings.Repeat("z",
		36)} {
		t.Run("in no other way than "+text, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			p := w.problem(w.do(request{method: get, path: "/v1/ota/updates/" + text}), 404, models.CodeNotFound)
			require.Contains(t, p.Detail, "no such record: id in the path")
		})
	}
	t.Run("unless its kind has none", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.problem(w.do(request{method: get, path: "/v1/ota/flags/" + rest.ExampleUUID}), 404, models.CodeNotFound)
	})
}

// The document lists, for every route with an {id}, all forms that the path accepts.
func TestTheDocumentHasEveryIdentifier(t *testing.T) {
	t.Parallel()
	m := documentedRoutes(t)
	found := map[string]int{}
	for _, r := range m.Rows {
		records, _, ok := strings.Cut(r.Path, "/{id}")
		if !ok {
			continue
		}
		params := documented(m.API.OpenAPI(), r).Parameters
		at := slices.IndexFunc(params, func(p *huma.Param) bool { return p.Name == "id" })
		require.Equal(t, "path", params[at].In)
		schema := params[at].Schema
		if r.ID == nil {
			require.Equal(t, huma.TypeInteger, schema.Type, "%s %s", r.Method, r.Path)
			continue
		}
		found[records]++
		require.Len(t, schema.AnyOf, 2, "%s %s", r.Method, r.Path)
		require.Equal(t, huma.TypeInteger, schema.AnyOf[0].Type)
		require.Equal(t, huma.TypeString, schema.AnyOf[1].Type)
	}
	require.Len(t, found, 3)
	require.GreaterOrEqual(t, found["/v1/ota/updates"], 5)
}

// releasePages returns pages of the IDs from top down to 1, as the store does.
func releasePages(top int64) func(models.ReleaseFilter, models.Page) ([]models.Release, error) {
	return func(_ models.ReleaseFilter, page models.Page) (found []models.Release, err error) {
		id := top
		if page.Before > 0 {
			id = min(top, page.Before-1)
		}
		for ; id > 0 && len(found) < page.Limit; id-- {
			found = append(found, models.Release{ID: id})
		}
		return found, nil
	}
}

func TestFollowingTheLinksReachesEveryRecordOnce(t *testing.T) {
	t.Parallel()
	for _, top := range []int64{0, 1, 2, 3, 4, 6, 7} {
		w := newTestAPI(t)
		w.store.listReleases = releasePages(top)
		var seen []int64
		for path := "/v1/ota/updates?limit=3"; path != ""; {
			answer := w.do(request{method: get, path: path})
			require.Equal(t, 200, answer.Code, answer.Body.String())
			var page []releases.Update
			require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &page))
			require.NotNil(t, page)
			require.LessOrEqual(t, len(page), 3)
			for _, u := range page {
				seen = append(seen, u.ID)
			}
			path = nextPath(t, answer.Header().Get("Link"))
		}
		require.Len(t, seen, int(top))
		for i, id := range seen {
			require.Equal(t, top-int64(i), id)
		}
	}
}

// nextPath returns the path in a Link header.
func nextPath(t *testing.T, link string) string {
	t.Helper()
	if link == "" {
		return ""
	}
	path, ok := strings.CutPrefix(link, "<")
	require.True(t, ok, link)
	path, ok = strings.CutSuffix(path, `>; rel="next"`)
	require.True(t, ok, link)
	return path
}

func TestTheLinkKeepsTheFilters(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var asked models.Page
	var filter models.ReleaseFilter
	w.store.listReleases = func(f models.ReleaseFilter, p models.Page) ([]models.Release, error) {
		filter, asked = f, p
		return releasePages(50)(f, p)
	}
	answer := w.do(request{
		method: get, path: "/v1/ota/updates?channel=a%26b&isEnabled=false&platform=ios&limit=2&before=40" +
			"&groupId=" + rest.ExampleUUID + "&branch=next&runtimeVersion=1.0",
	})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	require.Equal(t, models.Page{Limit: 3, Before: 40, Found: &models.Found{}}, asked)
	require.Equal(t, "a&b", filter.Channel)
	require.Equal(t, "next", filter.Branch)
	require.Equal(t, models.IOS, filter.Platform)
	require.Equal(t, "1.0", filter.RuntimeVersion)
	require.Equal(t, rest.ExampleUUID, filter.GroupID.String())
	require.False(t, *filter.IsEnabled)

	next, err := url.Parse(nextPath(t, answer.Header().Get("Link")))
	require.NoError(t, err)
	require.Equal(t, "/v1/ota/updates", next.Path)
	require.Equal(t, url.Values{
		"channel": {"a&b"}, "isEnabled": {"false"}, "platform": {"ios"}, "limit": {"2"}, "before": {"38"},
		"groupId": {rest.ExampleUUID}, "branch": {"next"}, "runtimeVersion": {"1.0"},
	}, next.Query())
}

func TestPagesHaveTheirDefaults(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var asked models.Page
	w.store.listReleases = func(_ models.ReleaseFilter, p models.Page) ([]models.Release, error) {
		asked = p
		return nil, nil
	}
	w.store.listAudit = func(_ models.AuditFilter, p models.Page) ([]models.AuditEntry, error) {
		asked = p
		return nil, nil
	}
	for path, limit := range map[string]int{
		"/v1/ota/updates": 100, "/v1/ota/audit-log": 200, "/v1/ota/updates?limit=200": 200, "/v1/ota/audit-log?limit=1": 1,
	} {
		answer := w.do(request{method: get, path: path})
		require.Equal(t, "[]\n", answer.Body.String())
		require.Empty(t, answer.Header().Get("Link"))
		require.Equal(t, models.Page{Limit: limit + 1, Found: &models.Found{}}, asked, path)
	}
}
