package api

import "time"

// utc returns the clock in UTC; nil is the clock of the machine. Its readings stay monotonic, because limits and caches
// must not follow a change of the machine's time.
func utc(now func() time.Time) func() time.Time {
	if now == nil {
		now = time.Now
	}
	return func() time.Time { return now().UTC() }
}
