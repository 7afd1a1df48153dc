package e2e

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A sketch of devices is exact up to 1/32 of its number of registers. Above that, a value within five standard
// deviations is right.
const (
	sketchExact, sketchSigma         = 256, 0.011
	flagSketchExact, flagSketchSigma = 128, 0.016
)

// near reports whether a count that may come from a sketch is right.
func near(want int, got any, exactUpTo int, sigma float64) bool {
	off := math.Abs(float64(want) - got.(float64))
	return off == 0 || want > exactUpTo && off <= 5*sigma*float64(want)
}

// requirePoint compares a bucket of a series. A report that the server received while one bucket ended and the next
// began may be in either.
func (w *truth) requirePoint(p *tenant, point map[string]any, length time.Duration, keep func(s *sent) bool) {
	p.t.Helper()
	from, err := time.Parse(time.RFC3339, point["time"].(string))
	require.NoError(p.t, err)
	until := from.Add(length)
	sure := w.of(func(s *sent) bool {
		return keep(s) && !s.begun.Add(-time.Millisecond).Before(from) && s.answered.Before(until)
	})
	possible := w.of(func(s *sent) bool {
		return keep(s) && !s.answered.Before(from) && s.begun.Add(-time.Millisecond).Before(until)
	})
	for field, bounds := range map[string][2]int{
		"devices": {len(sure.seen), len(possible.seen)}, "launches": {sure.launches, possible.launches},
		"errors": {sure.jsErrors, possible.jsErrors}, "crashes": {sure.crashes, possible.crashes},
	} {
		require.GreaterOrEqual(p.t, point[field], float64(bounds[0]), field)
		require.LessOrEqual(p.t, point[field], float64(bounds[1]), field)
	}
	if len(sure.seen) == len(possible.seen) && sure.launches == possible.launches {
		requirePercentage(p.t, sure.errorRate(), point["errorRate"])
		requirePercentage(p.t, sure.crashRate(), point["crashRate"])
		requirePercentage(p.t, 100-sure.crashRate(), point["crashFreePercentage"])
	}
}

// requirePercentage compares a percentage with the value in the response, which has three decimals.
func requirePercentage(t *testing.T, want float64, got any) {
	t.Helper()
	require.InDelta(t, want, got, 0.0005+1e-9)
}

func (w *truth) requireTimeseries(p *tenant) {
	p.t.Helper()
	lengths := map[string]time.Duration{
		"1h": time.Hour, "6h": 6 * time.Hour, "24h": 24 * time.Hour, "7d": 7 * 24 * time.Hour, "14d": 14 * 24 * time.Hour,
		"30d": 30 * 24 * time.Hour, "90d": 90 * 24 * time.Hour,
	}
	for period, length := range lengths {
		for query, keep := range map[string]func(s *sent) bool{
			"":                       anyReport,
			"&channel=staging":       func(s *sent) bool { return s.channel == "staging" },
			"&updateUuid=" + w.first: func(s *sent) bool { return s.update == w.first },
			"&updateUuid=" + w.second + "&channel=production": func(s *sent) bool { return s.update == w.second && s.channel == "production" },
			"&platform=android":                        func(s *sent) bool { return s.platform == "android" },
			"&runtimeVersion=0.9.0&platform=ios":       func(*sent) bool { return false },
			"&runtimeVersion=1.0.0&channel=production": func(s *sent) bool { return s.runtime == "1.0.0" && s.channel == "production" },
		} {
			got := p.read("/v1/ota/telemetry/timeseries?period=" + period + query)
			bucket := time.Duration(got["bucketSeconds"].(float64)) * time.Second
			points := got["points"].([]any)
			require.Equal(p.t, true, got["exact"], query)
			require.InDelta(p.t, float64(length/bucket), float64(len(points)), 1, "the series must include empty buckets")
			want := w.of(keep)
			require.Equal(p.t, [3]int{want.launches, want.jsErrors, want.crashes}, [3]int{sum(got, "launches"), sum(got, "errors"), sum(got, "crashes")}, period+query)
			for _, point := range points {
				w.requirePoint(p, point.(map[string]any), bucket, keep)
			}
		}
	}
}

// ran is the key by which adoption counts devices: the release, or the binary's platform and runtime version.
type ran struct{ update, platform, runtime string }

func (s *sent) ran() ran {
	if s.update != "" {
		return ran{update: s.update}
	}
	return ran{"", s.platform, s.runtime}
}

