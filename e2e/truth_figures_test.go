package e2e

import (
	"fmt"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
)

func (w truth) requireTimeseries(p *tenant, every tally) {
	p.t.Helper()
	for _, period := range []string{"1h", "6h", "24h", "7d", "14d", "30d", "90d"} {
		for query, keep := range map[string]func(s sent, e object) bool{
			"":                            func(sent, object) bool { return true },
			"&channel=staging":            func(s sent, _ object) bool { return s.channel == "staging" },
			"&updateUuid=" + w.updates[1]: func(s sent, _ object) bool { return s.update == w.updates[1] },
			"&platform=android":           func(sent, object) bool { return false },
		} {
			got := p.read("/v1/ota/telemetry/timeseries?period=" + period + query)
			want := w.of(true, keep)
			require.Equal(p.t, [3]int{want.launches, want.jsErrors, want.crashes}, [3]int{sum(got, "launches"), sum(got, "errors"), sum(got, "crashes")})
			points := got["points"].([]any)
			if sending := points[len(points)-1].(map[string]any); period == "90d" && len(want.seen) > 0 {
				require.Equal(p.t, float64(len(want.seen)), sending["devices"])
				require.InDelta(p.t, want.errorRate(), sending["errorRate"], 1e-9)
				require.InDelta(p.t, want.crashFree(), sending["crashFreePercentage"], 1e-9)
				require.InDelta(p.t, 100-want.crashFree(), sending["crashRate"], 1e-9)
			}
		}
	}
}

func (w truth) requireAdoption(p *tenant, every tally, releases ...object) {
	p.t.Helper()
	got := p.read("/v1/ota/insights/adoption?days=30")
	require.Equal(p.t, float64(len(every.seen)), got["totalActiveDevices"])
	require.Equal(p.t, float64(len(releases)), got["releasesTracked"])
	require.Len(p.t, got["downloadsByDay"], 30)
	today := got["downloadsByDay"].([]any)[29].(map[string]any)
	require.Equal(p.t, today["downloads"], today["devices"])
	distribution, adoption := got["distribution"].([]any), got["adoption"].([]any)
	require.Len(p.t, distribution, len(w.updates))
	require.Len(p.t, adoption, len(w.updates))
	for _, update := range w.updates {
		devices := float64(len(w.of(true, func(s sent, _ object) bool { return s.update == update }).seen))
		at := func(list []any) object {
			i := slices.IndexFunc(list, func(a any) bool { return text(a.(map[string]any)["updateUuid"]) == update })
			require.GreaterOrEqual(p.t, i, 0)
			return list[i].(map[string]any)
		}
		require.Equal(p.t, devices, at(distribution)["devices"])
		require.InDelta(p.t, 100*devices/float64(len(every.seen)), at(distribution)["percentage"], 1e-9)
		require.Equal(p.t, devices, at(adoption)["devices"])
		if i := slices.IndexFunc(releases, func(r object) bool { return r["updateUuid"] == update }); i >= 0 {
			for _, field := range []string{"platform", "runtimeVersion", "channel", "branchName"} {
				require.Equal(p.t, releases[i][field], at(distribution)[field])
			}
			require.Equal(p.t, releases[i]["id"], at(distribution)["updateId"])
		}
	}
}

