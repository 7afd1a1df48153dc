package telemetry

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// truthProject is the project that the truth tests query. truthNeighbour has the same data and more, which must never
// appear in the results.
const (
	truthProject   = 7
	truthNeighbour = 8
)

// invented contains reports and exposures from which the tests compute every expected result.
type invented struct {
	now       time.Time
	reports   []models.HealthReport
	exposures []models.Exposure
}

// inventReports invents reports of some releases over the given days up to now, more of them in the last hours. The
// devices come and go, and each has its own flags.
func inventReports(rng *rand.Rand, reports, devices, days int, now time.Time) invented {
	w := invented{now: now}
	updates := []string{"", uuid.NewString(), uuid.NewString(), uuid.NewString(), uuid.NewString()}
	types := []models.HealthEventType{
		models.EventAppLaunch, models.EventAppLaunch, models.EventAppLaunch, models.EventCustom, models.EventJSError, models.EventCrash,
	}
	for range reports {
		device := rng.IntN(devices)
		update := rng.IntN(len(updates))
		back := time.Duration(rng.Float64() * float64(days) * 24 * float64(time.Hour))
		if rng.IntN(3) == 0 {
			back = time.Duration(rng.ExpFloat64() * float64(2*time.Hour))
		}
		r := testReport(fmt.Sprintf("gerät-%d", device))
		r.ProjectID = truthProject
		r.UpdateUUID = updates[update]
		r.ReceivedAt = now.Add(-back).Truncate(time.Millisecond)
		r.Platform, r.RuntimeVersion = []models.Platform{models.IOS, models.Android}[update%2], fmt.Sprintf("1.%d.0", update/2)
		if update == 0 {
			r.Platform = []models.Platform{models.IOS, models.Android}[device%2]
		}
		r.Channel = []string{"production", "staging", "default"}[rng.IntN(3)]
		for range rng.IntN(4) {
			e := models.HealthEvent{Type: types[rng.IntN(len(types))], Count: 1 + rng.Int64N(5)}
			if rng.IntN(2) == 0 {
				e.FlagStates = models.TextsOf(map[string]string{"checkout": []string{"true", "false"}[device%2], "theme": strconv.Itoa(rng.IntN(3))})
			}
			r.Events = append(r.Events, e)
		}
		w.reports = append(w.reports, r)
		if update > 0 && rng.IntN(2) == 0 {
			w.exposures = append(w.exposures, models.Exposure{
				ProjectID: truthProject, DeviceID: r.DeviceID, Platform: r.Platform, Channel: r.Channel, RuntimeVersion: r.RuntimeVersion,
				UpdateUUID: r.UpdateUUID, ServedAt: r.ReceivedAt, Kind: []models.ExposureKind{
					models.ExposureManifest, models.ExposureAsset, models.ExposurePatch, models.ExposureFailure, models.ExposureRollback,
				}[rng.IntN(5)],
			})
		}
	}
	return w
}

// store inserts all reports and exposures twice, as after a lost response, together with the same data for another
// project. The cost of an insert is a part per day and table, so both projects are in one insert.
func (w invented) store(t testing.TB, c *ClickHouse) {
	t.Helper()
	const part = 20_000
	projects := []int64{truthProject, truthNeighbour}
	for n := range slices.Collect(slices.Chunk(w.reports, part)) {
		var reports []models.HealthReport
		for _, project := range projects {
			for _, r := range w.reports[n*part : min(n*part+part, len(w.reports))] {
				r.ProjectID = project
				reports = append(reports, r)
			}
		}
		for range 2 {
			require.NoError(t, insertAll(t, c, fmt.Sprint("reports/", n), reports))
		}
	}
	for n := range slices.Collect(slices.Chunk(w.exposures, part)) {
		var exposures []models.Exposure
		for _, project := range projects {
			for _, s := range w.exposures[n*part : min(n*part+part, len(w.exposures))] {
				s.ProjectID = project
				exposures = append(exposures, s)
			}
		}
		for range 2 {
			require.NoError(t, c.InsertExposures(t.Context(), fmt.Sprint("exposures/", n), exposures))
		}
	}
}

// crowd counts distinct devices, and the devices with errors and crashes.
type crowd struct{ seen, errored, crashed map[string]bool }

func newCrowd() *crowd { return &crowd{map[string]bool{}, map[string]bool{}, map[string]bool{}} }