// lastRan counts each device once, by its last report. If reports were sent at the same time, or arrived within a
// millisecond, any of them may be the last. Such a device is possible for each of them. It is sure only if they all say
// the same.
func (w *truth) lastRan() (sure, possible map[ran]int) {
	byDevice := map[int][]*sent{}
	for i := range w.reports {
		s := &w.reports[i]
		byDevice[s.device] = append(byDevice[s.device], s)
	}
	sure, possible = map[ran]int{}, map[ran]int{}
	for _, reports := range byDevice {
		last := map[ran]bool{}
		for _, s := range reports {
			until := s.answered.Truncate(time.Millisecond)
			if !slices.ContainsFunc(reports, func(other *sent) bool { return until.Before(other.begun.Truncate(time.Millisecond)) }) {
				last[s.ran()] = true
			}
		}
		for b := range last {
			possible[b]++
			if len(last) == 1 {
				sure[b]++
			}
		}
	}
	return sure, possible
}

func (w *truth) requireAdoption(p *tenant, a asked, releases ...object) {
	p.t.Helper()
	every := w.of(anyReport)
	sure, possible := w.lastRan()
	updates := reportsBy(w, func(s *sent) string { return s.update })
	downloads, downloaders := 0, map[int]bool{}
	for _, devices := range a.served {
		downloads += len(devices)
		for device := range devices {
			downloaders[device] = true
		}
	}
	today := w.now().UTC().Format(time.DateOnly)
	for _, days := range []int{7, 14, 30, 90} {
		var got object
		p.eventually(func() bool {
			got = p.read(path("/v1/ota/insights/adoption?days=%d", days))
			return got["downloads"] == float64(downloads)
		})
		require.Equal(p.t, true, got["exact"])
		require.Equal(p.t, float64(len(every.seen)), got["totalActiveDevices"])
		require.Equal(p.t, float64(len(releases)), got["releasesTracked"])
		require.Len(p.t, got["downloadsByDay"], days)
		for i, day := range got["downloadsByDay"].([]any) {
			want := map[string]any{"date": w.now().UTC().AddDate(0, 0, i+1-days).Format(time.DateOnly), "downloads": 0.0, "devices": 0.0}
			if want["date"] == today {
				want["downloads"], want["devices"] = float64(downloads), float64(len(downloaders))
			}
			require.Equal(p.t, want, day)
		}
		distribution := got["distribution"].([]any)
		told := map[ran]int{}
		for _, entry := range distribution {
			entry := entry.(map[string]any)
			b := ran{update: text(entry["updateUuid"])}
			if i := slices.IndexFunc(releases, func(r object) bool { return r["updateUuid"] == b.update }); i < 0 {
				b.platform, b.runtime = entry["platform"].(string), entry["runtimeVersion"].(string)
			} else {
				for _, field := range []string{"platform", "runtimeVersion", "channel", "branchName"} {
					require.Equal(p.t, releases[i][field], entry[field])
				}
				require.Equal(p.t, releases[i]["id"], entry["updateId"])
			}
			require.NotContains(p.t, told, b)
			told[b] = int(entry["devices"].(float64))
			require.Positive(p.t, told[b])
			requirePercentage(p.t, share(told[b], len(every.seen)), entry["percentage"])
		}
		requireDistribution(p.t, told, sure, possible, len(every.seen))
		adoption := got["adoption"].([]any)
		require.LessOrEqual(p.t, len(adoption), len(updates))
		daily := 0.0
		for _, entry := range adoption {
			entry := entry.(map[string]any)
			require.Equal(p.t, today, entry["date"])
			require.LessOrEqual(p.t, entry["devices"], float64(len(updates[text(entry["updateUuid"])].seen)))
			daily += entry["devices"].(float64)
		}
		require.Equal(p.t, float64(len(every.seen)), daily, "each device counts once a day")
	}
}

// requireDistribution checks that the returned counts lie between the sure and the possible counts, and that each
// device is counted once.
func requireDistribution(t *testing.T, told, sure, possible map[ran]int, devices int) {
	t.Helper()
	total := 0
	for b, n := range told {
		require.LessOrEqual(t, n, possible[b], b)
		total += n
	}
	for b, n := range sure {
		require.GreaterOrEqual(t, told[b], n, b)
	}
	require.Equal(t, devices, total)
}

// impact is the key by which flag impacts are counted.
type impact struct{ flag, variation, update, channel, runtime string }

