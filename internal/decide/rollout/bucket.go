package rollout

import (
	"math"

	"github.com/twmb/murmur3"
)

// Buckets is the number of buckets: a share is exact to 1/1000 of a percent.
const Buckets = 100_000

// keySize has room for a release's salt and the longest id of a request. A longer key allocates.
const keySize = 320

// Bucket returns the bucket of id, from 0 to Buckets-1, under salt:
// (murmur3_32(seed 0, salt + ":" + id) × Buckets) >> 32. It is integer arithmetic over UTF-8
// bytes, so every language gets the same result; docs/bucket-vectors.json has examples. The
// multiplication uses the hash's high bits and, unlike a modulus, favours no bucket.
func Bucket(salt, id string) uint32 {
	key := append(make([]byte, 0, keySize), salt...)
	key = append(key, ':')
	key = append(key, id...)
	return uint32(uint64(murmur3.Sum32(key)) * Buckets >> 32)
}

// Threshold is the number of buckets in a share of percentage (0–100) percent:
// round(percentage × 1000). Values below 0, and NaN, count as 0, values above 100 as 100.
func Threshold(percentage float64) uint32 {
	switch {
	case percentage >= 100:
		return Buckets
	case percentage > 0:
		return uint32(math.Round(percentage * (Buckets / 100)))
	default:
		return 0
	}
}

// InShare reports whether the share of percentage (0–100) percent under salt includes the device.
// A higher percentage only adds devices. A device without an id is only in a share of 100 %.
func InShare(salt, id string, percentage float64) bool {
	threshold := Threshold(percentage)
	if threshold >= Buckets {
		return true
	}
	return id != "" && Bucket(salt, id) < threshold
}
