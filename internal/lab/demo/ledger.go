package demo

import (
	"sync"
	"time"

	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// ids is a set of update UUIDs.
type ids map[string]bool

// ledger records every launch of the fleet, so that the demo can check which release each device was served, and when.
type ledger struct {
	mu      sync.Mutex
	entries []fleet.Launch
	// last contains each device's latest launch.
	last map[int]fleet.Launch
}

func newLedger() *ledger { return &ledger{last: map[int]fleet.Launch{}} }

func (l *ledger) add(launch fleet.Launch) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, launch)
	l.last[launch.Device.Index] = launch
}

func (l *ledger) each(f func(fleet.Launch)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.entries {
		f(e)
	}
}

// count returns the number of devices whose latest launch has the property.
func (l *ledger) count(has func(fleet.Launch) bool) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.last {
		if has(e) {
			n++
		}
	}
	return n
}

// running returns the number of devices that ran one of the updates at their last start.
func (l *ledger) running(updates ids) int {
	return l.count(func(e fleet.Launch) bool { return updates[e.Ran.UpdateID] })
}

// notYetOn returns how many of the devices did not run their platform's bundle at their last start.
func (l *ledger) notYetOn(devices map[int]bool, bundle map[models.Platform]string) int {
	return l.count(func(e fleet.Launch) bool {
		return devices[e.Device.Index] && e.Ran.Bundle != bundle[e.Device.Platform]
	})
}

// held counts the devices by the bundle that they run next, which is "" for the embedded update.
func (l *ledger) held() map[string]int {
	n := map[string]int{}
	l.count(func(e fleet.Launch) bool {
		n[e.Next.Bundle]++
		return true
	})
	return n
}

// share returns the number of devices of a platform that got a response between two times, and how many of them held one of
// the updates after the last response.
func (l *ledger) share(updates ids, p models.Platform, from, to time.Time) (holders, asked int) {
	holds := map[int]bool{}
	l.each(func(e fleet.Launch) {
		if e.Device.Platform == p && !e.AskedAt.Before(from) && !e.At.After(to) {
			holds[e.Device.Index] = updates[e.Next.UpdateID]
		}
	})
	for _, yes := range holds {
		if yes {
			holders++
		}
	}
	return holders, len(holds)
}

// servedFrom returns, for each of n consecutive rollout percentages, a time at which it certainly applied to the platform, or
// zero. That is when a device first got one of the updates that it had not got under the previous percentage.
func (l *ledger) servedFrom(updates ids, p models.Platform, n int) []time.Time {
	from := make([]time.Time, n)
	for i := range from {
		outside := map[int]bool{}
		l.each(func(e fleet.Launch) {
			switch device := e.Device.Index; {
			case e.Device.Platform != p:
			case updates[e.Next.UpdateID]:
				if i == 0 || outside[device] {
					from[i] = earliest(from[i], e.At)
				}
			case i > 0 && !from[i-1].IsZero() && !e.AskedAt.Before(from[i-1]) && e.Outcome != fleet.CheckFailed:
				outside[device] = true
			}
		})
	}
	return from
}

// everHeld returns the devices that held or ran one of the updates at some time.
func (l *ledger) everHeld(updates ids) map[int]bool {
	devices := map[int]bool{}
	l.each(func(e fleet.Launch) {
		if updates[e.Next.UpdateID] || updates[e.Ran.UpdateID] {
			devices[e.Device.Index] = true
		}
	})
	return devices
}

// left returns the number of devices that held one of the updates and were later served something else, not after until.
func (l *ledger) left(updates ids, until time.Time) int {
	had, lost := map[int]bool{}, map[int]bool{}
	l.each(func(e fleet.Launch) {
		switch device := e.Device.Index; {
		case e.At.After(until):
		case updates[e.Next.UpdateID]:
			had[device] = true
		case had[device]:
			lost[device] = true
		}
	})
	return len(lost)
}

// touched returns the number of devices that were served something other than the updates since from. strayed is how many of
// them got another bundle than their platform's; it does not count the devices in except.
func (l *ledger) touched(
	updates ids, bundle map[models.Platform]string, except map[int]bool, from time.Time,
) (touched, strayed int) {
	other, stray := map[int]bool{}, map[int]bool{}
	l.each(func(e fleet.Launch) {
		if e.At.Before(from) || updates[e.Next.UpdateID] {
			return
		}
		device := e.Device.Index
		other[device] = true
		if !except[device] && e.Next.Bundle != bundle[e.Device.Platform] {
			stray[device] = true
		}
	})
	return len(other), len(stray)
}

// crashes returns the number of devices that reported a crash of one of the updates, and the time when the server
// acknowledged the first such report.
func (l *ledger) crashes(updates ids) (devices int, first time.Time) {
	crashed := map[int]bool{}
	l.each(func(e fleet.Launch) {
		if e.Crashed && e.Reported && updates[e.Ran.UpdateID] {
			crashed[e.Device.Index] = true
			first = earliest(first, e.ReportedAt)
		}
	})
	return len(crashed), first
}

// servedBack returns the first time after the given time at which a device that ran one of the updates was served something
// else.
func (l *ledger) servedBack(updates ids, after time.Time) (first time.Time) {
	l.each(func(e fleet.Launch) {
		if updates[e.Ran.UpdateID] && !updates[e.Next.UpdateID] && e.At.After(after) {
			first = earliest(first, e.At)
		}
	})
	return first
}

// earliest returns the earlier of two times. A zero time does not count.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}
