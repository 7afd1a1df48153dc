package webhook

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Schedule is how long to wait after each failed attempt; after one more the delivery
// has failed.
type Schedule []time.Duration

const (
	// spread is the largest jitter, as a part of the wait: those that failed together
	// do not come back together.
	spread = 0.2
	// longestPause is the latest that a Retry-After can put an attempt off to.
	longestPause = 24 * time.Hour
)

// Next is how long to wait after the attempt of that number, from 1, has failed; more
// is false when it was the last one. jitter, from 0 to 1, lengthens the wait of the
// schedule by up to a fifth. retryAfter is what the receiver asked for, 0 when it did
// not: never sooner than the schedule has it, nor later than a day.
func (s Schedule) Next(attempt int, retryAfter time.Duration, jitter float64) (wait time.Duration, more bool) {
	if attempt < 1 || attempt > len(s) {
		return 0, false
	}
	wait = s[attempt-1]
	wait += time.Duration(float64(wait) * spread * jitter)
	return max(wait, min(retryAfter, longestPause)), true
}

// Attempts is how many attempts there are in all.
func (s Schedule) Attempts() int { return len(s) + 1 }

// retryAfter reads the header Retry-After (RFC 9110, section 10.2.3), seconds or a
// date; 0 when it is absent or says neither.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.ParseInt(header, 10, 64); err == nil {
		return time.Duration(min(max(seconds, 0), int64(longestPause/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
