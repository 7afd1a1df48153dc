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

// Reading is one watched metric beside its limit.
type Reading struct {
	Metric   Metric
	Affected int64
	Devices  int64
	// Rate and Limit are percent of devices.
	Rate  float64
	Limit float64
	// Evidence against the release; DecisiveEvidence and above breaks the limit when
	// the method is sequential.
	Evidence float64
	Verdict  Verdict
}

// Judgement is the verdict on a release's health. Worst is the reading that
// decided it, nil when nothing is watched or nothing reported.
type Judgement struct {
	Verdict  Verdict
	Evidence float64
	Worst    *Reading
}

// Judge weighs health against thresholds. minDevices is the stage's, which the
// point method waits for. An empty method is the sequential one.
//
// When both rates are watched there are two chances to be wrong, so that each
// needs twice the evidence, 2/α. The evidence reported is divided by the number
// of watched rates instead, which keeps its meaning: DecisiveEvidence breaks a
// limit, whatever is watched.
func Judge(health models.ReleaseHealth, t models.Thresholds, minDevices int64) Judgement {
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
		r.judge(t.Method, minDevices, len(watched))
		j.Evidence = math.Max(j.Evidence, r.Evidence)
		if j.Worst == nil || worse(*r, *j.Worst) {
			j.Worst = r
		}
	}
	j.Verdict = j.Worst.Verdict
	return j
}

// Watched reports whether t limits any rate.
func Watched(t models.Thresholds) bool { return t.ErrorRate != nil || t.CrashRate != nil }

func watch(h models.ReleaseHealth, t models.Thresholds) []Reading {
	var readings []Reading
	if t.CrashRate != nil {
		readings = append(readings, Reading{Metric: MetricCrashRate, Affected: h.CrashedDevices, Devices: h.Devices, Rate: h.CrashRate(), Limit: *t.CrashRate})
	}
	if t.ErrorRate != nil {
		readings = append(readings, Reading{Metric: MetricErrorRate, Affected: h.ErroredDevices, Devices: h.Devices, Rate: h.ErrorRate(), Limit: *t.ErrorRate})
	}
	return readings
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
