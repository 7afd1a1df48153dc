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
	// VerdictNoData: a rate is watched and no device counts for it, or health cannot be read.
	VerdictNoData
	// VerdictHold: a rate is above its limit without enough evidence, or would be without one
	// network, or is and too few networks are heard.
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

// affected is how many devices of a group the metric is about.
func (m Metric) affected(g models.GroupHealth) int64 {
	if m == MetricErrorRate {
		return g.ErroredDevices
	}
	return g.CrashedDevices
}

// tally is the votes on the metric.
func (m Metric) tally(v models.Votes) models.Tally {
	if m == MetricErrorRate {
		return v.Errored
	}
	return v.Crashed
}

// Reading is one watched metric beside its limit, or beside the same metric of the control group.
type Reading struct {
	Metric Metric
	// Group is what is read: votes of networks when Votes, else devices.
	Group
	Votes bool
	// Limit is in percent; it is the control group's rate when Outside is set.
	Limit float64
	// Event is set for a custom event. Below a limit from below the group's affected devices are those
	// that did not report the event, and Limit is the highest rate of these.
	Event *models.EventLimit
	// Outside is the control group, nil for a reading beside a limit.
	Outside *Group
	// Evidence against the release, without the most affected networks. With the sequential method
	// DecisiveEvidence makes a breach.
	Evidence float64
	Verdict  Verdict

	ballot ballot
	// electorate is who voted.
	electorate electorate
	// counted is how many devices count for minDevices, and few says that less than minNetworks are heard, of an event.
	counted int64
	few     bool
}

// countedDevices is how many devices count for minDevices.
func (r Reading) countedDevices(h models.ReleaseHealth, t models.Thresholds) int64 {
	if r.Event != nil {
		return r.counted
	}
	return countedDevices(h, t)
}

// below reports whether the reading is of a limit from below.
func (r Reading) below() bool { return r.Event != nil && r.Event.Direction == models.EventBelow }

// Judgement is the verdict on a release's health. Worst is the reading that decided it, nil when
// nothing is watched or no device reported.
type Judgement struct {
	Verdict  Verdict
	Evidence float64
	Worst    *Reading
	// FewNetworks says that less than the thresholds' minNetworks votes or only one allocation is heard: the rollout then
	// neither advances nor rolls back.
	FewNetworks bool
}

// Judge compares health with thresholds. minDevices is the stage's, for which the point method
// waits. An empty method is the sequential one. before is the comparison with the control group in
// earlier stages; it is used when the thresholds' baseline is the control group. Comparisons are
// always sequential.
//
// Whoever can be served under any number of device ids still has few networks, so what is judged is one vote per network
// (models.Votes), and fewer for the networks of one allocation. A breach must be one without the most affected networks and
// without any one allocation. No rate is within its limit unless it is without any one allocation as well. So nobody with one
// allocation decides anything. With minNetworks 1 devices are judged.
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
	j := Judgement{FewNetworks: electorateOf(health.Votes).few(t)}
	for i := range watched {
		r := &watched[i]
		if r.Outside != nil {
			against := before.With(health.Compared, t).LogEvidence(r.Metric)
			r.judgeBeside(against, before.stricter(health.Compared, t).LogEvidence(r.Metric), len(watched))
		} else {
			r.judge(t.Method, r.countedDevices(health, t) >= minDevices, len(watched))
		}
		if (j.FewNetworks || r.few) && r.Verdict == VerdictBreach {
			r.Verdict = VerdictHold
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
			b := devicesBallot(m.affected, h.Devices)
			if votes(t) {
				b = electorateOf(h.Votes).ballot(m.metric.tally(h.Votes), LeftOut(h.Votes.Total(), *m.limit/100))
			}
			readings = append(readings, Reading{
				Metric: m.metric, Group: b.all, Votes: votes(t), Limit: *m.limit, ballot: b, electorate: electorateOf(h.Votes),
			})
		}
		if t.Baseline == models.BaselineControl && (m.limit != nil || t.CrashRate == nil && t.ErrorRate == nil) {
			compared = append(compared, compare(m.metric, h.Compared, t))
		}
	}
	for _, l := range t.Events {
		readings = append(readings, readEvent(l, h.Event(l), t))
	}
	return append(readings, compared...)
}

// judge judges a reading beside its limit; enough says that minDevices have reported.
func (r *Reading) judge(method models.EvidenceMethod, enough bool, watched int) {
	without := r.ballot.without
	logE := -math.Log(float64(watched))
	if r.below() {
		logE += logShortfall(without.Affected, without.Counted, r.Event.Rate/100)
	} else {
		logE += LogEvidence(without.Affected, without.Counted, r.Limit/100)
	}
	r.Evidence = evidence(logE)
	decided := logE >= math.Log(DecisiveEvidence)
	if method == models.MethodPoint {
		decided = enough
	}
	switch {
	case r.Event != nil && r.Counted == 0:
		r.Verdict = VerdictNoData
	case decided && without.Rate() > r.Limit:
		r.Verdict = VerdictBreach
	case r.ballot.strict.Rate() <= r.Limit:
		r.Verdict = VerdictFine
	default:
		r.Verdict = VerdictHold
	}
}

// judgeBeside judges a comparison by the logarithms of its evidence against the release, without
// the networks that speak most against it and without those that speak most for it. It holds the
// stage while a higher rate inside the share is likelier than equal rates, but not yet with decisive
// evidence.
func (r *Reading) judgeBeside(against, strictly float64, watched int) {
	r.Evidence = evidence(against - math.Log(float64(watched)))
	switch {
	case r.Evidence >= DecisiveEvidence:
		r.Verdict = VerdictBreach
	case strictly > 0 && r.Rate() > r.Limit:
		r.Verdict = VerdictHold
	default:
		r.Verdict = VerdictFine
	}
}
