package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestFlagStatesOfEveryShapeAreKept(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	states := object{
		"bool": true, "number": 4.5, "whole": 1e3, "null": nil, "text": "on", "Ünïcödé-漢字-🚀": "wért 漢字", "": "empty name", "empty": "",
		"nested": object{"deep": []any{1, object{"deeper": nil}}}, "array": []any{1, "2"}, "quote": `"'\`, "ctrl": "a\tb\nc",
		"right": "\u202egnp", "checkout": true,
	}
	r.taken(r.with(object{"type": "crash", "count": 1, "message": "shapes", "flagStates": states}), nil)
	thousand := object{"checkout": true}
	for n := range 1000 {
		thousand[fmt.Sprintf("flag-%04d", n)] = n%2 == 0
	}
	r.taken(r.with(object{"type": "js_error", "count": 1, "message": "thousand", "flagStates": thousand, "tags": thousand}), nil)
	for _, shape := range []any{nil, object{}, object{"a": nil}} {
		r.taken(r.with(object{"type": "custom", "count": 1, "message": "none", "flagStates": shape, "tags": shape}), nil)
	}
	r.requireBooks(5, 0, 5)

	told := func(search string) []object { return r.list("/v1/ota/telemetry/events?search=" + search) }
	shapes := told("shapes")
	require.Len(t, shapes, 1)
	require.Equal(t, map[string]any{
		"bool": "true", "number": "4.5", "whole": "1000", "text": "on", "Ünïcödé-漢字-🚀": "wért 漢字", "": "empty name", "empty": "",
		"nested": `{"deep":[1,{"deeper":null}]}`, "array": `[1,"2"]`, "quote": `"'\`, "ctrl": "a\tb\nc", "right": "\u202egnp", "checkout": "true",
	}, shapes[0]["flagStates"])
	kept := told("thousand")
	require.Len(t, kept, 1)
	require.Len(t, kept[0]["flagStates"], 256)
	require.Len(t, kept[0]["tags"], 64)
	for _, event := range told("none") {
		require.Empty(t, event["flagStates"])
	}
	// Only names that can be a flag's key are counted.
	impacts := map[string]string{}
	for _, i := range r.list("/v1/ota/telemetry/flag-impacts") {
		impacts[i["flagKey"].(string)+" "+i["variation"].(string)] = fmt.Sprint(i["devices"], i["erroredDevices"], i["crashedDevices"])
	}
	for _, state := range []string{"bool true", "number 4.5", "checkout true", "array [1,\"2\"]"} {
		require.Equal(t, "1 1 1", impacts[state], state)
	}
	require.Equal(t, "1 1 0", impacts["flag-0000 true"])
	require.NotContains(t, impacts, "null null")
	require.NotContains(t, impacts, "Ünïcödé-漢字-🚀 wért 漢字")
}

// A sender who invents names without end must not make telemetry grow without end, and must not hide other data. The
// invented names count under few names, and the project's own data keeps its names.
func TestInventedNamesStayFewAndCountExactly(t *testing.T) {
	t.Parallel()
	r := newReporting(t)
	const reports, events, states = 150, 50, 40
	attack := func(i int) error {
		var sent []object
		for n := range events {
			invented := object{"checkout": uuid.NewString()}
			for range states {
				invented["f"+uuid.NewString()] = uuid.NewString()
			}
			sent = append(sent, object{
				"type": []string{"crash", "custom", "app_launch"}[n%3], "count": 2, "name": uuid.NewString(), "errorName": uuid.NewString(),
				"message": uuid.NewString(), "flagStates": invented, "tags": object{uuid.NewString(): uuid.NewString()},
			})
		}
		// Most reports contain only their own new names, because such reports are cheap to send.
		for n := range 10 {
			change := object{
				"deviceId": fmt.Sprintf("attacker-%d", i), "channel": uuid.NewString(), "runtimeVersion": uuid.NewString(),
				"updateUuid": uuid.NewString(), "events": []object{},
			}
			if n == 0 {
				change["events"] = sent
			}
			a := r.do(request{method: http.MethodPost, path: "/v1/ota/health-metrics", body: r.report(change)})
			if a.status != http.StatusNoContent {
				return fmt.Errorf("%d %s", a.status, a.body)
			}
		}
		return nil
	}
	inParallel(t, reports, attack)
	// An honest device reports afterwards.
	for range 3 {
		r.taken(r.report(object{"deviceId": "honest", "events": []object{
			{"type": "js_error", "count": 5, "flagStates": object{"checkout": true}}, {"type": "app_launch", "count": 1, "flagStates": object{"checkout": true}},
		}}), nil)
	}
	launches := reports*2*(events/3) + 3
	r.requireBooks(10*reports+3, launches, reports*events+6)

	distinct := func(what, table string) uint64 {
		return r.books.query(fmt.Sprintf("SELECT '', uniqExact(%s) FROM %s WHERE project_id = %d", what, table, r.id))[""]
	}
	for what, most := range map[string]uint64{
		"channel": 100, "runtime_version": 500, "update_uuid": 1000, "name": 2000, "error_name": 2000,
		"arrayJoin(mapKeys(tags))": 500, "arrayJoin(mapKeys(flag_states))": 1000,
		"arrayJoin(arrayZip(mapKeys(flag_states), mapValues(flag_states)))": 5000 + 1001,
	} {
		table := "health_events"
		if what == "channel" || what == "runtime_version" || what == "update_uuid" {
			table = "health_reports"
		}
		// The common name for all other names and the project's own names are added to the limit.
		require.LessOrEqual(t, distinct(what, table), most+3, what)
		require.Greater(t, distinct(what, table), most/3, "%s: the attack had no effect", what)
	}
	require.LessOrEqual(t, distinct("tuple(flag_key, variation, update_uuid, channel)", "flag_activity"), uint64(10_000))

	// The responses are limited in size, and exact about the honest device.
	adoption := r.requireActive(reports + 1)
	require.LessOrEqual(t, len(adoption["distribution"].([]any)), 500)
	require.LessOrEqual(t, len(r.list("/v1/ota/telemetry/flag-impacts")), 1000)
	series := r.read("/v1/ota/telemetry/timeseries?period=6h&runtimeVersion=1.0.0&channel=production&updateUuid=" + r.update)
	require.Equal(t, [2]int{3, 15}, [2]int{sum(series, "launches"), sum(series, "errors")})
	impacts := r.list("/v1/ota/telemetry/flag-impacts?flagKey=checkout&channel=production")
	require.Len(t, impacts, 1)
	require.Equal(t, [4]any{"true", "1.0.0", 1.0, 1.0},
		[4]any{impacts[0]["variation"], impacts[0]["runtimeVersion"], impacts[0]["devices"], impacts[0]["erroredDevices"]})
}
