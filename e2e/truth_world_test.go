package e2e

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

const (
	truthDevices = 3_000
	// truthTemplates is the number of different events per type in each half of the devices.
	truthTemplates = 60
)

// truth holds everything that devices report to a project. The test computes every number from it a second time,
// without any code of the product.
type truth struct {
	now           func() time.Time // the server's clock
	first, second string           // the releases
	reports       []sent
}

// sent is a report as the test remembers it.
type sent struct {
	device                             int
	channel, update, platform, runtime string // update is "" for the embedded update
	events                             []*occurrence
	// The server received the report between these times.
	begun, answered time.Time

	launches, jsErrors, crashes int
	errored, crashed            bool
}

// occurrence is an event. Several reports may contain it.
type occurrence struct {
	kind, name, message, errorName, stack, component string
	fatal                                            bool
	count                                            int
	tags, states                                     map[string]any
	crumbs                                           []object
	body                                             json.RawMessage
}

func (o *occurrence) write() *occurrence {
	event := object{"type": o.kind, "count": o.count, "name": o.name, "message": o.message}
	if o.errorName != "" {
		event["errorName"], event["stackTrace"], event["componentStack"], event["isFatal"] = o.errorName, o.stack, o.component, o.fatal
	}
	if o.tags != nil {
		event["tags"] = o.tags
	}
	if o.states != nil {
		event["flagStates"] = o.states
	}
	if o.crumbs != nil {
		event["breadcrumbs"] = o.crumbs
	}
	o.body, _ = json.Marshal(event) // never fails for strings and numbers
	return o
}

// truthDeviceID returns the ID of a device, spelled as the server lower-cases it.
func truthDeviceID(device int) string { return fmt.Sprintf("device-%d-é", device) }

// templates returns events by type. The events of even devices have another variation of a flag than the events of odd
// devices.
func templates(rng *rand.Rand) (all [2]map[string][]*occurrence) {
	for half := range all {
		all[half] = map[string][]*occurrence{}
		for _, kind := range []string{"app_launch", "custom", "js_error", "crash"} {
			for n := range truthTemplates {
				o := &occurrence{kind: kind, count: 1 + rng.IntN(4), name: fmt.Sprintf("n%d", n%10), message: fmt.Sprintf("it broke 漢字 %d", n)}
				if kind == "js_error" || kind == "crash" {
					o.errorName, o.stack, o.component = fmt.Sprintf("Error%d", n%5), "at render (index.js:1)", "in Cart"
					o.fatal = kind == "crash" || n%7 == 0
				}
				for crumb := range n % 5 {
					o.crumbs = append(o.crumbs, object{
						"timestamp": fmt.Sprintf("2026-11-29T21:%02d:%02d.000Z", n, crumb), "category": "ui.tap", "message": fmt.Sprint("漢字 ", crumb),
						"level": []string{"debug", "error"}[crumb%2], "data": object{"nth": strconv.Itoa(n)},
					})
				}
				if n%3 == 0 {
					o.tags = map[string]any{"screen": fmt.Sprintf("s%d", n%4), "nth": n}
				}
				if n%12 == 0 {
					o.states = map[string]any{"checkout": half == 0, "unheard-of": n % 36 / 12}
				}
				all[half][kind] = append(all[half][kind], o.write())
			}
		}
	}
	return all
}

