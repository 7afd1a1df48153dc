package e2e

import (
	"fmt"
	"strings"

	"github.com/stretchr/testify/require"
)

// requireEvents reads the events page by page. Each event must come once, newest first, with everything that the device
// sent.
func (w *truth) requireEvents(p *tenant) {
	p.t.Helper()
	some := &w.reports[0]
	for first, keep := range map[string]func(s *sent, o *occurrence) bool{
		"/v1/ota/telemetry/events?limit=200&type=crash":                             func(_ *sent, o *occurrence) bool { return o.kind == "crash" },
		"/v1/ota/telemetry/events?limit=199&deviceId=" + truthDeviceID(some.device): func(s *sent, _ *occurrence) bool { return s.device == some.device },
		"/v1/ota/telemetry/events?limit=200&type=js_error&channel=staging&updateUuid=" + w.first: func(s *sent, o *occurrence) bool {
			return o.kind == "js_error" && s.channel == "staging" && s.update == w.first
		},
		"/v1/ota/observe/events?deviceId=" + strings.ToUpper(truthDeviceID(some.device)): func(s *sent, o *occurrence) bool {
			return s.device == some.device && o.kind != "app_launch"
		},
		"/v1/ota/observe/events?type=crash&search=eRRor3&platform=android": func(s *sent, o *occurrence) bool {
			return s.platform == "android" && o.kind == "crash" && o.errorName == "Error3"
		},
	} {
		want := map[string]int{}
		for i := range w.reports {
			for _, o := range w.reports[i].events {
				if keep(&w.reports[i], o) {
					want[o.told(&w.reports[i])]++
				}
			}
		}
		require.NotEmpty(p.t, want, first)
		found, seen, last := map[string]int{}, map[string]bool{}, "9"
		for next := first; next != ""; {
			a := p.do(at("%s", next).get())
			for _, e := range a.list() {
				require.False(p.t, seen[e["id"].(string)])
				seen[e["id"].(string)] = true
				require.LessOrEqual(p.t, e["receivedAt"].(string), last)
				last = e["receivedAt"].(string)
				found[answeredEvent(e)]++
			}
			next, _, _ = strings.Cut(strings.TrimPrefix(a.header.Get("Link"), "<"), ">")
		}
		require.Equal(p.t, want, found, first)
	}
}

// told returns an event as one string, as its device sent it.
func (o *occurrence) told(s *sent) string {
	texts := func(values map[string]any) map[string]string {
		out := map[string]string{}
		for name, value := range values {
			out[name] = fmt.Sprint(value)
		}
		return out
	}
	return fmt.Sprint(o.kind, o.name, o.message, o.errorName, o.fatal, o.count, o.stack, o.component, texts(o.tags), texts(o.states),
		o.toldCrumbs(), truthDeviceID(s.device), s.platform, s.channel, s.runtime, s.update)
}

// toldCrumbs returns the breadcrumbs that Waft keeps. Only errors and crashes have them.
func (o *occurrence) toldCrumbs() []object {
	if o.kind != "js_error" && o.kind != "crash" {
		return nil
	}
	return o.crumbs
}

// answeredEvent returns the same string for an event in a response.
func answeredEvent(e object) string {
	return fmt.Sprint(e["type"], e["name"], e["message"], e["errorName"], e["isFatal"], e["count"], e["stackTrace"], e["componentStack"],
		e["tags"], e["flagStates"], e["breadcrumbs"], e["deviceId"], e["platform"], e["channel"], e["runtimeVersion"], text(e["updateUuid"]))
}
