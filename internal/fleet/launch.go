package fleet

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// Outcome is what came of the update check of one launch.
type Outcome string

// Outcomes.
const (
	// TookUpdate: the device holds a new update, which it runs next.
	TookUpdate Outcome = "update"
	// NoUpdate: nothing to take.
	NoUpdate Outcome = "no_update"
	// WentToEmbedded: the device obeyed a roll-back to the embedded update.
	WentToEmbedded Outcome = "rollback_to_embedded"
	// RefusedOlder: the server offered an update that the client does not take,
	// because what runs is newer and passes the filters. A correct server never
	// does that.
	RefusedOlder Outcome = "refused"
	// CheckFailed: no usable answer, or an asset failed.
	CheckFailed Outcome = "failed"
	// NeverStarted: nothing on the device starts any more.
	NeverStarted Outcome = "never_started"
)

// Ref names an update; the zero Ref is the one inside the app.
type Ref struct {
	// UpdateID is the update's UUID, "" for the embedded one.
	UpdateID string
	// Bundle is the MD5 of the launch asset: two releases of one build share it.
	Bundle  string
	Message string
	// ReleaseID is what the manifest's extra.waft says, 0 when it says nothing.
	ReleaseID int64
}

// Launch is one start of the app on one device.
type Launch struct {
	Device Identity
	// AskedAt is when the update check began, At when its answer was there and
	// followed.
	AskedAt time.Time
	At      time.Time
	Outcome Outcome
	// Ran is the update that ran (the last one, when a critical update made the
	// app reload), Next the one that the next cold start runs.
	Ran  Ref
	Next Ref
	// Crashed and Errored are what the device reported besides the launch, and
	// Reported whether the server acknowledged all of it.
	Crashed  bool
	Errored  bool
	Reported bool
	// ReportedAt is when the last report was acknowledged, zero without one.
	ReportedAt time.Time
}

// device is one phone. Its mutex is held during a launch.
type device struct {
	Identity
	storage       *storage
	serverHeaders map[string]any
	extraParams   map[string]string
	lastRan       *Ref
	reports       int
}

// launch starts the app once.
func (f *Fleet) launch(ctx context.Context, d *device) Launch {
	rules := *f.rules.Load()
	l := Launch{Device: d.Identity, Outcome: NeverStarted}
	f.counters.launches.Add(1)
	if d.lastRan == nil {
		f.counters.seen.Add(1)
	}
	running := f.start(d, rules)
	l.AskedAt = f.options.Now()
	if running == nil {
		l.At = l.AskedAt
		return l
	}
	var critical bool
	l.Outcome, critical = f.check(ctx, d, running)
	l.At = f.options.Now()
	f.counters.count(l.Outcome)
	changed := l.Outcome == TookUpdate || l.Outcome == WentToEmbedded
	if changed && f.options.WaitForUpdate {
		running = f.start(d, rules)
	}
	if running != nil {
		f.report(ctx, d, running, rules, &l)
	}
	if changed && critical && !f.options.WaitForUpdate {
		// The app's own code reloads at once into an update that is critical.
		if running = f.start(d, rules); running != nil {
			f.report(ctx, d, running, rules, &l)
		}
	}
	l.Next = refOf(d.storage.choose())
	return l
}

// start is a cold start as far as the first screen: it runs the update that the
// client chooses, and falls back while one fails. Nil when nothing starts.
func (f *Fleet) start(d *device, rules []Rule) *stored {
	for {
		u := d.storage.choose()
		if u == nil {
			return nil
		}
		if strikes(rules, StartupCrash, f.options.Seed, d.ID, u) {
			u.failed++
			f.counters.startupCrashes.Add(1)
			if u.launchable() {
				return nil // it ran well before, so the client will try it again
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

// report tells the server how the start of u went.
func (f *Fleet) report(ctx context.Context, d *device, u *stored, rules []Rule, l *Launch) {
	l.Ran = refOf(u)
	crashed := strikes(rules, Crash, f.options.Seed, d.ID, u)
	errored := strikes(rules, JSError, f.options.Seed, d.ID, u)
	r := healthReport{
		ProjectSlug: f.options.ProjectSlug, DeviceID: d.ID, Channel: d.Channel,
		Platform: d.Platform, RuntimeVersion: d.RuntimeVersion,
		Events: launchEvents(u, crashed, errored),
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
	for _, e := range r.Events {
		switch e.Type {
		case models.EventCrash:
			f.counters.crashes.Add(1)
		case models.EventJSError:
			f.counters.jsErrors.Add(1)
		case models.EventAppLaunch, models.EventCustom:
		}
	}
}

// refOf names u; a device on which nothing may run has the zero Ref too.
func refOf(u *stored) Ref {
	if u == nil || u.manifest == nil {
		return Ref{}
	}
	m := u.manifest
	return Ref{UpdateID: m.ID, Bundle: m.Launch.Key, Message: m.Message, ReleaseID: m.ReleaseID}
}
