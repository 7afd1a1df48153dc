package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// onAndroid publishes a build for Android in the group of a release. more are fields of the request, each with its value.
func (p *tenant) onAndroid(release object, more ...any) object {
	p.t.Helper()
	upload := p.upload()
	upload.method = http.MethodPost
	upload.body = strings.Replace(upload.body.(string), "\r\n\r\nios\r\n", "\r\n\r\nandroid\r\n", 1)
	build := p.do(upload).record(http.StatusCreated)
	body := object{"channel": "production", "groupId": release["groupId"]}
	for i := 0; i < len(more); i += 2 {
		body = body.with(more[i].(string), more[i+1])
	}
	return p.create(path("/v1/ota/builds/%d/publish", build.id("id")), body)
}

// With wholeGroups, a page of the list of releases never ends within a publish, in any order; the pages together have each
// release once.
func TestAPageOfReleasesEndsWithAWholeGroup(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	for range 3 {
		p.onAndroid(p.release())
	}
	p.release()
	for query, want := range map[string][]int{
		"":                                 {2, 2, 2, 1},
		"&wholeGroups=true":                {3, 2, 2},
		"&wholeGroups=true&sort=createdAt": {2, 2, 2, 1},
		"&wholeGroups=true&sort=channel":   {2, 2, 2, 1},
		"&wholeGroups=true&search=1.0.0":   {3, 2, 2},
	} {
		var sizes []int
		seen := map[any]bool{}
		for next := "/v1/ota/updates?limit=2" + query; next != ""; {
			page := p.do(at("%s", next).get())
			records := page.list()
			sizes = append(sizes, len(records))
			for _, r := range records {
				require.False(t, seen[r["id"]], "a release is on one page")
				seen[r["id"]] = true
			}
			next, _, _ = strings.Cut(strings.TrimPrefix(page.header.Get("Link"), "<"), ">")
		}
		require.Equal(t, want, sizes, query)
		require.Len(t, seen, 7)
	}
}

// A list of the releases with other files leaves out the copies of a release.
func TestCopiesAreLeftOutOfTheReleasesWithOtherFiles(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	old, good := p.release(), p.release()
	again := p.create(path("/v1/ota/updates/%d/republish", good.id("id")), object{})
	copied := object(again["updates"].([]any)[0].(map[string]any))
	found := p.list(path("/v1/ota/updates?otherFilesThan=%d", copied.id("id")))
	require.Len(t, found, 1)
	require.Equal(t, old["id"], found[0]["id"])
	require.Empty(t, p.list("/v1/ota/updates?otherFilesThan=1"))
}
