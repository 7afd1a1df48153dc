package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

const (
	// truthReports each hold five events on average.
	truthReports  = 20_000
	truthDevices  = 3_000
	truthSenders  = 8
	truthChannels = 2
)

// sent is one report as the test remembers it.
type sent struct {
	device, channel, update string
	events                  []object
}

// truth is what devices told a project, from which every figure is computed a second
// time.
type truth struct {
	updates []string // "" for the bundle inside the app
	reports []sent
	// refused are devices by the runtime version that nothing is released for.
	refused map[string]map[string]bool
}

func inventTruth(rng *rand.Rand, updates []string) truth {
	w := truth{updates: updates, refused: map[string]map[string]bool{}}
	types := []string{"app_launch", "app_launch", "app_launch", "custom", "js_error", "crash"}
	for range truthReports {
		device := rng.IntN(truthDevices)
		s := sent{
			device: fmt.Sprintf("device-%d-é", device), channel: []string{"production", "staging"}[rng.IntN(truthChannels)],
			update: updates[rng.IntN(len(updates))], events: []object{},
		}
		for n := range rng.IntN(11) {
			kind := types[rng.IntN(len(types))]
			e := object{"type": kind, "count": 1 + rng.IntN(4), "name": fmt.Sprintf("n%d", n), "message": "it broke 漢字"}
			if rng.IntN(2) == 0 {
				e["flagStates"] = object{"checkout": device%2 == 0, "unheard-of": rng.IntN(3)}
			}
			s.events = append(s.events, e)
		}
		w.reports = append(w.reports, s)
	}
	return w
}

// send posts every report, some of them packed and half of them twice under one
// Idempotency-Key, by several senders at once.
func (w truth) send(t *testing.T, p *tenant) {
	t.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: truthSenders}}
	g, ctx := errgroup.WithContext(t.Context())
	for sender := range truthSenders {
		g.Go(func() error {
			for i := sender; i < len(w.reports); i += truthSenders {
				s := w.reports[i]
				report := object{
					"projectSlug": p.slug, "deviceId": strings.ToUpper(s.device), "channel": s.channel, "platform": "ios",
					"runtimeVersion": "1.0.0", "events": s.events,
				}
				if s.update != "" {
					report["updateUuid"] = s.update
				}
				body, err := json.Marshal(report)
				if err != nil {
					return err
				}
				for range 1 + i%20/19 {
					req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.url+"/v1/ota/health-metrics", pack(body, i%2 == 0))
					if err != nil {
						return err
					}
					req.Header.Set("Content-Type", "application/json")
					req.Header.Set("Idempotency-Key", fmt.Sprintf("report-%d", i))
					if i%2 == 0 {
						req.Header.Set("Content-Encoding", "gzip")
					}
					res, err := client.Do(req)
					if err != nil {
						return err
					}
					if err := res.Body.Close(); err != nil {
						return err
					}
					if res.StatusCode != http.StatusNoContent {
						return fmt.Errorf("report %d was answered with %s", i, res.Status)
					}
				}
			}
			return nil
		})
	}
	require.NoError(t, g.Wait())
}

func pack(body []byte, packed bool) *bytes.Buffer {
	if !packed {
		return bytes.NewBuffer(body)
	}
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return &out
}

// tally is what a number of reports say.
type tally struct {
	seen, errored, crashed      map[string]bool
	launches, jsErrors, crashes int
}

// of counts the events that pass keep, and their devices; every device of a report
// counts when all is true, whatever its events.
func (w truth) of(all bool, keep func(s sent, e object) bool) tally {
	a := tally{seen: map[string]bool{}, errored: map[string]bool{}, crashed: map[string]bool{}}
	for _, s := range w.reports {
		if all && keep(s, nil) {
			a.seen[s.device] = true
		}
		for _, e := range s.events {
			if !keep(s, e) {
				continue
			}
			a.seen[s.device] = true
			n := e["count"].(int)
			switch e["type"] {
			case "app_launch":
				a.launches += n
			case "js_error":
				a.jsErrors += n
				a.errored[s.device] = true
			case "crash":
				a.crashes += n
				a.errored[s.device], a.crashed[s.device] = true, true
			}
		}
	}
	return a
}

func (a tally) errorRate() float64 { return 100 * float64(len(a.errored)) / float64(len(a.seen)) }
func (a tally) crashFree() float64 { return 100 - 100*float64(len(a.crashed))/float64(len(a.seen)) }

