package webhookclient

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Schedule lists the waits after each failed attempt. The delivery fails if the attempt after the last wait fails.
type Schedule []time.Duration

const (
	// spread is the maximum jitter, as a fraction of the wait. Because of the jitter, deliveries that failed together are not
	// retried together.
	spread = 0.2
	// longestPause is the maximum for a Retry-After.
	longestPause = 24 * time.Hour
)

// Next returns the wait after a failed attempt, which counts from 1; more is false after the last attempt.
// jitter, from 0 to 1, lengthens the scheduled wait by up to a fifth. retryAfter, 0 for none, can lengthen
// it to at most a day.
func (s Schedule) Next(attempt int, retryAfter time.Duration, jitter float64) (wait time.Duration, more bool) {
	if attempt < 1 || attempt > len(s) {
		return 0, false
	}
	wait = s[attempt-1]
	wait += time.Duration(float64(wait) * spread * jitter)
	return max(wait, min(retryAfter, longestPause)), true
}

// retryAfter parses the header Retry-After (RFC 9110, section 10.2.3), seconds or a date. It returns 0 when
// the header is missing or malformed.
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
