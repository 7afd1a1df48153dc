package api

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// releases answers pages of the ids from top down to 1, as the store does.
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

// nextPath takes a Link header apart.
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
	require.Equal(t, models.Page{Limit: 3, Before: 40}, asked)
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
		require.Equal(t, models.Page{Limit: limit + 1}, asked, path)
	}
}
