package fleet

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// Latency sums up how long one kind of request took.
type Latency struct {
	Count int64
	P50   time.Duration
	P99   time.Duration
	Max   time.Duration
}

// subBuckets divide each power of two, so a percentile is at most 1/16 too high.
const (
	subBucketBits = 4
	subBuckets    = 1 << subBucketBits
	bucketCount   = (64 - subBucketBits) * subBuckets
)

// latencies is a histogram of durations that many goroutines add to.
type latencies struct {
	buckets [bucketCount]atomic.Int64
	max     atomic.Int64
}

func (l *latencies) add(d time.Duration) {
	micros := uint64(max(d.Microseconds(), 0))
	l.buckets[bucketOf(micros)].Add(1)
	for {
		old := l.max.Load()
		if int64(d) <= old || l.max.CompareAndSwap(old, int64(d)) {
			return
		}
	}
}

func (l *latencies) snapshot() Latency {
	var counts [bucketCount]int64
	var total int64
	for i := range l.buckets {
		counts[i] = l.buckets[i].Load()
		total += counts[i]
	}
	longest := time.Duration(l.max.Load())
	quantile := func(q float64) time.Duration {
		rank := int64(q * float64(total))
		for i, n := range counts {
			if rank -= n; rank < 0 {
				return min(time.Duration(upperBound(i))*time.Microsecond, longest)
			}
		}
		return longest
	}
	return Latency{Count: total, P50: quantile(0.50), P99: quantile(0.99), Max: longest}
}

// bucketOf is exact below subBuckets, then subBuckets steps for each power of two.
func bucketOf(v uint64) int {
	if v < subBuckets {
		return int(v)
	}
	shift := bits.Len64(v) - 1 - subBucketBits
	return min((shift+1)<<subBucketBits+int(v>>shift)-subBuckets, bucketCount-1)
}

// upperBound is the largest value in bucket i.
func upperBound(i int) uint64 {
	if i < subBuckets {
		return uint64(i)
	}
	shift := i>>subBucketBits - 1
	return uint64(i&(subBuckets-1)+subBuckets+1)<<shift - 1
}
