package rollout

import "math"

// chanceOfAsMany returns the chance of at least as many affected devices in one group if both groups have the same
// rate: Fisher's exact test, one-sided (R. A. Fisher, "On the interpretation of χ² from contingency tables", 1922). The
// group has n devices with k affected; both groups together have N devices with K affected. The chance is
//
//	P = Σ over i ≥ k of C(K, i) · C(N-K, n-i) / C(N, n)
//
// The result is exact for any number of devices. It is 1 if the rate is not above the other group's, or if a group has
// no devices. Affected counts above the device counts are reduced to them.
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
		// Above the mean, each term is smaller than the previous term.
		term *= float64(marked-i) / float64(i+1) * float64(n-i) / float64(all-marked-n+i+1)
		sum += term
		if term < sum*1e-15 {
			break
		}
	}
	return min(sum, 1)
}

// chanceAtRate returns the chance of at least as many affected devices if each device is affected with probability rate,
// from 0 to 1: the upper tail of the binomial distribution. It is 1 if the devices' rate is not above rate.
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

// logChoose returns the logarithm of the binomial coefficient, for k from 0 to n.
func logChoose(n, k int64) float64 {
	return logFactorial(n) - logFactorial(k) - logFactorial(n-k)
}

func logFactorial(n int64) float64 {
	l, _ := math.Lgamma(float64(n) + 1)
	return l
}
