package e2e

import (
	"net/http"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// tapped is the number of events of an app whose user does many things while it is offline.
const tapped = 10_000

// heldClock makes time in a page pass only by the command `pass`. A page sends a report every five seconds.
const heldClock = "WAFT_CLOCK=held"

// reported returns the sum of the counts of the events of a type whose name or message contains the string.
func (p *tenant) reported(eventType, text string) (count int) {
	p.t.Helper()
	for _, e := range p.list("/v1/ota/telemetry/events?limit=200&type=" + eventType + "&search=" + text) {
		count += int(e["count"].(float64))
	}
	return count
}

// rows returns the number of events whose name contains the string. They have a count of 1 each.
func (p *tenant) rows(text string) int {
	p.t.Helper()
	answer := p.do(request{method: http.MethodGet, path: "/v1/ota/telemetry/events?limit=1&count=true&search=" + text})
	total, err := strconv.Atoi(answer.header.Get("X-Total-Count"))
	require.NoError(p.t, err)
	return total
}

// An app catches an error, reports it and throws it again, while it is offline and reports thousands of events. The crash counts once, the
// launches count, and the number of dropped events is known.
func TestAnAppWithoutANetworkKeepsItsCrash(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	line := newBadLine(t, p.url)
	line.cut(true)
	app := newPhone(t, line.URL, p.slug)
	app.start()
	app.say(object{"do": "track", "name": "opened"})
	app.say(object{"do": "rethrow", "name": "twice"})
	app.say(object{"do": "burst", "name": "tapped", "count": tapped})
	app.say(object{"do": "flush"})
	app.kill()
	app.start()
	line.cut(false)
	p.eventually(func() bool { return !app.stores("events") })
	p.eventually(func() bool { return p.rows("tapped")+p.reported("custom", "waft_dropped") == tapped })
	require.Less(t, p.rows("tapped"), tapped, "the device stores fewer events")
	require.Equal(t, 1, p.reported("crash", "twice"))
	require.Equal(t, 1, p.reported("js_error", "twice"))
	require.Equal(t, 2, p.reported("app_launch", ""))
	crash := p.list("/v1/ota/telemetry/events?type=crash")[0]
	require.Equal(t, "opened", crash["breadcrumbs"].([]any)[0].(map[string]any)["message"])
}

// An app with a wrong project gets an error that says so, and keeps its reports.
func TestAnAppWithAWrongProjectIsTold(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	app := newPhone(t, p.url, p.slug+"s")
	app.start()
	app.say(object{"do": "flush"})
	app.say(object{"do": "flush"})
	require.Equal(t, []any{"not_found"}, app.say(object{"do": "told"})["codes"])
	require.True(t, app.stores("events"))
}

// A web export of the example app does the same in a browser, ten minutes without a network.
func TestAPageWithoutANetworkKeepsItsCrash(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	page := openPage(t, p, p.slug, heldClock)
	p.eventually(func() bool {
		page.say(object{"do": "pass", "ms": 5000})
		return p.reported("app_launch", "") == 1
	})
	page.say(object{"do": "disconnect"})
	page.say(object{"do": "rethrow", "message": "twice"})
	page.say(object{"do": "burst", "name": "tapped", "count": tapped})
	page.say(object{"do": "pass", "ms": 600_000})
	page.say(object{"do": "connect"})
	p.eventually(func() bool {
		page.say(object{"do": "pass", "ms": 5000})
		return p.rows("tapped")+p.reported("custom", "waft_dropped") == tapped
	})
	require.Equal(t, 1, p.reported("crash", "twice"))
	require.Equal(t, 1, p.reported("js_error", "twice"))
	require.Equal(t, 1, p.reported("app_launch", ""))
	require.Empty(t, page.say(object{"do": "warnings"})["warnings"])
}

// A page with a wrong project says so on its console, because the example app passes onError.
func TestAPageWithAWrongProjectSaysSo(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	page := openPage(t, p, p.slug+"s", heldClock)
	p.eventually(func() bool {
		page.say(object{"do": "pass", "ms": 1000})
		return len(page.say(object{"do": "warnings"})["warnings"].([]any)) > 0
	})
	require.Contains(t, page.say(object{"do": "warnings"})["warnings"].([]any)[0], p.slug+"s")
}
