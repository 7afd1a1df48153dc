package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	apidevice "github.com/waft-ota/waft/api/device"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

const (
	errorKinds = 500
	// leastErrorKinds are enough for every set of releases to have a kind.
	leastErrorKinds = 64
	errorDevices    = 100_000
	// errorsPerReport of a device, which is in one of errorNetworks.
	errorsPerReport = 4
	errorNetworks   = 1000
	// errorReleases of each platform; the update before them is the embedded one.
	errorReleases = 3
	errorSeed     = 20
)

var errorPlatforms = []string{string(models.IOS), string(models.Android)}

// errorWorld is invented errors, with what is true of them.
type errorWorld struct {
	slug    string
	rng     *rand.Rand
	devices []string
	// updates are the ids of each platform's updates, the oldest first, which is the embedded one and has none.
	updates [2][1 + errorReleases]string
	// kinds that occur on each update.
	kinds [2][1 + errorReleases][]int
	// occurring is how many kinds occur.
	occurring int
	truth     [errorKinds][2][1 + errorReleases]errorTruth
	errors    int
	reports   int
}

// errorTruth counts the sent errors of a kind on an update.
type errorTruth struct {
	events  int64
	devices map[int32]struct{}
	// The first event was received between the times since and first, the last one between last and until.
	since, first, last, until time.Time
}

// newErrorWorld distributes the kinds of errors over sets of a platform's releases, and some over the embedded update too.
func newErrorWorld(slug string, kinds int) *errorWorld {
	w := &errorWorld{slug: slug, occurring: kinds, rng: rand.New(rand.NewPCG(errorSeed, 0))}
	for range errorDevices {
		w.devices = append(w.devices, uuid.NewString())
	}
	const sets = 1 << errorReleases
	for kind := range kinds {
		for platform, set := range []int{1 + kind%(sets-1), kind / (sets - 1) % sets} {
			for update := range 1 + errorReleases {
				if update == 0 && kind%11 == 0 || update > 0 && set>>(update-1)&1 == 1 {
					w.kinds[platform][update] = append(w.kinds[platform][update], kind)
				}
			}
		}
	}
	return w
}

// errorReport is a report as it is sent.
type errorReport struct {
	number, device, platform, update int
	kinds                            []int
	counts                           []int64
	address, body                    string
}

// report invents the next report.
func (w *errorWorld) report() (*errorReport, error) {
	r := &errorReport{number: w.reports, device: w.rng.IntN(errorDevices), update: w.rng.IntN(1 + errorReleases)}
	r.platform = r.device % 2
	network := r.device % errorNetworks
	r.address = fmt.Sprintf("100.%d.%d.%d", 64+network/256, network%256, 1+r.device%250)
	made := apidevice.HealthReport{
		ProjectSlug: w.slug, DeviceID: w.devices[r.device], Channel: "production", Platform: errorPlatforms[r.platform], RuntimeVersion: "1.0.0",
	}
	if r.update > 0 {
		made.UpdateUUID = new(rest.UUID(w.updates[r.platform][r.update]))
	}
	among := w.kinds[r.platform][r.update]
	for range errorsPerReport {
		kind, count := among[min(w.rng.IntN(len(among)), w.rng.IntN(len(among)))], 1+w.rng.Int64N(3)
		r.kinds, r.counts = append(r.kinds, kind), append(r.counts, count)
		e := w.event(kind)
		e.Count = count
		made.Events = append(made.Events, e)
	}
	w.reports++
	w.errors += errorsPerReport
	body, err := json.Marshal(made)
	r.body = string(body)
	return r, err
}

// event returns an error of a kind. Kinds differ by name, by stack or by message. Numbers and places in messages
// differ each time.
func (w *errorWorld) event(kind int) apidevice.HealthEvent {
	e := apidevice.HealthEvent{Type: string(typeOf(kind)), ErrorName: "TypeError", Message: fmt.Sprintf("it failed after %d ms", w.rng.IntN(10_000))}
	switch kind % 3 {
	case 0:
		e.ErrorName = fmt.Sprint("Error", kind)
	case 1:
		const call = "\n    at %s (address at index.android.bundle:1:%d)"
		e.StackTrace = "TypeError: it failed" + fmt.Sprintf(call+call, functionOf(kind), w.rng.IntN(100_000), "render", w.rng.IntN(100_000))
	default:
		e.Message = fmt.Sprintf("no %s after %d ms", wordOf(kind), w.rng.IntN(10_000))
	}
	return e
}

func typeOf(kind int) models.HealthEventType {
	if kind%10 == 0 {
		return models.EventCrash
	}
	return models.EventJSError
}

func functionOf(kind int) string { return fmt.Sprint("priceOf", kind) }

// wordOf returns the kind in letters, because numbers in messages are not part of a fingerprint.
func wordOf(kind int) string {
	return "item" + strings.Map(func(digit rune) rune { return digit - '0' + 'k' }, strconv.Itoa(kind))
}

// kindOf finds the kind of a group by what it shows, or -1.
func kindOf(g errorGroup) int {
	for kind := range errorKinds {
		var same bool
		switch kind % 3 {
		case 0:
			same = g.ErrorName == fmt.Sprint("Error", kind)
		case 1:
			same = g.Culprit == functionOf(kind)+" (index.android.bundle)"
		default:
			same = g.Message == fmt.Sprintf("no %s after # ms", wordOf(kind))
		}
		if same && g.Type == typeOf(kind) {
			return kind
		}
	}
	return -1
}

// note remembers a report with the times at which it was sent and acknowledged.
func (w *errorWorld) note(r *errorReport, sent, answered time.Time) {
	for i, kind := range r.kinds {
		t := &w.truth[kind][r.platform][r.update]
		t.add(errorTruth{
			events: r.counts[i], devices: map[int32]struct{}{int32(r.device): {}}, since: sent, first: answered, last: sent, until: answered,
		})
	}
}

// add counts what was sent of another update, or once more.
func (t *errorTruth) add(o errorTruth) {
	if o.events == 0 {
		return
	}
	if t.events == 0 {
		t.devices, t.since, t.first = map[int32]struct{}{}, o.since, o.first
	}
	t.events += o.events
	for device := range o.devices {
		t.devices[device] = struct{}{}
	}
	t.since, t.first = earlier(t.since, o.since), earlier(t.first, o.first)
	t.last, t.until = later(t.last, o.last), later(t.until, o.until)
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// of adds up what was sent of a kind on the updates that match.
func (w *errorWorld) of(kind int, matches func(platform, update int) bool) (sum errorTruth) {
	for platform, updates := range w.truth[kind] {
		for update, t := range updates {
			if matches(platform, update) {
				sum.add(t)
			}
		}
	}
	return sum
}

// state returns the state of a kind on the newest matching update that had it. If two platforms differ, the state that is
// greater news counts.
func (w *errorWorld) state(kind int, matches func(platform, update int) bool) models.GroupState {
	isNew, regressed := false, false
	for platform, updates := range w.truth[kind] {
		newest := -1
		for update, t := range updates {
			if t.events > 0 && matches(platform, update) {
				newest = update
			}
		}
		before, just := false, false
		for update := range max(newest, 0) {
			if updates[update].events > 0 {
				before, just = true, update == newest-1
			}
		}
		isNew = isNew || newest >= 0 && !before
		regressed = regressed || before && !just
	}
	switch {
	case isNew:
		return models.GroupNew
	case regressed:
		return models.GroupRegressed
	}
	return models.GroupOngoing
}
