package app

import "time"

// Option changes how a process runs beyond its configuration.
type Option func(*App)

// WithClock makes the process tell the time by now instead of by time.Now. Tests
// choose the day with it. Temporal and the databases keep their own clocks, so now
// must stay within minutes of them.
func WithClock(now func() time.Time) Option { return func(a *App) { a.now = now } }
