package fleet

import (
	"context"
	"sync"
	"time"
)

// Outcome is the result of the update check of one launch.
type Outcome string

// Outcomes.
const (
	// TookUpdate: the device has stored a new update, which it runs next.
	TookUpdate Outcome = "update"
	// NoUpdate: there is no other update for the device.
	NoUpdate Outcome = "no_update"
	// WentToEmbedded: the device followed a rollback to the embedded update.
	WentToEmbedded Outcome = "rollback_to_embedded"
	// RefusedOlder: the client refused the update, because the running one is newer and passes the filters. A correct
	// server never sends such an update.
	RefusedOlder Outcome = "refused"
	// CheckFailed: the response was unusable, or an asset failed.
	CheckFailed Outcome = "failed"
	// NeverStarted: no update on the device starts.
	NeverStarted Outcome = "never_started"
)

// Ref identifies an update. The zero Ref is the embedded update.
type Ref struct {
	// UpdateID is the update's UUID, or "" for the embedded update.
	UpdateID string
	// Bundle is the MD5 of the launch asset. Two releases of the same build share it.
	Bundle  string
	Message string
}

// Launch is one start of the app on one device.
type Launch struct {
	Device Identity
	// AskedAt is the time at which the update check began, At the time at which it ended.
	AskedAt time.Time
	At      time.Time
	Outcome Outcome
	// Ran is the update that ran. If the app reloaded into a critical update, Ran is the critical one. Next is the
	// update that the next cold start runs.
	Ran  Ref
	Next Ref
	// Crashed and Errored are true if the device reported such an event in addition to the launch. Reported is true if
	// the server acknowledged the report.
	Crashed  bool
	Errored  bool
	Reported bool
	// ReportedAt is the time at which the last report was acknowledged, or zero.
	ReportedAt time.Time
}

// device is a simulated device. Its mutex is held during a launch.
type device struct {
	Identity
	mu            sync.Mutex
	storage       *storage
	serverHeaders map[string]any
	lastRan       *Ref
	reports       int
}

func (f *Fleet) launch(ctx context.Context, d *device) Launch {
	rules := *f.rules.Load()
	l := Launch{Device: d.Identity, Outcome: NeverStarted}
	f.counters.count(func(s *Stats) { s.Launches++ })
	running := f.start(d, rules)
	l.AskedAt = f.options.Now()
	if running == nil {
		l.At = l.AskedAt
		return l
	}
	var critical bool
	l.Outcome, critical = f.check(ctx, d, running)
	l.At = f.options.Now()
	f.counters.count(func(s *Stats) {
		switch l.Outcome {
		case TookUpdate:
			s.Updates++
		case NoUpdate:
			s.NoUpdates++
		case WentToEmbedded:
			s.Rollbacks++
		case RefusedOlder:
			s.Refused++
		case CheckFailed, NeverStarted: // counted as failures and startup crashes
		}
	})
	changed := l.Outcome == TookUpdate || l.Outcome == WentToEmbedded
	if changed && f.options.WaitForUpdate {
		running = f.start(d, rules)
	}
	if running != nil {
		f.report(ctx, d, running, rules, &l)
	}
	if changed && critical && !f.options.WaitForUpdate {
		// The app itself reloads into a critical update immediately.
		if running = f.start(d, rules); running != nil {
			f.report(ctx, d, running, rules, &l)
		}
	}
	l.Next = refOf(d.storage.choose())
	return l
}

// start makes a cold start up to the first screen. It runs the update that the client chooses, and falls back to the
// next one while an update fails. It returns nil if no update starts.
func (f *Fleet) start(d *device, rules []Rule) *stored {
	for {
		u := d.storage.choose()
		if u == nil {
			return nil
		}
		if strikes(rules, StartupCrash, f.options.Seed, d.ID, u) {
			u.failed++
			f.counters.count(func(s *Stats) { s.StartupCrashes++ })
			if u.launchable() {
				return nil // the update started before, so the client will try it again
			}
			continue
		}
		u.good++
		d.storage.reap(u)
		ran := refOf(u)
		f.counters.runs(d.lastRan, ran)
		d.lastRan = &ran
		return u
	}
}

func (f *Fleet) report(ctx context.Context, d *device, u *stored, rules []Rule, l *Launch) {
	l.Ran = refOf(u)
	crashed := strikes(rules, Crash, f.options.Seed, d.ID, u)
	errored := strikes(rules, JSError, f.options.Seed, d.ID, u)
	r := healthReport{
		ProjectSlug: f.options.ProjectSlug, DeviceID: d.ID, Channel: d.Channel,
		Platform: d.Platform, RuntimeVersion: d.RuntimeVersion,
		Events: launchEvents(u, crashed, errored, f.options.Now()),
	}
	if u.manifest != nil {
		r.UpdateUUID = &u.manifest.ID
	}
	l.Crashed, l.Errored = crashed, errored
	l.Reported = f.sendReport(ctx, d, r)
	if !l.Reported {
		return
	}
	l.ReportedAt = f.options.Now()
	f.counters.count(func(s *Stats) {
		s.Reports++
		if crashed {
			s.Crashes++
		}
		if errored {
			s.JSErrors++
		}
	})
}

// refOf returns the Ref of u, or the zero Ref if u is nil.
func refOf(u *stored) Ref {
	if u == nil || u.manifest == nil {
		return Ref{}
	}
	m := u.manifest
	return Ref{UpdateID: m.ID, Bundle: m.Launch.Key, Message: m.Message}
}
