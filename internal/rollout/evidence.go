package rollout

import "math"

// Alpha is the chance, over a whole rollout and however often one looks, of
// calling a limit broken while the true rate keeps it.
//
// 0.05 is the chance for a release that sits exactly on its limit, and a bound:
// simulated, such a release is called broken in about 2 % of rollouts. A release
// with room below its limit is far safer: at 0.2 % crashes under a limit of 0.5 %
// about 0.06 % of rollouts of 5,000 devices are rolled back, while 2 % crashes are
// caught at a median of about 280 devices. With 0.01 the healthy release gains
// next to nothing and the bad one hurts half as many devices more
// (package simulation has the figures).
const Alpha = 0.05

// DecisiveEvidence is the evidence, 1/Alpha, from which a limit counts as broken.
const DecisiveEvidence = 1 / Alpha

// maxEvidence keeps evidence a number that JSON can carry and a person can read;
// anything near it is past doubt.
const maxEvidence = 1e12

// ratios are the alternatives that are weighed against a limit: true rates that
// lie so many times above it, all equally likely beforehand. The small ones find
// slow regressions in many devices, the large ones a crash loop in a few dozen.
var ratios = [...]float64{1.25, 1.5, 2, 3, 5, 10}

// maxAlternative caps an alternative: "nearly every device" already stands for
// any worse rate, and log(1-p) stays finite.
const maxAlternative = 0.95

// LogEvidence is the natural logarithm of how much likelier affected out of
// devices is when the true rate lies above limit (a fraction above 0, up to 1)
// than when it is limit itself: a likelihood ratio averaged over alternatives,
//
//	E = mean over j of (p_j/T)^k · ((1-p_j)/(1-T))^(n-k),   p_j = min(ratio_j·T, 0.95)
//
// E is an e-value: under a rate at or below the limit its expectation is at most
// 1 at every n, so the chance that it ever reaches 1/α is at most α. That holds
// however often one looks, which a test made for one look does not.
//
// It is finite for every count; no devices say nothing (0), and a limit of 1 (100
// %) cannot be broken. Counts outside of 0 ≤ affected ≤ devices are clamped.
func LogEvidence(affected, devices int64, limit float64) float64 {
	devices = max(devices, 0)
	affected = min(max(affected, 0), devices)
	if devices == 0 || !(limit > 0 && limit < 1) {
		return 0
	}
	bad, good := float64(affected), float64(devices-affected)
	var logs [len(ratios)]float64
	for j, ratio := range ratios {
		p := alternative(limit, ratio)
		logs[j] = bad*math.Log(p/limit) + good*(math.Log1p(-p)-math.Log1p(-limit))
	}
	return logMean(logs[:])
}

// alternative is ratio times the limit, capped, but always above the limit: an
// alternative below it would count healthy devices as evidence of harm.
func alternative(limit, ratio float64) float64 {
	p := math.Min(ratio*limit, maxAlternative)
	if p <= limit {
		return (1 + limit) / 2
	}
	return p
}

// logMean is log(mean(exp(logs))) without leaving the range of a float64.
func logMean(logs []float64) float64 {
	top := logs[0]
	for _, l := range logs[1:] {
		top = math.Max(top, l)
	}
	sum := 0.0
	for _, l := range logs {
		sum += math.Exp(l - top)
	}
	return top + math.Log(sum/float64(len(logs)))
}

// evidence turns a log e-value into the number that is shown.
func evidence(logE float64) float64 {
	return math.Min(math.Exp(logE), maxEvidence)
}
