package rollout

import (
	"math"
	"slices"
)

// Alpha is the highest chance of a breach, in a whole rollout with any number of observations, for a release whose true
// rate equals the threshold.
//
// In simulations (package simulation) the chance is about 2%. A release below its threshold is much safer: with 0.2%
// crashes and a threshold of 0.5%, about 0.06% of rollouts of 5,000 devices are rolled back. A release with 2% crashes is
// a breach at a median of about 280 devices. An Alpha of 0.01 would hardly lower the number of false rollbacks, and a
// breach would take half as many devices more.
const Alpha = 0.05

// DecisiveEvidence is the minimum evidence for a breach: 1/Alpha.
const DecisiveEvidence = 1 / Alpha

// maxEvidence keeps evidence finite for JSON.
const maxEvidence = 1e12

// ratios are the alternatives that the test compares with a threshold, with equal weights. Each is a true rate, as a
// multiple of the threshold. The small ratios find slow regressions in many devices, the large ratios a crash loop in a
// few dozen devices.
var ratios = [...]float64{1.25, 1.5, 2, 3, 5, 10}

// maxAlternative is the maximum of an alternative, so that log(1-p) stays finite.
const maxAlternative = 0.95

// LogEvidence returns the natural logarithm of a likelihood ratio: how much likelier the counts are if the
// true rate is above limit (a fraction from 0 to 1) than if it equals limit. affected of the counted devices are affected.
// The ratio is averaged over alternatives:
//
//	E = mean over j of (p_j/T)^k · ((1-p_j)/(1-T))^(n-k),   p_j = min(ratio_j·T, 0.95)
//
// E is an e-value. If the true rate is at or below the limit, the expectation of E is at most 1 at every n. Therefore
// the chance that E ever reaches 1/α is at most α, with any number of observations.
//
// At a single observation the same is true for votes. Let n independent networks have votes x from 0 to 1 whose
// expectation is at or below the limit T, with the sum k. The factor (p/T)^x · ((1-p)/(1-T))^(1-x) of a network is at most
// 1 + (x-T)·(p-T)/(T·(1-T)), because a geometric mean is at most the arithmetic mean. The expectation of that bound is at
// most 1. A network of weight w raises its factor to the power of w. The expectation of the result is at most 1 too,
// because x^w is concave for w from 0 to 1.
//
// A network's vote and weight change as more of its devices report. The guarantee over many observations is therefore
// not proved but simulated (package simulation).
//
// The result is finite for every count. It is 0 without devices, and 0 for a limit of 1 (100%), which cannot be breached.
// Counts outside of 0 ≤ affected ≤ counted are clamped.
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

// logShortfall returns the evidence, as LogEvidence does, that a rate is below its minimum. missing of counted devices
// did not report an event that at least limit (a fraction from 0 to 1) of them should report. It is the likelihood ratio
// of LogEvidence for missing devices, whose maximum rate is 1-limit.
//
// The alternatives are multiples of 1-limit if that is at most a half. Otherwise they are limit divided by the ratios:
// with a minimum of 20%, the maximum of missing devices is 80%, and ten times 80% is not a rate.
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

// alternative returns ratio times limit, at most maxAlternative. It is always above limit, because otherwise healthy
// devices would count as evidence against the release.
func alternative(limit, ratio float64) float64 {
	p := math.Min(ratio*limit, maxAlternative)
	if p <= limit {
		return (1 + limit) / 2
	}
	return p
}

// logMean returns log(mean(exp(logs))) without leaving the range of a float64.
func logMean(logs []float64) float64 {
	top, sum := slices.Max(logs), 0.0
	for _, l := range logs {
		sum += math.Exp(l - top)
	}
	return top + math.Log(sum/float64(len(logs)))
}

// evidence returns the e-value for its logarithm, at most maxEvidence.
func evidence(logE float64) float64 {
	return math.Min(math.Exp(logE), maxEvidence)
}