func (c *crowd) note(device string, events ...models.HealthEvent) {
	c.seen[device] = true
	for _, e := range events {
		switch e.Type {
		case models.EventCrash:
			c.errored[device], c.crashed[device] = true, true
		case models.EventJSError:
			c.errored[device] = true
		case models.EventCustom, models.EventAppLaunch:
		}
	}
}

func (c *crowd) counts() models.DeviceCounts {
	return models.DeviceCounts{Devices: int64(len(c.seen)), ErroredDevices: int64(len(c.errored)), CrashedDevices: int64(len(c.crashed))}
}

// crowds are crowds by key.
type crowds[K comparable] map[K]*crowd

func (c crowds[K]) of(key K) *crowd {
	if c[key] == nil {
		c[key] = newCrowd()
	}
	return c[key]
}

func (w invented) from(days int) time.Time {
	return w.now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-days)
}

func (w invented) timeseries(q models.TimeseriesQuery) ([]models.TimeseriesPoint, models.Activity) {
	bucket, first, n := q.Period.Buckets(w.now)
	points := make([]models.TimeseriesPoint, n)
	who := crowds[int]{}
	total, everyone := models.Activity{}, newCrowd()
	for i := range points {
		points[i].Time = first.Add(time.Duration(i) * bucket)
	}
	for _, r := range append(slices.Clone(w.reports), w.failures()...) {
		i := int(math.Floor(float64(r.ReceivedAt.Sub(first)) / float64(bucket)))
		if i < 0 || i >= n || q.Channel != "" && r.Channel != q.Channel || q.Platform != "" && r.Platform != q.Platform ||
			q.RuntimeVersion != "" && r.RuntimeVersion != q.RuntimeVersion || q.UpdateUUID != "" && r.UpdateUUID != q.UpdateUUID {
			continue
		}
		who.of(i).note(r.DeviceID, r.Events...)
		points[i].DeviceCounts = who.of(i).counts()
		everyone.note(r.DeviceID, r.Events...)
		for _, sum := range []*models.Activity{&points[i].Activity, &total} {
			for _, e := range r.Events {
				switch e.Type {
				case models.EventAppLaunch:
					sum.Launches += e.Count
				case models.EventJSError:
					sum.Errors += e.Count
				case models.EventCrash:
					sum.Crashes += e.Count
				case models.EventCustom:
				}
			}
		}
	}
	total.DeviceCounts = everyone.counts()
	return points, total
}

// failures returns the failures before the first render as reports: one crash per device and release, at the time
// when the device first reported it.
func (w invented) failures() (crashes []models.HealthReport) {
	type failure struct{ device, update string }
	at := map[failure]int{}
	for _, s := range w.exposures {
		if s.Kind != models.ExposureFailure {
			continue
		}
		key := failure{s.DeviceID, s.UpdateUUID}
		if _, known := at[key]; !known {
			at[key] = len(crashes)
			crashes = append(crashes, models.HealthReport{
				DeviceID: s.DeviceID, UpdateUUID: s.UpdateUUID, ReceivedAt: s.ServedAt,
				Events: []models.HealthEvent{{Type: models.EventCrash, Count: 1}},
			})
		}
		// If a device sent several channels, it counts in one of them.
		r := &crashes[at[key]]
		r.Channel, r.Platform, r.RuntimeVersion = max(r.Channel, s.Channel), max(r.Platform, s.Platform), max(r.RuntimeVersion, s.RuntimeVersion)
		if s.ServedAt.Before(r.ReceivedAt) {
			r.ReceivedAt = s.ServedAt
		}
	}
	return crashes
}

