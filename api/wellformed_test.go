package api

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/builds"
	"github.com/waft-ota/waft/models"
)

func TestAQueryThatCannotBeReadIsNoQueryForEverything(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for query, fields := range map[string][]string{
		"isEnabled=true;limit=1": nil, "channel=%zz": nil, "%": nil,
		"channel=%00": {"channel"}, "channel=%ff": {"channel"}, "channel=a&branch=%ff&channel=%00": {"branch", "channel"},
	} {
		p := w.problem(w.do(request{method: get, path: "/v1/ota/updates?" + query}), 400, models.CodeInvalid)
		require.Equal(t, fields, fieldsOf(p), query)
	}
	require.Equal(t, 200, w.do(request{method: get, path: "/v1/ota/updates?channel=%C3%BC&limit=1"}).Code)
}

func TestAPathThatIsNotTextNamesNoRecord(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.deleteBranch = func(string) error { return models.Errorf(models.CodeInternal, "was asked") }
	for _, name := range []string{"a%00b", "%ff"} {
		w.problem(w.do(request{method: remove, path: "/v1/ota/branches/" + name}), 404, models.CodeNotFound)
	}
}

func TestAProjectThatIsNotTextIsNobodys(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.findProject = func(string) (models.Project, error) {
		return models.Project{}, models.Errorf(models.CodeInternal, "was asked")
	}
	header := map[string]string{"X-Project": "demo\xff"}
	w.problem(w.do(request{method: get, path: "/v1/ota/branches", header: header}), 403, models.CodeForbidden)
	w.problem(w.do(request{method: get, path: "/v1/ota/branches", header: header, key: w.rootKey}), 404, models.CodeNotFound)
}

// Input of a caller appears in the response and in the log, but is cut.
func TestLongNamesAreCut(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := newTestAPI(t, func(d *parts) { d.Log = slog.New(slog.NewTextHandler(&out, nil)) })
	long := strings.Repeat("ü", 200_000)
	p := w.problem(w.do(request{method: post, path: "/v1/ota/branches", body: map[string]any{"name": "next", long: 1}}), 400, models.CodeInvalid)
	require.Len(t, p.Errors, 1)
	require.Less(t, len(p.Errors[0].Field), 300)
	require.True(t, utf8.ValidString(p.Errors[0].Field))
	require.True(t, strings.HasPrefix(p.Errors[0].Field, "üüü"))

	u := newUploads(t, builds.Limits{})
	form := newForm().field(strings.Repeat("n", 100_000), "1")
	p = u.problem(u.Send(form, form.End()), 400, models.CodeInvalid)
	require.Less(t, len(p.Detail), 300)

	out.Reset()
	w.store.release = func(int64) (models.Release, error) {
		return models.Release{}, models.Errorf(models.CodeInvalid, "%s", long)
	}
	w.do(request{method: get, path: "/v1/ota/updates/17"})
	w.do(request{method: get, path: "/v1/ota/" + strings.Repeat("x", 100_000)})
	w.do(request{method: get, path: "/v1/ota/updates/" + strings.Repeat("7", 100_000)})
	require.Less(t, out.Len(), 10_000)
}

func TestANumberThatFitsNoFieldIsNamedByItsPath(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, body, field string }{
		"of the body":           {"/v1/ota/rollout-executions", `{"updateId": 1, "policyId": 1e30}`, "policyId"},
		"of an embedded struct": {"/v1/ota/builds/1/publish", `{"channel": "production", "rolloutPolicyId": 1e+30}`, "rolloutPolicyId"},
		"in a list":             {"/v1/ota/rollout-policies", `{"name": "p", "stages": [{"percentage": 5}, {"percentage": 100, "minDevices": 1e18}]}`, "stages[1].minDevices"},
		"beyond every number":   {"/v1/ota/rollout-policies", `{"name": "p", "stages": [{"percentage": 5}, {"percentage": 1e999}]}`, "stages[1].percentage"},
		"in free JSON":          {"/v1/ota/contexts", `{"kind": "user", "targetingKey": "k", "attributes": {"a": [], "b": [0, {"c": -1e400}]}}`, "attributes.b[1].c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			p := w.problem(w.do(request{method: post, path: tc.path, body: tc.body}), 400, models.CodeInvalid)
			require.Equal(t, []string{tc.field}, fieldsOf(p))
			require.Contains(t, p.Errors[0].Message, "cannot hold the number")
		})
	}
}

func TestABodyThatIsNotUTF8IsRefused(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	p := w.problem(w.do(request{method: post, path: "/v1/ota/api-keys", body: "{\"name\": \"\xff\", \"role\": \"viewer\"}"}), 400, models.CodeInvalid)
	require.Contains(t, p.Detail, "UTF-8")
}

func TestTheMediaTypeOfABodyHasNoCase(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for _, media := range []string{"APPLICATION/JSON", "Application/Json; charset=UTF-8"} {
		answer := w.do(request{method: post, path: "/v1/ota/branches", body: `{"name":"next"}`, header: map[string]string{"Content-Type": media}})
		require.Equal(t, 201, answer.Code, media)
	}
}

func TestUnknownFieldsAreListedInOrder(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	const body = `{"name": 5, "q": 1, "d": 1, "k": 1, "a": 1, "m": 1, "b": 1, "z": 1}`
	p := w.problem(w.do(request{method: post, path: "/v1/ota/branches", body: body}), 400, models.CodeInvalid)
	require.Equal(t, []string{"name", "a", "b", "d", "k", "m", "q", "z"}, fieldsOf(p))
}
