package api

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

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
			require.Contains(t, p.Detail, "the path's id")
		})
	}
	t.Run("unless its kind has none", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.problem(w.do(request{method: get, path: "/v1/ota/flags/" + rest.ExampleUUID}), 404, models.CodeNotFound)
	})
}

// The document says for every route with an {id} what may stand there.
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
