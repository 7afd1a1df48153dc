package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Verdict is the judgement of a release's health.
type Verdict int

// Verdicts, from harmless to harmful.
const (
	// VerdictFine: every watched rate is within its limit, or none is watched.
	VerdictFine Verdict = iota
	// VerdictNoData: a rate is watched and no device has reported, or health cannot be read.
	VerdictNoData
	// VerdictHold: a rate is above its limit without enough evidence.
	VerdictHold
	// VerdictBreach: a rate is above its limit with evidence.
	VerdictBreach
)

// Metric is a rate that thresholds may limit.
type Metric string

// Metrics, as sentences name them.
const (
	MetricErrorRate Metric = "error rate"
	MetricCrashRate Metric = "crash rate"
)

// Reading is one watched metric beside its limit, or beside the same metric of the control group.
type Reading struct {
	Metric   Metric
	Affected int64
	Devices  int64
	// Rate and Limit are percent of devices. Limit is the control group's rate when Outside is set.
	Rate  float64
	Limit float64
	// Outside is the control group, nil for a reading beside a limit.
	Outside *Group
	// Evidence against the release. With the sequential method DecisiveEvidence makes a breach.
	Evidence float64
	Verdict  Verdict
}

// Group counts devices and how many of them are affected.
type Group struct{ Affected, Devices int64 }

// Judgement is the verdict on a release's health. Worst is the reading that decided it, nil when
// nothing is watched or no device reported.
type Judgement struct {
	Verdict  Verdict
	Evidence float64
	Worst    *Reading
}

// Judge compares health with thresholds. minDevices is the stage's, for which the point method
// waits. An empty method is the sequential one. before is the comparison with the control group in
// earlier stages; it is used when the thresholds' baseline is the control group. Comparisons are
// always sequential.
//
// With n watched readings there are n chances to be wrong, so each needs n times the evidence,
// n/α. The evidence in the result is divided by n instead: DecisiveEvidence makes a breach however
// many readings are watched.
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
		if j.Worst == nil || r.Verdict > j.Worst.Verdict || r.Verdict == j.Worst.Verdict && r.Evidence > j.Worst.Evidence {
			j.Worst = r
		}
	}
	j.Verdict = j.Worst.Verdict
	return j
}

// watch returns the readings that thresholds ask for. With the control group as baseline the
// metrics with a limit are compared, or both when neither has one.
func watch(h models.ReleaseHealth, t models.Thresholds) []Reading {
	var readings, compared []Reading
	for _, m := range []struct {
		metric   Metric
		affected int64
		limit    *float64
	}{
		{MetricCrashRate, h.CrashedDevices, t.CrashRate},
		{MetricErrorRate, h.ErroredDevices, t.ErrorRate},
	} {
		if m.limit != nil {
			rate := percentage(m.affected, h.Devices)
			readings = append(readings, Reading{Metric: m.metric, Affected: m.affected, Devices: h.Devices, Rate: rate, Limit: *m.limit})
		}
		if t.Baseline == models.BaselineControl && (m.limit != nil || t.CrashRate == nil && t.ErrorRate == nil) {
			compared = append(compared, compare(m.metric, h.Compared))
		}
	}
	return append(readings, compared...)
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

// judgeBeside judges a comparison. It holds the stage while a higher rate inside the share is
// likelier than equal rates, but not yet with decisive evidence.
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