// TestEveryFigureOverHTTPIsTheTruth sends reports, evaluations and manifest requests
// over HTTP and compares every figure that is answered with the same one computed
// here.
func TestEveryFigureOverHTTPIsTheTruth(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	first, second := p.release(), p.release()
	flag := p.create("/v1/ota/flags", object{"name": "Checkout", "key": "checkout", "flagType": "boolean", "defaultValue": false})
	p.known()
	w := inventTruth(rand.New(rand.NewPCG(5, 6)), []string{"", first["updateUuid"].(string), second["updateUuid"].(string)})

	// Over midnight the figures of two days would be asked for.
	if left := time.Until(time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)); left < 3*time.Minute {
		<-time.After(left)
	}
	began := time.Now()
	w.send(t, p)
	t.Logf("%d reports in %s", len(w.reports), time.Since(began))
	downloads := w.ask(t, p)
	evaluated := sendEvaluations(t, p)

	every := w.of(true, func(sent, object) bool { return true })
	p.eventually(func() bool {
		return sum(p.read("/v1/ota/telemetry/timeseries?period=1h"), "launches") == every.launches &&
			p.read("/v1/ota/insights/adoption")["downloads"] == float64(downloads) && len(p.list("/v1/ota/telemetry/refused")) == 3 &&
			p.read(path("/v1/ota/flags/%d/evaluations", flag.id("id")))["total"] == float64(evaluated)
	})

	w.requireTimeseries(p, every)
	w.requireAdoption(p, every, first, second)
	w.requireFlags(p, flag)
	w.requireEvents(p)
	w.requireRefused(p)
}

// ask has devices ask for their update: those that get the newest release make a
// download each, others are refused.
func (w truth) ask(t *testing.T, p *tenant) (downloads int) {
	t.Helper()
	const asking = 40
	for i := range asking {
		for range 2 {
			ask := func(runtimeVersion, channel string) int {
				return p.do(at("/v1/ota/manifest/%s?channel=%s", p.slug, channel).with("Expo-Platform", "ios").
					with("Expo-Runtime-Version", runtimeVersion).with("Expo-Device-Id", fmt.Sprintf("asking-%d", i)).
					with("Expo-Protocol-Version", "1").with("Accept", "multipart/mixed").with("Authorization", "").get()).status
			}
			require.Equal(t, http.StatusOK, ask("1.0.0", "production"))
			if i%2 == 0 {
				require.Equal(t, http.StatusOK, ask("9.9.9", "production"))
				note(w.refused, "no_release", i)
			}
			if i%4 == 0 {
				require.Equal(t, http.StatusNotFound, ask("1.0.0", "nowhere"))
				note(w.refused, "unknown_channel", i)
			}
		}
	}
	return asking
}

func note(devices map[string]map[string]bool, reason string, device int) {
	if devices[reason] == nil {
		devices[reason] = map[string]bool{}
	}
	devices[reason][strconv.Itoa(device)] = true
}

func sendEvaluations(t *testing.T, p *tenant) (total int) {
	t.Helper()
	for n := 1; n <= 5; n++ {
		require.Equal(t, http.StatusNoContent, p.do(request{
			method: http.MethodPost, path: "/v1/ota/flag-evaluations",
			body: object{"projectSlug": p.slug, "channel": "production", "evaluations": []object{
				{"flagKey": "checkout", "value": true, "count": 3 * n}, {"flagKey": "checkout", "value": "false", "count": n},
				{"flagKey": "other", "value": 1, "count": 100},
			}},
		}).status)
		total += 4 * n
	}
	return total
}

// text is "" for null.
func text(v any) string {
	s, _ := v.(string)
	return s
}

// sum adds a field of all points up.
func sum(timeseries object, field string) (total int) {
	for _, point := range timeseries["points"].([]any) {
		total += int(point.(map[string]any)[field].(float64))
	}
	return total
}

func (r request) get() request { r.method = http.MethodGet; return r }

func (p *tenant) read(path string) object {
	p.t.Helper()
	return p.do(at("%s", path).get()).record(http.StatusOK)
}

func (p *tenant) list(path string) []object {
	p.t.Helper()
	return p.do(at("%s", path).get()).list()
}

func (p *tenant) eventually(done func() bool) {
	p.t.Helper()
	require.Eventually(p.t, done, waitLimit, pollEvery)
}
