package rollout

import (
	"math"

	"github.com/waft-ota/waft/models"
)

// Comparison is the evidence of a rollout's stages so far that rates are higher inside the share
// than in the control group, with an element for each alternative in ratios.
type Comparison models.Comparison

// With adds a stage with the health h since its beginning, judged under t.
//
// Under equal rates an affected device is inside with the chance w = n/(n+m), for n devices inside
// and m outside. Under a rate that is r times higher inside, the chance is rw/(rw+1-w). Each stage
// has its own w, and the stages' likelihood ratios multiply (reference: Lindon and Malek,
// anytime-valid inference for multinomial count data; here with a few fixed alternatives in place
// of a prior).
//
// Where votes are judged, n, m and the affected ones are sums of votes, without the most affected networks or the most
// affected allocation inside and without the healthy votes of one allocation outside. A network is then part of a sum rather
// than one device; for votes between 0 and 1 with equal means the expectation stays at most 1.
func (c Comparison) With(h models.ComparedHealth, t models.Thresholds) Comparison {
	in, out := besides(MetricErrorRate, h, t)
	c.Errors = added(c.Errors, in.without, out.without)
	in, out = besides(MetricCrashRate, h, t)
	c.Crashes = added(c.Crashes, in.without, out.without)
	return c
}

// stricter is With for advancing: it leaves out the networks that speak most for the release.
func (c Comparison) stricter(h models.ComparedHealth, t models.Thresholds) Comparison {
	in, out := besides(MetricErrorRate, h, t)
	c.Errors = added(c.Errors, in.strict, out.strict)
	in, out = besides(MetricCrashRate, h, t)
	c.Crashes = added(c.Crashes, in.strict, out.strict)
	return c
}

// added adds a stage to the log likelihood ratios of one metric.
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

// LogEvidence is the natural logarithm of how much likelier the counts are with a higher rate
// inside than with equal rates: the logarithm of an e-value, as the function LogEvidence is.
func (c Comparison) LogEvidence(m Metric) float64 {
	logs := c.Crashes
	if m == MetricErrorRate {
		logs = c.Errors
	}
	return logMean(logs[:])
}

// besides returns the ballots of one metric inside the share and in the control group. Two groups say less than a group and a limit, so at most half of models.MaxLeftOut are left out inside.
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

// outside returns the ballot of the control group with the votes t. What is left out speaks for the opposite there: healthy
// votes for a rollback, and affected ones for advancing.
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

// compare reads one metric inside the share beside the control group.
func compare(m Metric, h models.ComparedHealth, t models.Thresholds) Reading {
	in, out := besides(m, h, t)
	return Reading{
		Metric: m, Votes: votes(t), ballot: in, electorate: electorateOf(h.Inside.Votes), Group: in.all, Limit: out.all.Rate(), Outside: &out.all,
	}
}
