package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Verdict is what reported health says about a release's limits.
type Verdict string

// Verdicts, from harmless to harmful.
const (
	// VerdictFine: every watched rate keeps its limit, or none is watched.
	VerdictFine Verdict = "fine"
	// VerdictNoData: a rate is watched and no device has reported, or health could
	// not be read.
	VerdictNoData Verdict = "no_data"
	// VerdictHold: a rate is above its limit, but so few devices could be chance.
	VerdictHold Verdict = "hold"
	// VerdictBreach: a limit is broken.
	VerdictBreach Verdict = "breach"
)

// Metric is a rate that thresholds may limit.
type Metric string

// Metrics.
const (
	MetricErrorRate Metric = "errorRate"
	MetricCrashRate Metric = "crashRate"
)

// Reading is one watched metric beside its limit, or beside the same metric of
// devices outside the share.
type Reading struct {
	Metric   Metric
	Affected int64
	Devices  int64
	// Rate and Limit are percent of devices; Limit is the rate outside where Outside is
	// set.
	Rate  float64
	Limit float64
	// Outside are the devices outside the share, nil for a reading beside a limit.
	Outside *Group
	// Evidence against the release; DecisiveEvidence and above breaks the limit when
	// the method is sequential.
	Evidence float64
	Verdict  Verdict
}

// Group is some devices and how many of them are affected.
type Group struct{ Affected, Devices int64 }

// Judgement is the verdict on a release's health. Worst is the reading that
// decided it, nil when nothing is watched or nothing reported.
type Judgement struct {
	Verdict  Verdict
	Evidence float64
	Worst    *Reading
}

// Judge weighs health against thresholds. minDevices is the stage's, which the
// point method waits for. An empty method is the sequential one. before is what
// earlier stages say of devices inside beside outside; only thresholds whose
// baseline is the control look at it. Comparisons are sequential by nature.
//
// When n things are watched there are n chances to be wrong, so that each needs n
// times the evidence, n/α. The evidence reported is divided by n instead, which
// keeps its meaning: DecisiveEvidence breaks a limit, whatever is watched.
func Judge(health models.ReleaseHealth, t models.Thresholds, minDevices int64, before Comparison) Judgement {
	watched := watch(health, t)
	if len(watched) == 0 {
		return Judgement{Verdict: VerdictFine}
	}
	if health.Devices <= 0 {
		return Judgement{Verdict: VerdictNoData}
	}
	j := Judgement{}
	for i := range watched {
		r := &watched[i]
		if r.Outside != nil {
			r.judgeBeside(before.With(health.Compared).LogEvidence(r.Metric), len(watched))
		} else {
			r.judge(t.Method, minDevices, len(watched))
		}
		j.Evidence = math.Max(j.Evidence, r.Evidence)
		if j.Worst == nil || worse(*r, *j.Worst) {
			j.Worst = r
		}
	}
	j.Verdict = j.Worst.Verdict
	return j
}

func watch(h models.ReleaseHealth, t models.Thresholds) []Reading {
	var readings, compared []Reading
	if t.CrashRate != nil {
		readings = append(readings, Reading{Metric: MetricCrashRate, Affected: h.CrashedDevices, Devices: h.Devices, Rate: h.CrashRate(), Limit: *t.CrashRate})
	}
	if t.ErrorRate != nil {
		readings = append(readings, Reading{Metric: MetricErrorRate, Affected: h.ErroredDevices, Devices: h.Devices, Rate: h.ErrorRate(), Limit: *t.ErrorRate})
	}
	if t.Baseline == models.BaselineControl {
		// Without limits both metrics are compared, else those that have one.
		for _, m := range []Metric{MetricCrashRate, MetricErrorRate} {
			if len(readings) == 0 || limited(t, m) {
				compared = append(compared, compare(m, h.Compared))
			}
		}
	}
	return append(readings, compared...)
}

func limited(t models.Thresholds, m Metric) bool {
	if m == MetricErrorRate {
		return t.ErrorRate != nil
	}
	return t.CrashRate != nil
}

func (r *Reading) judge(method models.EvidenceMethod, minDevices int64, watched int) {
	logE := LogEvidence(r.Affected, r.Devices, r.Limit/100) - math.Log(float64(watched))
	r.Evidence = evidence(logE)
	decided := logE >= math.Log(DecisiveEvidence)
	if method == models.MethodPoint {
		decided = r.Devices >= minDevices
	}
	switch {
	case r.Rate <= r.Limit:
		r.Verdict = VerdictFine
	case decided:
		r.Verdict = VerdictBreach
	default:
		r.Verdict = VerdictHold
	}
}

// judgeBeside judges a comparison. What says rather that devices inside fare worse
// than that they do not holds the stage until more is known.
func (r *Reading) judgeBeside(logE float64, watched int) {
	r.Evidence = evidence(logE - math.Log(float64(watched)))
	switch {
	case r.Evidence >= DecisiveEvidence:
		r.Verdict = VerdictBreach
	case logE > 0 && r.Rate > r.Limit:
		r.Verdict = VerdictHold
	default:
		r.Verdict = VerdictFine
	}
}

func worse(a, b Reading) bool {
	if a.Verdict != b.Verdict {
		return a.Verdict.severity() > b.Verdict.severity()
	}
	return a.Evidence > b.Evidence
}

func (v Verdict) severity() int {
	switch v {
	case VerdictBreach:
		return 3
	case VerdictHold:
		return 2
	case VerdictNoData:
		return 1
	case VerdictFine:
		return 0
	default:
		return 0
	}
}
