package rollout

import "math"

// chanceOfAsMany is the chance of at least as many affected devices in one group when it has the
// same rate as the other: Fisher's exact test, one-sided (R. A. Fisher, "On the interpretation of
// χ² from contingency tables", 1922). With n devices of which k are affected, and N and K of both
// groups together, it is
//
//	P = Σ over i ≥ k of C(K, i) · C(N-K, n-i) / C(N, n)
//
// It is exact for any number of devices. It is 1 when the rate is not above the other group's, and
// when a group has no devices. Affected counts are at most the device counts.
func chanceOfAsMany(affected, devices, otherAffected, otherDevices int64) float64 {
	k, n := min(affected, devices), devices
	all := n + otherDevices
	marked := k + min(otherAffected, otherDevices)
	if n <= 0 || otherDevices <= 0 || float64(k)*float64(otherDevices) <= float64(marked-k)*float64(n) {
		return 1
	}
	term := math.Exp(logChoose(marked, k) + logChoose(all-marked, n-k) - logChoose(all, n))
	sum := term
	for i := k; i < min(n, marked); i++ {
		// Above the mean each term is smaller than the one before.
		term *= float64(marked-i) / float64(i+1) * float64(n-i) / float64(all-marked-n+i+1)
		sum += term
		if term < sum*1e-15 {
			break
		}
	}
	return min(sum, 1)
}

// chanceAtRate is the chance of at least as many affected devices when each is affected with the
// chance rate, between 0 and 1: the upper tail of the binomial distribution. It is 1 when the
// devices' rate is not above rate.
func chanceAtRate(affected, devices int64, rate float64) float64 {
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

// logChoose is the logarithm of the binomial coefficient, for k from 0 to n.
func logChoose(n, k int64) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int64) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
