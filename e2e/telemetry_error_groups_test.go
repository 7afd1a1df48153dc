package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// States of groups on three releases: the first release had "old" and "steady", the second "steady", and the third all
// of them and "fresh".
func TestStatesOfErrorGroups(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	began := time.Now()
	var updates []any
	for range 3 {
		updates = append(updates, p.release()["updateUuid"])
	}
	for n, names := range [][]string{{"old", "steady"}, {"steady"}, {"old", "steady", "fresh"}} {
		for _, name := range names {
			p.fails(updates[n], models.IOS, name, "it failed after 12 s", "", nil)
		}
	}
	list := func(query string) map[string]object {
		byName := map[string]object{}
		for _, g := range p.do(at("/v1/ota/observe/groups?%s", query)).list() {
			byName[g["errorName"].(string)] = g
		}
		return byName
	}
	states := func(query string) map[string]any {
		found := map[string]any{}
		for name, g := range list(query) {
			found[name] = g["state"]
		}
		return found
	}
	require.Equal(t, map[string]any{"old": "regressed", "steady": "ongoing", "fresh": "new"}, states(""))
	last, first := updates[2].(string), updates[0].(string)
	require.Equal(t, map[string]any{"old": "regressed", "steady": "ongoing", "fresh": "new"}, states("updateUuid="+last))
	require.Equal(t, map[string]any{"steady": "ongoing"}, states("updateUuid="+updates[1].(string)))
	require.Equal(t, map[string]any{"old": "new", "steady": "new"}, states("updateUuid="+first))
	require.Equal(t, map[string]any{"old": "regressed"}, states("state=regressed"))
	require.Equal(t, map[string]any{"fresh": "new"}, states("state=new&type=js_error&platform=ios&channel=production"))
	require.Empty(t, states("type=crash"))
	require.Empty(t, states("platform=android"))
	require.Empty(t, states("channel=staging"))
	require.Equal(t, map[string]any{"steady": "ongoing"}, states("search=STEAD"))
	require.Len(t, states("search=failed%20after%20%23"), 3, "the message without its numbers")

	steady := list("")["steady"]
	require.Equal(t, updates[0], steady["firstUpdateUuid"])
	require.Equal(t, updates[2], steady["lastUpdateUuid"])
	require.EqualValues(t, 3, steady["events"])
	require.Equal(t, "it failed after # s", steady["message"])
	recent := steady["trend"].([]any)[23:]
	if time.Now().Truncate(time.Hour).After(began) { // an hour has ended since the test began
		recent = steady["trend"].([]any)[22:]
	}
	events := 0.0
	for _, n := range recent {
		events += n.(float64)
	}
	require.EqualValues(t, 3, events)

	// In each order, the pages together are the whole list.
	sorts := []string{"devices", "-events", "errorName", "-devices", "events", "-lastSeenAt", "firstSeenAt", "-errorName"}
	for _, sort := range sorts[:enginetest.Sized(len(sorts), 3)] {
		var whole, paged []any
		list := p.do(at("/v1/ota/observe/groups?count=true&sort=%s", sort))
		require.Equal(t, "3", list.header.Get("X-Total-Count"))
		for _, g := range list.list() {
			whole = append(whole, g["fingerprint"])
		}
		for next := path("/v1/ota/observe/groups?limit=1&sort=%s", sort); next != ""; {
			a := p.do(request{method: http.MethodGet, path: next})
			for _, g := range a.list() {
				paged = append(paged, g["fingerprint"])
			}
			next, _, _ = strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"), ">")
		}
		require.Len(t, whole, 3)
		require.Equal(t, whole, paged, sort)
	}
	page := p.do(at("/v1/ota/observe/groups/%s", steady["fingerprint"])).record(http.StatusOK)
	require.Len(t, page["byUpdate"], 3)
	require.Equal(t, "ongoing", page["state"])
}
