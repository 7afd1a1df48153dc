package demo

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/fleet"
	"github.com/waft-ota/waft/models"
)

// ids is a set of update UUIDs.
type ids map[string]bool

// ledger records every launch of the fleet, so that claims about who was served
// what, and when, can be checked afterwards.
type ledger struct {
	mu      sync.Mutex
	entries []entry
	// last is each device's latest entry.
	last map[int]entry
}

type entry struct {
	device     int
	platform   models.Platform
	askedAt    time.Time
	at         time.Time
	reportedAt time.Time
	ran        fleet.Ref
	next       fleet.Ref
	crashed    bool
}

func newLedger() *ledger { return &ledger{last: map[int]entry{}} }

// add records a launch.
func (l *ledger) add(launch fleet.Launch) {
	e := entry{
		device: launch.Device.Index, platform: launch.Device.Platform, askedAt: launch.AskedAt, at: launch.At,
		reportedAt: launch.ReportedAt, ran: launch.Ran, next: launch.Next,
		crashed: launch.Crashed && launch.Reported,
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, e)
	l.last[e.device] = e
}

// running is how many devices ran one of the updates at their last start.
func (l *ledger) running(updates ids) int {
	return l.devices(func(e entry) bool { return updates[e.ran.UpdateID] })
}

// devices counts those whose latest entry has the property.
func (l *ledger) devices(has func(entry) bool) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, e := range l.last {
		if has(e) {
			n++
		}
	}
	return n
}

// held counts the devices by the bundle that they run next, "" for the embedded
// one.
func (l *ledger) held() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := map[string]int{}
	for _, e := range l.last {
		n[e.next.Bundle]++
	}
	return n
}

// share is how many devices of a platform asked and were answered between two
// times, and how many of them held one of the updates after the last time.
func (l *ledger) share(updates ids, p models.Platform, from, to time.Time) (holders, asked int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	holds := map[int]bool{}
	for _, e := range l.entries {
		if e.platform == p && !e.askedAt.Before(from) && !e.at.After(to) {
			holds[e.device] = updates[e.next.UpdateID]
		}
	}
	for _, yes := range holds {
		if yes {
			holders++
		}
	}
	return holders, len(holds)
}

// everHeld are the devices that at some time held or ran one of the updates.
func (l *ledger) everHeld(updates ids) map[int]bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	devices := map[int]bool{}
	for _, e := range l.entries {
		if updates[e.next.UpdateID] || updates[e.ran.UpdateID] {
			devices[e.device] = true
		}
	}
	return devices
}

// left is how many devices held one of the updates and were then, no later than
// until, told to run something else.
func (l *ledger) left(updates ids, until time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	had, lost := map[int]bool{}, map[int]bool{}
	for _, e := range l.entries {
		if e.at.After(until) {
			continue
		}
		holds := updates[e.next.UpdateID]
		if had[e.device] && !holds {
			lost[e.device] = true
		}
		had[e.device] = had[e.device] || holds
	}
	return len(lost)
}

// touched is how many devices were, since from, told to run something other than
// one of the updates; strayed is how many of those it was another bundle for, not
// counting the devices in except.
func (l *ledger) touched(updates ids, bundle map[models.Platform]string, except map[int]bool, from time.Time) (touched, strayed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	other, stray := map[int]bool{}, map[int]bool{}
	for _, e := range l.entries {
		if e.at.Before(from) || updates[e.next.UpdateID] {
			continue
		}
		other[e.device] = true
		if !except[e.device] && e.next.Bundle != bundle[e.platform] {
			stray[e.device] = true
		}
	}
	return len(other), len(stray)
}

// crashes are how many devices reported a crash of one of the updates, and when
// the server acknowledged the first such report.
func (l *ledger) crashes(updates ids) (devices int, first time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	crashed := map[int]bool{}
	for _, e := range l.entries {
		if !e.crashed || !updates[e.ran.UpdateID] {
			continue
		}
		crashed[e.device] = true
		if first.IsZero() || e.reportedAt.Before(first) {
			first = e.reportedAt
		}
	}
	return len(crashed), first
}

// servedBack is when the first device that ran one of the updates was, after a
// time, told to run something else.
func (l *ledger) servedBack(updates ids, after time.Time) time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	var first time.Time
	for _, e := range l.entries {
		back := updates[e.ran.UpdateID] && !updates[e.next.UpdateID] && e.at.After(after)
		if back && (first.IsZero() || e.at.Before(first)) {
			first = e.at
		}
	}
	return first
}

// notYetOn is how many of the devices did not run the bundle of their platform at
// their last start.
func (l *ledger) notYetOn(devices map[int]bool, bundle map[models.Platform]string) int {
	return l.devices(func(e entry) bool { return devices[e.device] && e.ran.Bundle != bundle[e.platform] })
}
