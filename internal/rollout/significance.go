package rollout

import "math"

// ChanceOfAsMany is how likely it is that at least as many of the devices on one side
// are affected as were, had both sides the same rate: Fisher's exact test, one-sided
// (R. A. Fisher, "On the interpretation of χ² from contingency tables", 1922). With
// n devices of which k are affected, and N and K of both sides together, it is
//
//	P = Σ over i ≥ k of C(K, i) · C(N-K, n-i) / C(N, n)
//
// It is exact however few devices there are: two errors against one say nothing. It
// is 1 where the rate is not above the other side's, or a side has no devices.
// Affected devices beyond the devices count as all of them.
func ChanceOfAsMany(affected, devices, otherAffected, otherDevices int64) float64 {
	k, n := min(affected, devices), devices
	all := n + otherDevices
	marked := k + min(otherAffected, otherDevices)
	if n <= 0 || otherDevices <= 0 || float64(k)*float64(otherDevices) <= float64(marked-k)*float64(n) {
		return 1
	}
	term := math.Exp(logChoose(marked, k) + logChoose(all-marked, n-k) - logChoose(all, n))
	sum := term
	for i := k; i < min(n, marked); i++ {
		// The next term from this one; above the mean they only fall.
		term *= float64(marked-i) / float64(i+1) * float64(n-i) / float64(all-marked-n+i+1)
		sum += term
		if term < sum*1e-15 {
			break
		}
	}
	return min(sum, 1)
}

// ChanceAtRate is how likely it is that at least as many devices are affected as were
// when each is with the given chance, above 0 and below 1: the upper tail of the
// binomial distribution. It is 1 where the rate of the devices is not above it.
func ChanceAtRate(affected, devices int64, rate float64) float64 {
	k, n := min(affected, devices), devices
	if n <= 0 || float64(k) <= rate*float64(n) {
		return 1
	}
	term := math.Exp(logChoose(n, k) + float64(k)*math.Log(rate) + float64(n-k)*math.Log1p(-rate))
	sum := term
	for i := k; i < n; i++ {
		term *= float64(n-i) / float64(i+1) * rate / (1 - rate)
		sum += term
		if term < sum*1e-15 {
			break
		}
	}
	return min(sum, 1)
}

// logChoose is the logarithm of the binomial coefficient.
func logChoose(n, k int64) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int64) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
