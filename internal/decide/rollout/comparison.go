package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Comparison is the evidence from a rollout's stages so far that rates are higher inside the rollout than in the control
// group. It has one element per alternative in ratios.
type Comparison models.Comparison

// With returns the comparison with one more stage, whose health since its beginning is h, judged under t.
//
// Let n devices be inside the rollout and m outside. If rates are equal, an affected device is inside with probability
// w = n/(n+m). If the rate inside is r times higher, the probability is rw/(rw+1-w). Each stage has its own w, and the
// likelihood ratios of the stages multiply. Reference: Lindon and Malek, anytime-valid inference for multinomial count
// data; here with a few fixed alternatives instead of a prior.
//
// When votes are judged, n, m and the affected counts are sums of votes. Inside, the most affected networks or the most
// affected allocation are left out. Outside, the healthy votes of one allocation are left out. For votes from 0 to 1 with
// equal means, the expectation is still at most 1.
func (c Comparison) With(h models.ComparedHealth, t models.Thresholds) Comparison {
	in, out := besides(MetricErrorRate, h, t)
	c.Errors = added(c.Errors, in.without, out.without)
	in, out = besides(MetricCrashRate, h, t)
	c.Crashes = added(c.Crashes, in.without, out.without)
	return c
}

// stricter does the same as With for advancing: it leaves out the networks that speak most for the release.
func (c Comparison) stricter(h models.ComparedHealth, t models.Thresholds) Comparison {
	in, out := besides(MetricErrorRate, h, t)
	c.Errors = added(c.Errors, in.strict, out.strict)
	in, out = besides(MetricCrashRate, h, t)
	c.Crashes = added(c.Crashes, in.strict, out.strict)
	return c
}

// added returns the log likelihood ratios of one metric with one more stage.
func added(logs [len(ratios)]float64, in, out Group) [len(ratios)]float64 {
	if in.Counted <= 0 || out.Counted <= 0 {
		return logs
	}
	w := in.Counted / (in.Counted + out.Counted)
	for j, ratio := range ratios {
		q := ratio * w / (ratio*w + 1 - w)
		logs[j] += in.Affected*math.Log(q/w) + out.Affected*math.Log((1-q)/(1-w))
	}
	return logs
}

// LogEvidence returns the natural logarithm of an e-value: how much likelier the counts are with a higher rate inside
// the rollout than with equal rates.
func (c Comparison) LogEvidence(m Metric) float64 {
	logs := c.Crashes
	if m == MetricErrorRate {
		logs = c.Errors
	}
	return logMean(logs[:])
}

// besides returns the ballots of one metric inside the rollout and in the control group. A comparison of two groups finds
// less than a comparison with a threshold, so at most half of models.MaxLeftOut networks are left out inside.
func besides(m Metric, h models.ComparedHealth, t models.Thresholds) (in, out ballot) {
	if !votes(t) {
		return devicesBallot(m.affected(h.Inside), h.Inside.Devices), devicesBallot(m.affected(h.Outside), h.Outside.Devices)
	}
	inside, outside := h.Inside.Votes, h.Outside.Votes
	out = electorateOf(outside).outside(m.tally(outside))
	leftOut := min(LeftOut(inside.Total(), out.all.Rate()/100), models.MaxLeftOut/2)
	in = electorateOf(inside).ballot(m.tally(inside), leftOut)
	return in, out
}

// outside returns the ballot of the control group for the votes t. The control group works the other way round: its
// healthy votes argue for a rollback and its affected votes for advancing, so these are left out.
func (e electorate) outside(t models.Tally) ballot {
	b := ballot{all: Group{Affected: t.Sum, Counted: float64(e.weight)}}
	b.without, b.strict = b.all.less(0, t.HealthyOfAllocation), b.all
	most := t.MostOfAllocation
	if e.allocations == 0 { // recorded before there were allocations, see asRecorded
		b.without, most = b.all.lessOne(t.Least), t.Most[0]
	}
	switch {
	case e.allocations == 0 && b.all.Counted > 1:
		b.strict = b.all.lessOne(most)
	case e.allocations > 1:
		b.strict = b.all.less(most, most)
	}
	return b
}

// compare returns the reading that compares one metric inside the rollout with the control group.
func compare(m Metric, h models.ComparedHealth, t models.Thresholds) Reading {
	in, out := besides(m, h, t)
	return Reading{
		Metric: m, Votes: votes(t), ballot: in, electorate: electorateOf(h.Inside.Votes), Group: in.all, Limit: out.all.Rate(), Outside: &out.all,
	}
}
