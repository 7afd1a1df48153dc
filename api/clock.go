package api

import "time"

// utc returns the clock in UTC; nil stands for the clock of the machine. Its readings keep the monotonic time,
// because limits and caches must not follow a change of the machine's time.
func utc(now func() time.Time) func() time.Time {
	if now == nil {
		now = time.Now
	}
	return func() time.Time { return now().UTC() }
}
