package rollout

import (
	"math"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// forecastRates are the true rates of affected devices, in percent, that a forecast says the detection of.
var forecastRates = [...]float64{1, 2, 5}

// returnTime is how long a forecast supposes that all active devices take to come back: active is who reported within
// a day.
const returnTime = 24 * time.Hour

// Forecast is how a rollout would go with devices that are well.
type Forecast struct {
	Stages []StageForecast
	// EndsAt is nil when a stage never has its minimum of devices.
	EndsAt    *time.Time
	Detection []Detection
}

// StageForecast is when a stage begins, nil for never, and how many active devices are in its share.
type StageForecast struct {
	Percentage      float64
	StartsAt        *time.Time
	ExpectedDevices int64
}

// Detection is when a rollout would find a true rate of affected devices, in percent. Devices is nil for a rate that the
// thresholds permit, and for one that takes more devices than there are. After is the time since the first stage began,
// nil for never.
type Detection struct {
	Rate    float64
	Devices *int64
	After   *time.Duration
}

// ForecastOf forecasts a rollout that begins now, of a release for so many active devices. It supposes that the devices
// of a share come back evenly within a day, that each is in a network of its own, and that nobody intervenes.
func ForecastOf(stages []models.Stage, thresholds models.Thresholds, s models.Schedule, active int64, now time.Time) Forecast {
	start := now
	if s.StartAt != nil && s.StartAt.After(now) {
		start = *s.StartAt
	}
	start = thawed(s, start)
	f := Forecast{Stages: make([]StageForecast, len(stages))}
	var runs []stageRun
	reported, begins := 0.0, start
	for i, stage := range stages {
		f.Stages[i] = StageForecast{Percentage: stage.Percentage, ExpectedDevices: int64(math.Round(float64(active) * stage.Percentage / 100))}
		if len(runs) < i {
			continue // an earlier stage never ends
		}
		f.Stages[i].StartsAt = new(begins)
		run := stageRun{
			stage: stage, thresholds: EffectiveThresholds(stage, thresholds), begins: begins,
			reported: reported, devices: float64(active) * stage.Percentage / 100,
		}
		enough, ok := run.enough(eventTime(stages))
		run.ends = begins.Add(max(stage.MinDuration(), enough))
		if !ok {
			run.ends = time.Time{}
		}
		f.Detection = detect(f.Detection, run, start, active)
		if !ok {
			continue
		}
		runs = append(runs, run)
		reported, begins = run.reportedAt(run.ends), thawed(s, run.ends)
		if i == len(stages)-1 {
			f.EndsAt = new(run.ends)
		}
	}
	return f
}

// thawed is when a stage may begin that is due at t.
func thawed(s models.Schedule, t time.Time) time.Time {
	if until := FrozenUntil(s, t); until.After(t) {
		return until
	}
	return t
}

// stageRun is a stage of a forecast.
type stageRun struct {
	stage      models.Stage
	thresholds models.Thresholds
	begins     time.Time
	// ends is zero for a stage that never ends.
	ends time.Time
	// reported is how many devices had reported when it began, devices how many active ones its share has.
	reported, devices float64
}

// enough is how long after the begin enough devices count; ok is false for never. For a limit from below a device counts
// when its time to report the event is over.
func (r stageRun) enough(eventTime time.Duration) (after time.Duration, ok bool) {
	after, ok = r.when(float64(r.stage.MinDevices))
	if !slices.ContainsFunc(r.thresholds.Events, func(l models.EventLimit) bool { return l.Direction == models.EventBelow }) {
		return after, ok
	}
	after, ok = r.when(float64(max(r.stage.MinDevices, 1)))
	return after + eventTime, ok
}

// when is how long after the begin so many devices have reported; ok is false for never.
func (r stageRun) when(devices float64) (after time.Duration, ok bool) {
	switch {
	case devices <= r.reported:
		return 0, true
	case devices > r.devices:
		return 0, false
	}
	return time.Duration((devices - r.reported) / (r.devices - r.reported) * float64(returnTime)), true
}

func (r stageRun) reportedAt(t time.Time) float64 {
	passed := min(1, float64(t.Sub(r.begins))/float64(returnTime))
	return r.reported + max(0, r.devices-r.reported)*passed
}

// detect completes the detections with a stage, for the rates that no earlier stage finds.
func detect(found []Detection, r stageRun, start time.Time, active int64) []Detection {
	if found == nil {
		for _, rate := range forecastRates {
			found = append(found, Detection{Rate: rate})
		}
	}
	for i := range found {
		d := &found[i]
		if d.After != nil {
			continue
		}
		needed, ok := devicesUntilBreach(r, d.Rate, active)
		if !ok {
			continue
		}
		d.Devices = &needed
		if after, ok := r.when(float64(needed)); ok && (r.ends.IsZero() || !r.begins.Add(after).After(r.ends)) {
			d.After = new(r.begins.Add(after).Sub(start))
		}
	}
	return found
}

// devicesUntilBreach is the least number of devices, of which so many percent are affected, that is a breach in the
// stage: where one more of them is affected.
func devicesUntilBreach(r stageRun, rate float64, active int64) (devices int64, ok bool) {
	breach := func(affected int64) (devices int64, breached bool) {
		devices = int64(math.Ceil(float64(affected) * 100 / rate))
		return devices, Judge(r.health(affected, devices), r.thresholds, r.stage.MinDevices, Comparison{}).Verdict == VerdictBreach
	}
	most := int64(float64(active) * rate / 100)
	high := int64(1)
	for ; ; high *= 2 {
		if high > most {
			high = most
		}
		if high < 1 {
			return 0, false
		}
		if _, breached := breach(high); breached {
			break
		}
		if high == most {
			return 0, false
		}
	}
	low := high / 2 // no breach, or 0
	for high-low > 1 {
		middle := (low + high) / 2
		if _, breached := breach(middle); breached {
			high = middle
		} else {
			low = middle
		}
	}
	devices, _ = breach(high)
	return devices, true
}

// health is what the release would have reported with so many affected devices, each of which crashed and reported each
// event that is limited from above. Every device reported those that are limited from below. The control group is as
// large as the share leaves, and well.
func (r stageRun) health(affected, devices int64) models.ReleaseHealth {
	of := func(affected, devices int64) models.GroupHealth {
		counts := models.DeviceCounts{Devices: devices, ErroredDevices: affected, CrashedDevices: affected}
		return models.GroupHealth{Devices: devices, ErroredDevices: affected, CrashedDevices: affected, Votes: models.VotesOfEach(counts)}
	}
	inside := of(affected, devices)
	outside := of(0, int64(float64(devices)*(100-r.stage.Percentage)/max(r.stage.Percentage, 0.001)))
	var events []models.EventHealth
	for _, l := range r.thresholds.Events {
		reported := devices
		if l.Direction == models.EventAbove {
			reported = affected
		}
		events = append(events, models.EventHealthOfEach(l, devices, reported))
	}
	return models.ReleaseHealth{
		Events:  events,
		Devices: devices, ErroredDevices: affected, CrashedDevices: affected, Votes: inside.Votes,
		Compared: models.ComparedHealth{Inside: inside, Outside: outside},
	}
}
