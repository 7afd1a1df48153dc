package rollout

import (
	"math"

	"github.com/twmb/murmur3"
)

// Buckets is how many buckets devices are spread over: a share is exact to
// 1/1000 of a percent.
const Buckets = 100_000

// Room for salt, colon and id on the stack. Nearly every key fits the first, which
// is quick to clear; beyond the second a key costs an allocation.
const (
	usualKeySize = 128
	longKeySize  = 1024
)

// Bucket is the place of id, from 0 to Buckets-1, among the devices that salt
// orders: (murmur3_32(seed 0, salt + ":" + id) × Buckets) >> 32. It is integer
// arithmetic over UTF-8 bytes, so that every language gets the same answer;
// docs/bucket-vectors.json has examples. The multiplication takes the hash's high
// bits, which unlike a modulus favours no bucket.
func Bucket(salt, id string) uint32 {
	if len(salt)+1+len(id) > usualKeySize {
		return bucketOfLongKey(salt, id)
	}
	var room [usualKeySize]byte
	return bucketOf(appendKey(room[:0], salt, id))
}

//go:noinline
func bucketOfLongKey(salt, id string) uint32 {
	var room [longKeySize]byte
	return bucketOf(appendKey(room[:0], salt, id))
}

func appendKey(key []byte, salt, id string) []byte {
	key = append(key, salt...)
	key = append(key, ':')
	return append(key, id...)
}

func bucketOf(key []byte) uint32 {
	return uint32(uint64(murmur3.Sum32(key)) * Buckets >> 32)
}

// Threshold is the number of buckets in a share of percentage (0–100) percent:
// round(percentage × 1000). Values outside of 0–100, and NaN, count as the nearer
// end, NaN as 0.
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

// InShare reports whether the share of percentage (0–100) percent under salt
// holds the device. Raising the percentage only adds devices. A device without an
// id has no place to keep: only a share of 100 % holds it.
func InShare(salt, id string, percentage float64) bool {
	threshold := Threshold(percentage)
	if threshold >= Buckets {
		return true
	}
	return id != "" && Bucket(salt, id) < threshold
}