// inventTruth invents packed reports, which are nearly full, and short reports with few events or none.
func inventTruth(now func() time.Time, rng *rand.Rand, packed, short int, first, second string) *truth {
	w := &truth{now: now, first: first, second: second}
	events := templates(rng)
	for n := range packed + short {
		size := rng.IntN(11)
		if n < packed {
			size = 450 + rng.IntN(51)
		}
		s := sent{
			device: rng.IntN(truthDevices), channel: []string{"production", "staging"}[rng.IntN(2)], platform: "ios", runtime: "1.0.0",
			update: []string{"", first, second, second}[rng.IntN(4)],
		}
		if s.device%5 == 0 { // these devices have their own binary
			s.platform, s.runtime, s.update = "android", "0.9.0", ""
		}
		jsErrors, crashes := 0.0, 0.0 // the number of these events in a report
		switch mood := rng.IntN(10); {
		case mood == 0:
			jsErrors, crashes = 0.02, 0.02
		case mood < 4:
			jsErrors = 0.02
		}
		if n >= packed {
			jsErrors, crashes = 5*jsErrors, 5*crashes
		}
		for range size {
			kind := "app_launch"
			switch dice := rng.Float64(); {
			case dice < crashes:
				kind = "crash"
			case dice < crashes+jsErrors:
				kind = "js_error"
			case dice < 0.5:
				kind = "custom"
			}
			s.add(events[s.device%2][kind][rng.IntN(truthTemplates)])
		}
		w.reports = append(w.reports, s)
	}
	rng.Shuffle(len(w.reports), func(i, j int) { w.reports[i], w.reports[j] = w.reports[j], w.reports[i] })
	return w
}

func (s *sent) add(o *occurrence) {
	s.events = append(s.events, o)
	switch o.kind {
	case "app_launch":
		s.launches += o.count
	case "js_error":
		s.jsErrors += o.count
		s.errored = true
	case "crash":
		s.crashes += o.count
		s.errored, s.crashed = true, true
	}
}

// size returns the number of events.
func (w *truth) size() (n int) {
	for i := range w.reports {
		n += len(w.reports[i].events)
	}
	return n
}

// tally counts devices and events in a set of reports, or in a set of their events.
type tally struct {
	seen, errored, crashed      map[int]bool
	launches, jsErrors, crashes int
}

func newTally() *tally {
	return &tally{seen: map[int]bool{}, errored: map[int]bool{}, crashed: map[int]bool{}}
}

func (a *tally) report(s *sent) {
	a.seen[s.device] = true
	a.launches, a.jsErrors, a.crashes = a.launches+s.launches, a.jsErrors+s.jsErrors, a.crashes+s.crashes
	if s.errored {
		a.errored[s.device] = true
	}
	if s.crashed {
		a.crashed[s.device] = true
	}
}

// event counts a device for a variation. The event names the variation, whatever else the report contains.
func (a *tally) event(device int, o *occurrence) {
	a.seen[device] = true
	if o.kind == "js_error" || o.kind == "crash" {
		a.errored[device] = true
	}
	if o.kind == "crash" {
		a.crashed[device] = true
	}
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

func (a *tally) errorRate() float64 { return share(len(a.errored), len(a.seen)) }
func (a *tally) crashRate() float64 { return share(len(a.crashed), len(a.seen)) }

// with returns the truth with additional reports.
func (w *truth) with(more []sent) *truth {
	return &truth{now: w.now, first: w.first, second: w.second, reports: append(slices.Clone(w.reports), more...)}
}

// of counts the reports for which keep returns true.
func (w *truth) of(keep func(s *sent) bool) *tally {
	a := newTally()
	for i := range w.reports {
		if s := &w.reports[i]; keep(s) {
			a.report(s)
		}
	}
	return a
}

func anyReport(*sent) bool { return true }

// tallies are tallies by a key.
type tallies[K comparable] map[K]*tally

func (c tallies[K]) of(key K) *tally {
	if c[key] == nil {
		c[key] = newTally()
	}
	return c[key]
}

// reportsBy counts reports by the key of each report.
func reportsBy[K comparable](w *truth, key func(s *sent) K) tallies[K] {
	counted := tallies[K]{}
	for i := range w.reports {
		counted.of(key(&w.reports[i])).report(&w.reports[i])
	}
	return counted
}

// statesBy counts events with flag states by the key of each state.
func statesBy[K comparable](w *truth, key func(s *sent, flag, variation string) K) tallies[K] {
	counted := tallies[K]{}
	for i := range w.reports {
		s := &w.reports[i]
		for _, o := range s.events {
			for flag, variation := range o.states {
				counted.of(key(s, flag, fmt.Sprint(variation))).event(s.device, o)
			}
		}
	}
	return counted
}
