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

// What a caller sends comes back in the answer and goes to the log, but not megabytes
// of it.
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