func (w *truth) requireImpacts(p *tenant) {
	p.t.Helper()
	every := statesBy(w, func(s *sent, flag, variation string) impact {
		return impact{flag, variation, s.update, s.channel, s.runtime}
	})
	for query, c := range map[string]struct {
		keep  func(i impact) bool
		exact bool
	}{
		"?days=30":                            {func(impact) bool { return true }, false},
		"?days=1&flagKey=checkout":            {func(i impact) bool { return i.flag == "checkout" }, true},
		"?flagKey=unheard-of&channel=staging": {func(i impact) bool { return i.flag == "unheard-of" && i.channel == "staging" }, true},
		"?flagKey=nobodys":                    {func(impact) bool { return false }, true},
	} {
		want := tallies[impact]{}
		for key, counted := range every {
			if c.keep(key) {
				want[key] = counted
			}
		}
		got := p.list("/v1/ota/telemetry/flag-impacts" + query)
		require.Len(p.t, got, len(want), query)
		for _, entry := range got {
			key := impact{
				entry["flagKey"].(string), entry["variation"].(string), text(entry["updateUuid"]), entry["channel"].(string),
				entry["runtimeVersion"].(string),
			}
			require.Contains(p.t, want, key)
			requireImpact(p, key, want, entry, c.exact)
		}
	}
}

func requireImpact(p *tenant, key impact, all tallies[impact], got object, exact bool) {
	p.t.Helper()
	want, others := all[key], newTally()
	devices, errored := 0, 0
	for other, counted := range all {
		if other.variation != key.variation && (impact{other.flag, key.variation, other.update, other.channel, other.runtime}) == key {
			devices, errored = devices+len(counted.seen), errored+len(counted.errored)
			others.seen[len(others.seen)] = true
		}
	}
	require.NotEmpty(p.t, others.seen)
	for field, count := range map[string]int{
		"devices": len(want.seen), "erroredDevices": len(want.errored), "crashedDevices": len(want.crashed),
	} {
		require.True(p.t, near(count, got[field], flagSketchExact, flagSketchSigma), "%v %s: %d, not %v", key, field, count, got[field])
		require.True(p.t, !exact || float64(count) == got[field], "%v %s: %d, not %v", key, field, count, got[field])
	}
	if exact {
		requirePercentage(p.t, want.errorRate(), got["errorRate"])
		requirePercentage(p.t, want.errorRate()-share(errored, devices), got["errorRateDelta"])
		requirePercentage(p.t, 100-want.crashRate(), got["crashFreePercentage"])
		return
	}
	requirePercentage(p.t, share(int(got["erroredDevices"].(float64)), int(got["devices"].(float64))), got["errorRate"])
	requirePercentage(p.t, 100-share(int(got["crashedDevices"].(float64)), int(got["devices"].(float64))), got["crashFreePercentage"])
}

// requireStatus checks a flag's status. The status depends on whether less than 99% crash-free devices, or more errors
// than elsewhere, can be chance. Near the boundary both results are accepted.
func (a *tally) requireStatus(p *tenant, got any) {
	p.t.Helper()
	devices, crashed := len(a.seen), len(a.crashed)
	chance := 1.0 // probability of at least as many crashed devices at a rate of 1%, by the binomial distribution
	term := math.Pow(0.99, float64(devices))
	for k := range crashed {
		chance -= term
		term *= float64(devices-k) / float64(k+1) * 0.01 / 0.99
	}
	switch {
	case a.crashRate() <= 0.5:
		require.Contains(p.t, []any{"degraded", "healthy"}, got)
	case a.crashRate() <= 1 || chance > 0.1:
		require.Equal(p.t, "degraded", got)
	case chance < 1e-3 && crashed > 3:
		require.Equal(p.t, "incident", got)
	default:
		require.Contains(p.t, []any{"incident", "degraded"}, got)
	}
}

func (w *truth) requireFlagHealth(p *tenant, flag object) {
	p.t.Helper()
	health := p.read(path("/v1/ota/flags/%d/health", flag.id("id")))
	all := statesBy(w, func(_ *sent, flag, _ string) string { return flag })["checkout"]
	require.Equal(p.t, float64(len(all.errored)), health["affectedDevices"])
	requirePercentage(p.t, all.errorRate(), health["errorRate"])
	requirePercentage(p.t, 100-all.crashRate(), health["crashFreePercentage"])
	if health["status"] != "incident" { // the status may come from the worst variation
		all.requireStatus(p, health["status"])
	}
	by := statesBy(w, func(s *sent, flag, variation string) [3]string { return [3]string{flag, variation, s.channel} })
	require.Len(p.t, health["variations"], 4)
	worst := 0.0
	for _, v := range health["variations"].([]any) {
		v := object(v.(map[string]any))
		on := v["variation"] == "true"
		mine := by[[3]string{"checkout", v["variation"].(string), v["channel"].(string)}]
		other := by[[3]string{"checkout", strconv.FormatBool(!on), v["channel"].(string)}]
		delta := mine.errorRate() - other.errorRate()
		worst = max(worst, delta)
		require.Equal(p.t, float64(len(mine.seen)), v["devices"])
		requirePercentage(p.t, mine.errorRate(), v["errorRate"])
		requirePercentage(p.t, delta, v["errorRateDelta"])
		requirePercentage(p.t, 100-mine.crashRate(), v["crashFreePercentage"])
		require.Equal(p.t, map[bool]string{true: "On", false: "Off"}[on], v["name"])
		mine.requireStatus(p, v["status"])
	}
	requirePercentage(p.t, worst, health["errorRateDelta"])
}

