package rollout

import (
	"math"

	"github.com/twmb/murmur3"
)

// Buckets is the number of buckets. A percentage is exact to 1/1000 of a percent.
const Buckets = 100_000

// keySize is large enough for a release's salt and the longest ID in a request. A longer key is allocated on the heap.
const keySize = 320

// Bucket returns the bucket of id, from 0 to Buckets-1, under salt:
// (murmur3_32(seed 0, salt + ":" + id) × Buckets) >> 32. It is integer arithmetic over UTF-8 bytes, so every language
// gets the same result; see docs/bucket-vectors.json for examples. The multiplication uses the hash's high bits. Unlike a
// modulus, it does not favor any bucket.
func Bucket(salt, id string) uint32 {
	key := append(make([]byte, 0, keySize), salt...)
	key = append(key, ':')
	key = append(key, id...)
	return uint32(uint64(murmur3.Sum32(key)) * Buckets >> 32)
}

// Threshold returns the number of buckets in a percentage from 0 to 100: round(percentage × 1000). Values below 0 and NaN
// count as 0, values above 100 as 100.
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

// InShare reports whether a percentage from 0 to 100 includes the device under salt. A higher percentage only adds
// devices. A device without an ID is included only at 100%.
func InShare(salt, id string, percentage float64) bool {
	threshold := Threshold(percentage)
	if threshold >= Buckets {
		return true
	}
	return id != "" && Bucket(salt, id) < threshold
}
