package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// reports sends a launch and custom events with these names from each device. If a device counts for the release, the
// test must already have waited until the device was served the release.
func (p *tenant) reports(devices []string, update any, names ...string) {
	p.t.Helper()
	events := []object{{"type": "app_launch", "count": 1}}
	for _, name := range names {
		events = append(events, object{"type": "custom", "name": name, "count": 3})
	}
	for _, device := range devices {
		a := p.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: object{
			"projectSlug": p.slug, "deviceId": device, "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
			"updateUuid": update, "events": events,
		}}.with("Authorization", ""))
		require.Equal(p.t, http.StatusNoContent, a.status, a.body)
	}
}

func eventLimit(name string, rate float64, direction string) object {
	return object{"name": name, "rate": rate, "direction": direction}
}

// A custom event affects a rollout as a crash does. If its rate is above the maximum or below the minimum, the release
// is rolled back or held; otherwise it rolls out. Reports of devices that were not served the release do not count.
func TestACustomEventIsAGuardrail(t *testing.T) {
	t.Parallel()
	failed, paid := eventLimit("payment_failed", 10, "above"), eventLimit("checkout_completed", 40, "below")
	for name, c := range map[string]struct {
		seconds float64 // duration of each stage, and the time that devices have for the event; 0 means hours
		limits  []object
		action  string
		reports []string // sent by devices inside the rollout
		forged  string   // sent by other devices
		status  string
		reason  string
	}{
		"above": {
			limits: []object{failed}, reports: []string{"payment_failed"}, forged: "nothing", status: "rolled_back",
			reason: `rate of the event "payment_failed" 100% breaches the threshold of 10%`,
		},
		"above, at a gate": {
			limits: []object{failed}, action: "gate", reports: []string{"payment_failed"}, forged: "nothing", status: "running",
			reason: `is held: rate of the event "payment_failed" 100% breaches`,
		},
		"below": {
			seconds: 1, limits: []object{paid}, reports: []string{"checkout_opened"}, forged: "checkout_completed", status: "rolled_back",
			reason: `rate of the event "checkout_completed" 0% breaches the minimum of 40% (0 of 40 networks`,
		},
		"below, while devices have time": {
			limits: []object{paid}, reports: nil, forged: "nothing", status: "running", reason: "stage 1 of 2 (20%) runs until at least",
		},
		"within both": {
			seconds: 1, limits: []object{failed, paid}, reports: []string{"checkout_completed"}, forged: "payment_failed", status: "completed",
			reason: "stage 2 of 2 (100%) is done and every device gets the release",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newUndecided(t)
			p.release()
			thresholds := object{"events": c.limits}
			if c.action != "" {
				thresholds["action"] = c.action
			}
			release, id := p.rollOut(p.inStages(c.seconds, 40, 20, 100).with("thresholds", thresholds))
			inside, forgers := p.inShareOf(release, 20, true, 40), p.inShareOf(release, 20, true, 60)
			p.awaitRollout(id, hasHappened("started"))
			// A minimum counts a device once its time for the event is over.
			had := time.Duration(c.seconds * float64(time.Second))
			p.reported(release["updateUuid"], len(inside)+len(forgers), had, func() {
				p.reports(forgers, release["updateUuid"], c.forged)
				p.awaitServed(inside, is(release["updateUuid"]))
				p.reports(inside, release["updateUuid"], c.reports...)
			})
			e := p.awaitRollout(id, func(e object) bool {
				health, _ := e["health"].(map[string]any)
				return e["status"] == c.status && health != nil && health["devices"].(float64)+health["ignoredDevices"].(float64) >= 100
			})
			if c.status == "running" {
				e = p.awaitRollout(id, func(e object) bool { return strings.Contains(e["reason"].(string), c.reason) })
			}
			require.Contains(t, e["reason"], c.reason)
			health := e["health"].(map[string]any)
			require.Equal(t, 60.0, health["ignoredDevices"])
			events := health["events"].([]any)
			require.Len(t, events, len(c.limits))
			for i, l := range c.limits {
				event := events[i].(map[string]any)
				require.Equal(t, [2]any{l["name"], l["direction"]}, [2]any{event["name"], event["direction"]})
				told := 0.0
				for _, reported := range c.reports {
					if reported == l["name"] {
						told = 100
					}
				}
				require.Equal(t, told, event["rate"], event)
				require.Equal(t, event["devices"], event["votes"].(map[string]any)["networks"])
			}
			if c.status == "rolled_back" {
				require.Equal(t, []string{"started", "rolled_back"}, happened(e))
				require.Contains(t, told(e, "rolled_back"), c.reason)
				p.awaitServed(inside, isNot(release["updateUuid"]))
				event := events[0].(map[string]any)
				p.eventually(func() bool { // an observation is stored a moment later
					looks := p.list(path("/v1/ota/rollout-executions/%d/looks", id))
					if len(looks) == 0 {
						return false
					}
					look := looks[0]["events"].([]any)[0].(map[string]any)
					return [4]any{event["name"], 40.0, event["reportedDevices"], event["rate"]} ==
						[4]any{look["name"], look["devices"], look["reportedDevices"], look["rate"]}
				})
			}
		})
	}
}

