package rollout

import (
	"math"
	"slices"
)

// Alpha is the highest chance of a breach, in a whole rollout with any number of observations,
// for a release whose true rate is exactly the limit.
//
// In simulations it is about 2 %. A release below its limit is much safer: with 0.2 % crashes and
// a limit of 0.5 %, about 0.06 % of rollouts of 5,000 devices are rolled back, while 2 % crashes
// are a breach at a median of about 280 devices. An Alpha of 0.01 gains the first next to
// nothing, and the second reaches half as many devices more (package simulation).
const Alpha = 0.05

// DecisiveEvidence is the least evidence, 1/Alpha, that makes a breach.
const DecisiveEvidence = 1 / Alpha

// maxEvidence keeps evidence finite for JSON.
const maxEvidence = 1e12

// ratios are the alternatives that are weighed against a limit: true rates of so many times the
// limit, with equal weights. The small ones find slow regressions in many devices, the large ones
// a crash loop in a few dozen.
var ratios = [...]float64{1.25, 1.5, 2, 3, 5, 10}

// maxAlternative bounds an alternative, so that log(1-p) stays finite.
const maxAlternative = 0.95

// LogEvidence is the natural logarithm of how much likelier affected out of counted devices is when the
// true rate is above limit (a fraction from 0 to 1) than when it is the limit: a likelihood ratio,
// averaged over alternatives,
//
//	E = mean over j of (p_j/T)^k · ((1-p_j)/(1-T))^(n-k),   p_j = min(ratio_j·T, 0.95)
//
// E is an e-value: under a rate at or below the limit its expectation is at most 1 at every n, so
// the chance that it ever reaches 1/α is at most α, with any number of observations.
//
// The same holds at one observation for the votes of n independent networks, each from 0 to 1 with
// an expectation at or below the limit, of which k is the sum: (p/T)^x · ((1-p)/(1-T))^(1-x) is at
// most 1 + (x-T)·(p-T)/(T·(1-T)), its value for a bet on x, since a geometric mean is at most an
// arithmetic one. A network of weight w puts its factor to the power of w, and the expectation of that is at most 1 too, since
// x^w is concave for w from 0 to 1. A network's vote and its weight change as more of its devices report, so what that is worth over
// many observations is simulated (package simulation).
//
// It is finite for every count, 0 without devices, and 0 for a limit of 1 (100 %), which cannot be
// breached. Counts outside of 0 ≤ affected ≤ counted are clamped.
func LogEvidence(affected, counted, limit float64) float64 {
	all := max(counted, 0)
	bad := min(max(affected, 0), all)
	if all == 0 || !(limit > 0 && limit < 1) {
		return 0
	}
	good := all - bad
	var logs [len(ratios)]float64
	for j, ratio := range ratios {
		p := alternative(limit, ratio)
		logs[j] = bad*math.Log(p/limit) + good*(math.Log1p(-p)-math.Log1p(-limit))
	}
	return logMean(logs[:])
}

// logShortfall is LogEvidence for a rate that must not fall below a limit: missing out of counted devices did not report
// what at least a limit (a fraction from 0 to 1) of them should. It is the likelihood ratio of LogEvidence for the
// complement, with the rate 1-limit of missing devices as its limit.
//
// Alternatives are ratios of the smaller one of the limit and its complement, since a limit of 20 % leaves no room for
// missing devices of 10 times 80 %: there they are rates of 1/1.25 to 1/10 of the limit.
func logShortfall(missing, counted, limit float64) float64 {
	complement := 1 - limit
	if complement <= 0.5 {
		return LogEvidence(missing, counted, complement)
	}
	all := max(counted, 0)
	bad := min(max(missing, 0), all)
	if all == 0 || !(limit > 0 && limit < 1) {
		return 0
	}
	var logs [len(ratios)]float64
	for j, ratio := range ratios {
		logs[j] = bad*(math.Log1p(-limit/ratio)-math.Log1p(-limit)) - (all-bad)*math.Log(ratio)
	}
	return logMean(logs[:])
}

// alternative is ratio times the limit, bounded, but always above the limit: below it, healthy
// devices would count as evidence against the release.
func alternative(limit, ratio float64) float64 {
	p := math.Min(ratio*limit, maxAlternative)
	if p <= limit {
		return (1 + limit) / 2
	}
	return p
}

// logMean is log(mean(exp(logs))) without leaving the range of a float64.
func logMean(logs []float64) float64 {
	top, sum := slices.Max(logs), 0.0
	for _, l := range logs {
		sum += math.Exp(l - top)
	}
	return top + math.Log(sum/float64(len(logs)))
}

// evidence is the number that is shown for a log e-value.
func evidence(logE float64) float64 {
	return math.Min(math.Exp(logE), maxEvidence)
}
