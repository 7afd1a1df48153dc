package rollout

import (
	"math"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// forecastRates are the true rates of affected devices, in percent, whose detection a forecast predicts.
var forecastRates = [...]float64{1, 2, 5}

// returnTime is the time within which a forecast assumes that every active device reports. A device is active if it
// reported within the last day.
const returnTime = 24 * time.Hour

// Forecast is the expected course of a rollout whose devices have no errors.
type Forecast struct {
	Stages []StageForecast
	// EndsAt is nil if a stage never reaches its minimum number of devices.
	EndsAt    *time.Time
	Detection []Detection
}

// StageForecast is the expected start of a stage, nil for never, and the number of active devices inside the rollout.
type StageForecast struct {
	Percentage      float64
	StartsAt        *time.Time
	ExpectedDevices int64
}

// Detection is the point at which a rollout would find a true rate of affected devices, in percent. Devices is nil if the
// thresholds permit the rate, or if its detection needs more devices than there are. After is the time since the first
// stage began, or nil for never.
type Detection struct {
	Rate    float64
	Devices *int64
	After   *time.Duration
}

// ForecastOf returns the forecast of a rollout that begins now, of a release for the given number of active devices. It
// assumes that the devices report evenly over a day, that each is in a network of its own, and that nobody sends a command.
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

// thawed returns the time at which a stage that is due at t may begin.
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
	// reported is the number of devices that had reported when the stage began. devices is the number of active devices
	// inside the rollout.
	reported, devices float64
}

// enough returns the time from the beginning of the stage until enough devices count. ok is false for never. For an event
// minimum, a device counts when its time to report the event is over.
func (r stageRun) enough(eventTime time.Duration) (after time.Duration, ok bool) {
	after, ok = r.when(float64(r.stage.MinDevices))
	if !slices.ContainsFunc(r.thresholds.Events, func(l models.EventLimit) bool { return l.Direction == models.EventBelow }) {
		return after, ok
	}
	after, ok = r.when(float64(max(r.stage.MinDevices, 1)))
	return after + eventTime, ok
}

// when returns the time from the beginning of the stage until the given number of devices has reported. ok is false for never.
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

// detect adds the detections in one stage, for the rates that no earlier stage finds.
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

// devicesUntilBreach returns the minimum number of devices that is a breach in the stage if rate percent of them are
// affected.
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

// health returns the health of a release with the given number of affected devices. Each affected device crashed and
// reported every event that has a maximum. Every device reported the events that have a minimum. The control group
// consists of the devices outside the rollout, and none of them is affected.
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