// An event counts under the name with which it was sent, however many other names were invented before.
func TestALimitedNameIsKeptBesideItsReplacement(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.release()
	release, id := p.rollOut(p.inStages(0, 0, 100).with("thresholds", object{"events": []object{eventLimit("late", 10, "above")}}))
	inventor := uuid.NewString()
	p.awaitServed([]string{inventor}, is(release["updateUuid"])) // devices that were not served may add only half of the names
	for page := range 5 {
		names := make([]string, 450)
		for i := range names {
			names[i] = path("invented-%d-%d", page, i)
		}
		p.reports([]string{inventor}, release["updateUuid"], names...)
	}
	inside := p.inShareOf(release, 100, true, 12)
	p.awaitServed(inside, is(release["updateUuid"]))
	p.reports(inside, release["updateUuid"], "late")
	p.awaitRollout(id, has("status", "rolled_back"))
	shown := p.list("/v1/ota/telemetry/events?type=custom&deviceId=" + inside[0])
	require.Equal(t, "(other)", shown[0]["name"])
}

func TestLimitsOfEventsAreChecked(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	policy := func(events any) object {
		return p.inStages(1, 0, 20, 100).with("thresholds", object{"events": events})
	}
	six := make([]object, 6)
	for i := range six {
		six[i] = eventLimit(path("e%d", i), 1, "above")
	}
	for name, c := range map[string]struct {
		events any
		field  string
	}{
		"no name":                {[]object{eventLimit("", 1, "above")}, "thresholds.events[0].name"},
		"a name twice":           {[]object{eventLimit("a", 1, "above"), eventLimit("a", 1, "below")}, "thresholds.events[1].name"},
		"a direction of its own": {[]object{eventLimit("a", 1, "beside")}, "thresholds.events[0].direction"},
		"no direction":           {[]object{{"name": "a", "rate": 1}}, "thresholds.events[0].direction"},
		"a rate of nothing":      {[]object{eventLimit("a", 0, "above")}, "thresholds.events[0].rate"},
		"at least everybody":     {[]object{eventLimit("a", 100, "below")}, "thresholds.events[0].rate"},
		"four decimals":          {[]object{eventLimit("a", 1.2345, "below")}, "thresholds.events[0].rate"},
		"more than 5":            {six, "thresholds.events"},
	} {
		a := p.do(request{method: http.MethodPost, path: "/v1/ota/rollout-policies", body: policy(c.events)})
		problem := a.record(http.StatusBadRequest)
		require.Equal(t, c.field, problem["errors"].([]any)[0].(map[string]any)["field"], "%s: %v", name, problem)
	}

	made := p.create("/v1/ota/rollout-policies", policy([]object{eventLimit("paid", 30, "below")}))
	at := path("/v1/ota/rollout-policies/%d", made.id("id"))
	patch := func(thresholds object) any {
		patched := p.do(request{method: http.MethodPatch, path: at, body: object{"thresholds": thresholds}}).record(200)
		return patched["thresholds"].(map[string]any)["events"]
	}
	limit := map[string]any{"name": "paid", "rate": 30.0, "direction": "below"}
	require.Equal(t, []any{limit}, patch(object{"crashRate": 2.0}))
	require.Equal(t, []any{map[string]any{"name": "left", "rate": 2.5, "direction": "above"}},
		patch(object{"events": []object{eventLimit("left", 2.5, "above")}}))
	require.Empty(t, patch(object{"events": nil}))
}
