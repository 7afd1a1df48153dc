package e2e

import (
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// TestAnApprovedEndOfAStopAndAnApprovedSegmentAreCarriedOut lets a second person approve two calls. The worker applies
// them without the API, and devices are served the changes.
func TestAnApprovedEndOfAStopAndAnApprovedSegmentAreCarriedOut(t *testing.T) {
	t.Parallel()
	env := settings(t)
	var log serverLog
	address, _ := startLogging(t, env, app.Role{API: true, Worker: true}, slog.New(slog.NewTextHandler(&log, nil)))
	p := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	author, colleague := p.person(models.RoleEditor), p.person(models.RoleEditor)

	// The response to the change of a segment counts the devices that have reported, by the releases that they run.
	p.run([]string{"d"}, p.release()["updateUuid"], "app_launch")
	segment := p.create("/v1/ota/segments", object{"name": "iPhones", "matchType": "all", "conditions": []object{
		{"attribute": "platform", "operator": "eq", "valuesJson": []string{"ios"}},
		{"attribute": "channel", "operator": "eq", "valuesJson": []string{"production"}},
	}})
	flag := p.create("/v1/ota/flags", p.flagBody().with("enabled", true)).id("id")
	p.create(path("/v1/ota/flags/%d/rules", flag), object{
		"ruleType": "segment", "ruleConfig": object{"segmentKey": segment["key"]}, "variantValue": "true", "priority": 1,
	})
	p.protect("production", 1)
	stored := func() object { return p.read(path("/v1/ota/segments/%d", segment.id("id"))) }
	p.eventually(func() bool { return stored()["estimatedDevices"] == 1.0 })

	asked := p.pending(to(object{"matchType": "any"}, "/v1/ota/segments/%d", segment.id("id")).by(http.MethodPatch).in(author.session))
	require.Contains(t, asked["summary"], `from devices where platform is "ios" and channel is "production" to devices where platform is "ios" or`)
	require.Equal(t, "all", stored()["matchType"])
	p.carriedOut(asked.id("id"), colleague)
	require.Equal(t, "any", stored()["matchType"])

	p.stop("it hurts") // a stop never waits
	require.False(t, p.offered("production"))
	asked = p.pending(at("/v1/ota/emergency-stop").by(http.MethodDelete).in(author.session))
	require.False(t, p.offered("production"))
	p.carriedOut(asked.id("id"), colleague)
	require.Equal(t, false, p.read("/v1/ota/emergency-stop")["active"])
	p.eventually(func() bool { return p.offered("production") })
	require.NotContains(t, log.String(), "panic in a handler")
}

// TestEveryOperationIsCarriedOutWhenItIsApproved tests every operation of the table, from the call through the approval
// of a second person to the end of the call in a worker. With -short it tests every fourth operation.
func TestEveryOperationIsCarriedOutWhenItIsApproved(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	var mu sync.Mutex
	seen, found := map[string]bool{}, 0
	t.Run("calls", func(t *testing.T) {
		for _, r := range allRoutes(t) {
			calls := waiting[r.String()]
			if calls == nil {
				continue
			}
			if found++; testing.Short() && found%4 != 1 {
				continue
			}
			t.Run(r.String(), func(t *testing.T) {
				t.Parallel()
				g := guardIn(t, server)
				if r.path == "/v1/ota/emergency-stop" {
					g.stop("so that it can be ended")
				}
				colleague := g.person(models.RoleEditor)
				g.protect("production", 1)
				call := calls[0](g)
				call.method, call.key = r.method, g.keys[models.RoleEditor]
				asked := g.pending(call)
				done := g.carriedOut(asked.id("id"), colleague)
				require.NotNil(t, done["input"])
				// The change may have superseded a rollout, which then ended after it.
				story := g.list("/v1/ota/audit-log?limit=10")
				end := slices.IndexFunc(story, func(e object) bool { return e["action"] == "approval.carried_out" })
				require.GreaterOrEqual(t, end, 0)
				if r.path == "/v1/ota/flags/{id}/schedule" { // the flag changes at the time of the schedule
					require.Equal(t, "scheduled", g.list(path("/v1/ota/flags/%d/schedule", g.flag.id("id")))[0]["status"])
				} else {
					require.NotContains(t, story[end+1]["action"], "approval.", "nothing changed")
				}
				mu.Lock()
				defer mu.Unlock()
				seen[done["action"].(string)] = true
			})
		}
	})
	if testing.Short() {
		require.Subset(t, operations.Names(), slices.Collect(maps.Keys(seen)))
		require.NotEmpty(t, seen)
		return
	}
	require.Equal(t, operations.Names(), slices.Sorted(maps.Keys(seen)))
}
