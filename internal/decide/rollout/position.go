package rollout

import (
	"math"
	"strconv"
)

// perPercent is the number of buckets in one percent.
const perPercent = Buckets / 100

// Position returns a bucket as a percentage for people, such as 81.5%. Near end, the end of a share in buckets, the
// position has all its digits, because a rounded position could contradict the sentence that it is part of.
func Position(bucket, end uint32) string {
	rounded := math.Round(float64(bucket)/perPercent*10) / 10
	if rounded == float64(end)/perPercent {
		rounded = float64(bucket) / perPercent
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64) + "%"
}

// ShareEnd returns the end of a share in buckets as a percentage for people, such as 5%.
func ShareEnd(end uint32) string {
	return strconv.FormatFloat(float64(end)/perPercent, 'f', -1, 64) + "%"
}
