package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// counted returns the count of each custom event and error, by name or message.
func (p *tenant) counted() map[string]int {
	counts := map[string]int{}
	for _, e := range p.list("/v1/ota/telemetry/events?limit=200") {
		name, _ := e["name"].(string)
		if message, _ := e["message"].(string); message != "" {
			name = message
		}
		if name == "" {
			name = e["type"].(string)
		}
		counts[name] += int(e["count"].(float64))
	}
	return counts
}

// Everything that an app reports through the package counts once, whatever happens to the app, the connection and the
// storage.
func TestTheExpoPackageReportsOnce(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	line := newBadLine(t, p.url)
	app := newPhone(t, line.URL, p.slug)
	rounds := [][]reportFate{
		{},
		{fateAnswerLost},
		{fateUnavailable, fateLimited},
		{fateUnreachable, fateAnswerLost, fateUnavailable, fateAnswerLost},
		slices.Repeat([]reportFate{fateUnreachable}, 7), // the package retries for about a minute of the app's time
	}
	want := map[string]int{}
	count := func(name string) { want[name]++ }
	for n, fates := range rounds {
		for _, end := range []string{"killed before it sends", "killed after it sent"} {
			will := slices.Clone(fates)
			if end == "killed before it sends" {
				// Without this fate the package could send the report, and delete it from the storage, before the test
				// looks there.
				will = append(will, fateHeld)
			}
			line.will(will...)
			app.start()
			count("app_launch")
			event, failure := fmt.Sprintf("event %d %s", n, end), fmt.Sprintf("failure %d %s", n, end)
			app.say(object{"do": "track", "name": event})
			app.say(object{"do": "error", "name": failure})
			count(event)
			count(failure)
			if end == "killed before it sends" {
				p.eventually(func() bool { return app.stores(failure) })
			} else {
				app.say(object{"do": "flush"})
				p.eventually(func() bool { return line.untold() == 0 && !app.stores("events") })
			}
			app.kill()
			count("abnormal_exit")
		}
	}
	app.start()
	count("app_launch")
	app.say(object{"do": "full", "state": "true"})
	line.will(fateAnswerLost, fateUnavailable)
	app.say(object{"do": "track", "name": "with a full storage"})
	count("with a full storage")
	app.say(object{"do": "flush"})
	p.eventually(func() bool { return line.untold() == 0 })
	app.say(object{"do": "full", "state": "false"})
	for _, days := range []int{400, -800} {
		name := fmt.Sprintf("before the clock goes %d days", days)
		line.will(fateAnswerLost)
		app.say(object{"do": "track", "name": name})
		count(name)
		app.say(object{"do": "flush"})
		p.eventually(func() bool { return line.untold() == 0 })
		app.say(object{"do": "clock", "days": days})
		app.say(object{"do": "flush"})
		p.eventually(func() bool { return !app.stores("events") })
	}
	line.cut(true)
	require.Equal(t, "failed", app.say(object{"do": "check"})["status"])
	app.say(object{"do": "track", "name": "in airplane mode"})
	count("in airplane mode")
	app.say(object{"do": "flush"})
	app.kill()
	count("abnormal_exit")
	app.start()
	count("app_launch")
	app.say(object{"do": "flush"})
	line.cut(false)
	app.say(object{"do": "flush"})
	app.say(object{"do": "state", "state": "background"})
	app.say(object{"do": "track", "name": "in the background"})
	count("in the background")
	app.say(object{"do": "flush"})
	app.say(object{"do": "state", "state": "active"})
	p.eventually(func() bool {
		counted := p.counted()
		return len(counted) >= len(want) && counted["app_launch"] >= want["app_launch"] && counted["abnormal_exit"] >= want["abnormal_exit"]
	})
	require.Equal(t, want, p.counted())
}

// The package follows a channel as a phone does: updates, rollouts, rollbacks, and the link to the store.
func TestTheExpoPackageFollowsUpdates(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	marker := p.create("/v1/ota/flags", object{"key": "marker", "flagType": "boolean", "defaultValue": false}).id("id")
	app := newPhone(t, p.url, p.slug)
	embedded := app.start()
	check := func() object {
		p.settle(marker) // from here on devices are served all earlier changes
		return app.say(object{"do": "check"})
	}
	restart := func() string {
		app.kill()
		running := app.start()
		check() // waits for the check that the app itself makes at its start, which may miss later changes
		return running
	}
	publish := func(body object) string {
		body["channel"] = "production"
		return p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), body)["updateUuid"].(string)
	}
	require.Equal(t, "up_to_date", check()["status"])

	held := publish(object{"rolloutPercentage": 0})
	require.Equal(t, "up_to_date", check()["status"], "the device is outside the rollout")
	first := publish(object{})
	found := check()
	require.Equal(t, object{"status": "ready", "updateUuid": first, "isCritical": false, "reloaded": false}, found)
	require.NotEqual(t, held, first)
	require.Equal(t, first, restart())
	require.Equal(t, "up_to_date", check()["status"])

	critical := publish(object{"isCritical": true})
	found = check()
	require.Equal(t, object{"status": "restarting", "updateUuid": critical, "isCritical": true, "reloaded": true}, found)
	require.Equal(t, critical, restart())

	p.create("/v1/ota/rollback", object{"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0"})
	found = check()
	require.Equal(t, true, found["reloaded"], found)
	require.Equal(t, embedded, restart())
	require.Equal(t, "up_to_date", check()["status"])

	broken := publish(object{})
	require.Equal(t, broken, check()["updateUuid"])
	require.Equal(t, broken, restart())
	app.say(object{"do": "fail"})
	require.Equal(t, embedded, restart())
	require.Equal(t, "up_to_date", check()["status"], "an update that failed is not installed again")

	p.do(request{method: http.MethodPatch, path: "/v1/ota/channels/production", body: object{"minRuntimeVersion": "2.0.0"}}).record(http.StatusOK)
	found = check()
	require.Equal(t, "store_update_required", found["status"])
	require.Equal(t, "2.0.0", found["minRuntimeVersion"])
}