func (w truth) requireFlags(p *tenant, flag object) {
	p.t.Helper()
	impacts := p.list("/v1/ota/telemetry/flag-impacts?days=30")
	found := 0
	for flagKey, variations := range map[string][]any{"checkout": {true, false}, "unheard-of": {0, 1, 2}} {
		for _, update := range w.updates {
			for _, channel := range []string{"production", "staging"} {
				under := func(pass func(value any) bool) tally {
					return w.of(false, func(s sent, e object) bool {
						if e == nil || e["flagStates"] == nil || s.update != update || s.channel != channel {
							return false
						}
						return pass(e["flagStates"].(object)[flagKey])
					})
				}
				for _, variation := range variations {
					want := under(func(v any) bool { return v == variation })
					i := slices.IndexFunc(impacts, func(o object) bool {
						return o["flagKey"] == flagKey && o["variation"] == fmt.Sprint(variation) && text(o["updateUuid"]) == update && o["channel"] == channel
					})
					require.GreaterOrEqual(p.t, i, 0)
					found++
					require.Equal(p.t, [3]float64{float64(len(want.seen)), float64(len(want.errored)), float64(len(want.crashed))},
						[3]float64{impacts[i]["devices"].(float64), impacts[i]["erroredDevices"].(float64), impacts[i]["crashedDevices"].(float64)})
					require.InDelta(p.t, want.errorRate(), impacts[i]["errorRate"], 1e-9)
					require.InDelta(p.t, want.crashFree(), impacts[i]["crashFreePercentage"], 1e-9)
				}
			}
		}
	}
	require.Len(p.t, impacts, found)

	health := p.read(path("/v1/ota/flags/%d/health", flag.id("id")))
	all := w.of(false, func(_ sent, e object) bool { return e != nil && e["flagStates"] != nil })
	require.Equal(p.t, float64(len(all.errored)), health["affectedDevices"])
	require.InDelta(p.t, all.errorRate(), health["errorRate"], 1e-9)
	require.InDelta(p.t, all.crashFree(), health["crashFreePercentage"], 1e-9)
	require.Equal(p.t, "incident", health["status"], "half of all devices crash")
	require.Len(p.t, health["variations"], 4)
	for _, v := range health["variations"].([]any) {
		v := object(v.(map[string]any))
		of := func(value bool) tally {
			return w.of(false, func(s sent, e object) bool {
				return e != nil && e["flagStates"] != nil && s.channel == v["channel"] && e["flagStates"].(object)["checkout"] == value
			})
		}
		on := v["variation"] == "true"
		require.Equal(p.t, float64(len(of(on).seen)), v["devices"])
		require.InDelta(p.t, of(on).errorRate()-of(!on).errorRate(), v["errorRateDelta"], 1e-9)
		require.Equal(p.t, map[bool]string{true: "On", false: "Off"}[on], v["name"])
	}

	evaluations := p.read(path("/v1/ota/flags/%d/evaluations", flag.id("id")))
	require.Equal(p.t, []any{
		map[string]any{"value": "true", "name": "On", "count": 45.0, "percentage": 75.0},
		map[string]any{"value": "false", "name": "Off", "count": 15.0, "percentage": 25.0},
	}, evaluations["variations"])
	require.NotNil(p.t, evaluations["lastEvaluatedAt"])
	require.Len(p.t, evaluations["daily"], 2)
}

// requireEvents reads all events page by page: each comes once, newest first.
func (w truth) requireEvents(p *tenant) {
	p.t.Helper()
	for first, keep := range map[string]func(s sent, e object) bool{
		"/v1/ota/telemetry/events?limit=200&type=crash":          func(_ sent, e object) bool { return e["type"] == "crash" },
		"/v1/ota/observe/events?deviceId=" + w.reports[0].device: func(s sent, e object) bool { return s.device == w.reports[0].device && e["type"] != "app_launch" },
		"/v1/ota/observe/events?type=custom&search=N7&channel=staging&platform=ios": func(s sent, e object) bool {
			return s.channel == "staging" && e["name"] == "n7" && e["type"] == "custom"
		},
	} {
		want := 0
		for _, s := range w.reports {
			for _, e := range s.events {
				if keep(s, e) {
					want++
				}
			}
		}
		seen, last := map[string]bool{}, "9"
		for next := first; next != ""; {
			a := p.do(at("%s", next).get())
			for _, e := range a.list() {
				require.False(p.t, seen[e["id"].(string)])
				seen[e["id"].(string)] = true
				require.LessOrEqual(p.t, e["receivedAt"].(string), last)
				last = e["receivedAt"].(string)
			}
			next, _, _ = strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"), ">")
		}
		require.Len(p.t, seen, want, first)
	}
}

func (w truth) requireRefused(p *tenant) {
	p.t.Helper()
	for _, r := range p.list("/v1/ota/telemetry/refused") {
		reason := r["reason"].(string)
		if reason == "missing_platform" { // known asked so until it was
			continue
		}
		require.Equal(p.t, float64(len(w.refused[reason])), r["devices"], reason)
		require.Equal(p.t, 2*r["devices"].(float64), r["requests"], reason)
	}
}