func (e evaluated) require(p *tenant, flag object) {
	p.t.Helper()
	got := p.read(path("/v1/ota/flags/%d/evaluations?days=1", flag.id("id")))
	require.Equal(p.t, "checkout", got["flagKey"])
	require.Equal(p.t, float64(e.total()), got["total"])
	last, err := time.Parse(time.RFC3339, got["lastEvaluatedAt"].(string))
	require.NoError(p.t, err)
	require.Equal(p.t, e.last, last)
	var variations, daily []any
	for _, v := range [][2]string{{"true", "On"}, {"false", "Off"}, {"(other)", ""}} {
		count := e.counts[v[0]]
		variations = append(variations, map[string]any{"value": v[0], "name": v[1], "count": float64(count), "percentage": math.Round(share(count, e.total())*1000) / 1000})
		daily = append(daily, map[string]any{"date": e.now().UTC().Format(time.DateOnly), "value": v[0], "count": float64(count)})
	}
	require.Equal(p.t, variations, got["variations"])
	require.ElementsMatch(p.t, daily, got["daily"])
}

// require compares the refused manifest requests.
func (a asked) require(p *tenant) {
	p.t.Helper()
	var got []object
	p.eventually(func() bool {
		got = p.list("/v1/ota/telemetry/refused")
		requests, want := 0.0, 0
		for _, r := range got {
			requests += r["requests"].(float64)
		}
		for _, n := range a.count {
			want += n
		}
		return requests >= float64(want)
	})
	require.Len(p.t, got, len(a.refused))
	for _, r := range got {
		kind := refusal4{r["reason"].(string), r["channel"].(string), r["platform"].(string), r["runtimeVersion"].(string)}
		require.Equal(p.t, float64(len(a.refused[kind])), r["devices"], kind)
		require.Equal(p.t, float64(a.count[kind]), r["requests"], kind)
		last, err := time.Parse(time.RFC3339, r["lastSeenAt"].(string))
		require.NoError(p.t, err)
		require.False(p.t, last.Before(a.since[kind].Truncate(time.Millisecond)), kind)
		require.False(p.t, last.After(a.until[kind]), kind)
	}
}

// requireIncidents compares the incidents that the watcher opened. The error rate is far above 1%, so there must be an
// incident wherever more than a few devices have errors.
func (w *truth) requireIncidents(p *tenant) {
	p.t.Helper()
	type cell struct{ update, channel, platform, runtime string }
	cells := reportsBy(w, func(s *sent) cell { return cell{s.update, s.channel, s.platform, s.runtime} })
	require.Len(p.t, cells, 8)
	var got []object
	right := func() string {
		got = p.list("/v1/ota/telemetry/incidents?status=open")
		open := map[cell]bool{}
		for _, i := range got {
			at := cell{text(i["updateUuid"]), i["channel"].(string), i["platform"].(string), i["runtimeVersion"].(string)}
			want := cells[at]
			if want == nil || len(want.errored) <= 5 || open[at] {
				return fmt.Sprintf("%v is none", i)
			}
			open[at] = true
			for field, count := range map[string]int{
				"devices": len(want.seen), "erroredDevices": len(want.errored), "crashedDevices": len(want.crashed), "peakErroredDevices": len(want.errored),
			} {
				if !near(count, i[field], sketchExact, sketchSigma) {
					return fmt.Sprintf("%s is %d, not %v", field, count, i[field])
				}
			}
		}
		for at, c := range cells {
			if len(c.errored) > 20 && !open[at] {
				return fmt.Sprintf("there is none of %v", at)
			}
		}
		return ""
	}
	p.eventually(func() bool { return right() == "" })
	require.NotEmpty(p.t, got)
	for _, i := range got {
		requirePercentage(p.t, share(int(i["erroredDevices"].(float64)), int(i["devices"].(float64))), i["errorRate"])
		require.Equal(p.t, 0.0, i["baselineErrorRate"])
		require.Nil(p.t, i["resolvedAt"])
	}
}