func (w invented) adoption(days int) models.Adoption {
	from := w.from(days)
	a := models.Adoption{Days: days, Exact: true, Downloads: make([]models.DownloadDay, days)}
	type embedded struct{ update, platform, runtime string }
	type daily struct {
		day    time.Time
		update string
	}
	type deviceDay struct {
		day    time.Time
		device string
	}
	byDay, last, lastOf := map[daily]int64{}, map[string]models.HealthReport{}, map[deviceDay]models.HealthReport{}
	for _, r := range w.reports {
		if r.ReceivedAt.Before(from) {
			continue
		}
		if r.ReceivedAt.After(last[r.DeviceID].ReceivedAt) {
			last[r.DeviceID] = r
		}
		if on := (deviceDay{r.ReceivedAt.Truncate(24 * time.Hour), r.DeviceID}); r.ReceivedAt.After(lastOf[on].ReceivedAt) {
			lastOf[on] = r
		}
	}
	for on, r := range lastOf {
		byDay[daily{on.day, r.UpdateUUID}]++
	}
	a.ActiveDevices = int64(len(last))
	updates := map[embedded]int64{}
	for _, r := range last {
		updates[embedded{r.UpdateUUID, string(r.Platform), r.RuntimeVersion}]++
	}
	for key, devices := range updates {
		a.Updates = append(a.Updates, models.UpdateDevices{
			UpdateUUID: key.update, Platform: models.Platform(key.platform), RuntimeVersion: key.runtime, Devices: devices,
		})
	}
	slices.SortFunc(a.Updates, func(x, y models.UpdateDevices) int {
		return cmp.Or(cmp.Compare(y.Devices, x.Devices), cmp.Compare(x.UpdateUUID, y.UpdateUUID),
			cmp.Compare(x.Platform, y.Platform), cmp.Compare(x.RuntimeVersion, y.RuntimeVersion))
	})
	for key, devices := range byDay {
		a.ByDay = append(a.ByDay, models.UpdateDay{Day: key.day, UpdateUUID: key.update, Devices: devices})
	}
	slices.SortFunc(a.ByDay, func(x, y models.UpdateDay) int {
		return cmp.Or(x.Day.Compare(y.Day), cmp.Compare(y.Devices, x.Devices), cmp.Compare(x.UpdateUUID, y.UpdateUUID))
	})
	w.downloads(&a, from)
	return a
}

func (w invented) downloads(a *models.Adoption, from time.Time) {
	type download struct{ device, update string }
	first := map[download]time.Time{}
	for _, s := range w.exposures {
		key := download{s.DeviceID, s.UpdateUUID}
		if at, ok := first[key]; (!ok || s.ServedAt.Before(at)) && s.Kind != models.ExposureFailure && s.Kind != models.ExposureRollback {
			first[key] = s.ServedAt
		}
	}
	who := crowds[int]{}
	for i := range a.Downloads {
		a.Downloads[i].Day = from.AddDate(0, 0, i)
	}
	for key, at := range first {
		if at.Before(from) {
			continue
		}
		i := int(at.Sub(from) / (24 * time.Hour))
		a.Downloads[i].Downloads++
		who.of(i).note(key.device)
		a.Downloads[i].Devices = int64(len(who.of(i).seen))
	}
}

type impactKey struct{ flag, variation, update, channel, runtime string }

func (w invented) impacts(q models.FlagImpactQuery) map[impactKey]models.FlagImpact {
	who := crowds[impactKey]{}
	for _, r := range w.reports {
		for _, e := range r.Events {
			for flag, variation := range e.FlagStates.Map() {
				if r.ReceivedAt.Before(w.from(q.Days)) || q.FlagKey != "" && flag != q.FlagKey || q.Channel != "" && r.Channel != q.Channel {
					continue
				}
				who.of(impactKey{flag, variation, r.UpdateUUID, r.Channel, r.RuntimeVersion}).note(r.DeviceID, e)
			}
		}
	}
	impacts := map[impactKey]models.FlagImpact{}
	for key, c := range who {
		impact := models.FlagImpact{
			FlagKey: key.flag, Variation: key.variation, UpdateUUID: key.update, RuntimeVersion: key.runtime, Channel: key.channel, DeviceCounts: c.counts(),
		}
		var others models.DeviceCounts
		for other, oc := range who {
			if other.variation != key.variation && other.flag == key.flag && other.update == key.update &&
				other.channel == key.channel && other.runtime == key.runtime {
				others = others.Plus(oc.counts())
			}
		}
		if others.Devices > 0 {
			impact.ErrorRateDelta = 100*float64(impact.ErroredDevices)/float64(impact.Devices) -
				100*float64(others.ErroredDevices)/float64(others.Devices)
		}
		impacts[key] = impact
	}
	return impacts
}

func (w invented) flagHealth(flag string, days int) (all models.DeviceCounts, byVariation map[[2]string]models.DeviceCounts) {
	whole, who := newCrowd(), crowds[[2]string]{}
	for _, r := range w.reports {
		for _, e := range r.Events {
			if variation, ok := e.FlagStates.Map()[flag]; ok && !r.ReceivedAt.Before(w.from(days)) {
				whole.note(r.DeviceID, e)
				who.of([2]string{variation, r.Channel}).note(r.DeviceID, e)
			}
		}
	}
	byVariation = map[[2]string]models.DeviceCounts{}
	for key, c := range who {
		byVariation[key] = c.counts()
	}
	return whole.counts(), byVariation
}
