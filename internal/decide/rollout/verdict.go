package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Verdict is the result of judging a release's health.
type Verdict int

// Verdicts, from harmless to harmful.
const (
	// VerdictFine: every watched rate is within its threshold, or no rate is watched.
	VerdictFine Verdict = iota
	// VerdictNoData: a rate is watched and no device counts for it, or health cannot be read.
	VerdictNoData
	// VerdictHold: a rate is above its threshold without enough evidence, or would be above it without one
	// allocation, or breaches it but too few networks have reported.
	VerdictHold
	// VerdictBreach: a rate is above its threshold with enough evidence.
	VerdictBreach
)

// Metric is a rate that can have a threshold.
type Metric string

// Metrics, as sentences name them.
const (
	MetricErrorRate Metric = "error rate"
	MetricCrashRate Metric = "crash rate"
)

// affected returns the number of devices in the group that the metric counts as affected.
func (m Metric) affected(g models.GroupHealth) int64 {
	if m == MetricErrorRate {
		return g.ErroredDevices
	}
	return g.CrashedDevices
}

// tally returns the votes on the metric.
func (m Metric) tally(v models.Votes) models.Tally {
	if m == MetricErrorRate {
		return v.Errored
	}
	return v.Crashed
}

// Reading compares one watched metric with its threshold, or with the same metric in the control group.
type Reading struct {
	Metric Metric
	// Group counts the votes of networks if Votes is set, else devices.
	Group
	Votes bool
	// Limit is the threshold in percent, or the control group's rate if Outside is set.
	Limit float64
	// Event is set for a custom event. If the event has a minimum rate, the group's affected devices are the devices that
	// did not report the event, and Limit is the maximum rate of such devices.
	Event *models.EventLimit
	// Outside is the control group, or nil if the rate is compared with a threshold.
	Outside *Group
	// Evidence against the release, without the most affected networks. With the sequential method,
	// DecisiveEvidence is a breach.
	Evidence float64
	Verdict  Verdict

	ballot ballot
	// electorate counts the networks that voted.
	electorate electorate
	// For an event, counted is the number of devices that count toward minDevices, and few reports whether fewer than
	// minNetworks networks, or only one allocation, have reported.
	counted int64
	few     bool
}

// countedDevices returns the number of devices that count toward minDevices.
func (r Reading) countedDevices(h models.ReleaseHealth, t models.Thresholds) int64 {
	if r.Event != nil {
		return r.counted
	}
	return countedDevices(h, t)
}

// below reports whether the threshold is a minimum.
func (r Reading) below() bool { return r.Event != nil && r.Event.Direction == models.EventBelow }

// Judgement is the verdict on a release's health. Worst is the reading that decided it, or nil if no rate is watched or
// no device has reported.
type Judgement struct {
	Verdict  Verdict
	Evidence float64
	Worst    *Reading
	// FewNetworks means that there are fewer than minNetworks votes, or votes from only one allocation. The rollout then
	// neither advances nor rolls back.
	FewNetworks bool
}

// Judge compares health with thresholds. The point method waits until minDevices, the minimum of the stage, have
// reported. An empty method is the sequential method. before is the comparison with the control group in earlier stages;
// Judge uses it if the baseline is the control group. Comparisons with the control group are always sequential.
//
// With n watched readings there are n chances of a false alarm, so each reading needs n times the evidence, n/α. Judge
// divides the evidence by n instead, so that DecisiveEvidence is a breach for any number of readings.
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

// watch returns the readings that the thresholds require. If the baseline is the control group, the metrics that have a
// threshold are also compared with the control group, or both metrics if neither has a threshold.
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

// judge compares a reading with its threshold. enough reports whether minDevices have reported.
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

// judgeBeside judges a comparison with the control group by the logarithms of two evidences against the release. against
// excludes the networks that speak most against the release; strictly excludes the networks that speak most for it. The
// stage is held while a higher rate inside the rollout is likelier than equal rates, but without decisive evidence.
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
