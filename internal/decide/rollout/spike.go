package rollout

import (
	"time"

	"github.com/waft-ota/waft/models"
)

const (
	// spikeDevices is the maximum number of errored devices that is never a spike, whatever the rate.
	spikeDevices = 5
	// spikeChance is the maximum chance of an hour that counts as a spike. 24 hours of 20 releases are 480 tests per
	// day, so a project has at most one false spike in three weeks.
	spikeChance = 1e-4
	// spikeRatio excludes small changes, which can be significant in a large fleet.
	spikeRatio = 2
	// calmChance is the minimum chance, under the rate before the incident, of an hour that ends the incident.
	calmChance = 0.05

	// The prior is added to the earlier hours: a release without earlier hours is compared with 1 errored device in 100.
	priorErrored = 1
	priorDevices = 100
)

// Spiked reports whether a release has a spike of errors in this hour: more than five errored devices, and a rate that
// is at least twice the earlier rate and significantly higher.
func Spiked(h models.ReleaseHour) bool {
	before := withPrior(h.Before)
	return h.ErroredDevices > spikeDevices &&
		h.ErrorRate() >= spikeRatio*before.ErrorRate() &&
		chanceOfAsMany(h.ErroredDevices, h.Devices, before.ErroredDevices, before.Devices) <= spikeChance
}

// IncidentRate is the percentage of errored devices from which a release without earlier reports can have an incident.
const IncidentRate = spikeRatio * 100.0 * priorErrored / priorDevices

// Calm reports whether an incident is over: this hour's rate is not significantly above the rate in before, the hours
// before the incident began.
func Calm(hour, before models.DeviceCounts) bool {
	before = withPrior(before)
	return hour.ErroredDevices == 0 ||
		chanceOfAsMany(hour.ErroredDevices, hour.Devices, before.ErroredDevices, before.Devices) > calmChance
}

func withPrior(f models.DeviceCounts) models.DeviceCounts {
	return f.Plus(models.DeviceCounts{Devices: priorDevices, ErroredDevices: priorErrored})
}

const (
	// carrierChance is the maximum chance of a variation that is named as the carrier of an incident. It is small because
	// there may be many variations.
	carrierChance = 1e-3
	// carrierShare is the minimum fraction of the errors with which a variation is named if only devices with errors
	// reported their flags.
	carrierShare = 0.9
)

// Carrier returns the flag variation that has significantly more errors than the other variations of its flag. ok is
// false if there is no such variation.
func Carrier(states []models.FlagState) (carrier models.FlagState, ok bool) {
	flags := map[string]models.DeviceCounts{}
	for _, s := range states {
		flags[s.FlagKey] = flags[s.FlagKey].Plus(s.DeviceCounts)
	}
	least := 1.0
	for _, s := range states {
		all := flags[s.FlagKey]
		others := models.DeviceCounts{Devices: all.Devices - s.Devices, ErroredDevices: all.ErroredDevices - s.ErroredDevices}
		chance := chanceOfAsMany(s.ErroredDevices, s.Devices, others.ErroredDevices, others.Devices)
		if all.Devices == all.ErroredDevices && others.Devices > 0 && s.ErroredDevices > spikeDevices &&
			float64(s.ErroredDevices) >= carrierShare*float64(all.ErroredDevices) {
			chance = carrierChance
		}
		if chance <= carrierChance && (chance < least || chance == least && s.ErroredDevices > carrier.ErroredDevices) {
			carrier, least, ok = s, chance, true
		}
	}
	return carrier, ok
}

const (
	// calmWithin is the maximum time between two checks in a row that end an incident.
	calmWithin = time.Minute
	// withdrawnAtMost is the time after which an incident of a withdrawn release ends, even if some of its devices have
	// not asked again. It is a little less than the hour that is promised, because checks are up to a minute apart.
	withdrawnAtMost = 59 * time.Minute
)

// IncidentCheck is the result of a check of an incident.
type IncidentCheck struct {
	Now time.Time
	// Hour has the counts of the last hour.
	Hour models.DeviceCounts
	// Withdrawn reports whether devices no longer get the release. Pending counts the devices that had it and have not
	// asked again since.
	Withdrawn bool
	Pending   int64
	// Gap is the minimum time between two checks that end an incident. Several processes may check at the same time.
	Gap time.Duration
}

// AfterCheck returns the incident after a check, resolved if it is over. It is over as soon as every device that had a
// withdrawn release has asked again, or 59 minutes later. Otherwise, it is over after two checks in a row, at most a
// minute apart, that find a normal rate.
func AfterCheck(i models.Incident, c IncidentCheck) models.Incident {
	i.Devices, i.ErroredDevices, i.CrashedDevices = c.Hour.Devices, c.Hour.ErroredDevices, c.Hour.CrashedDevices
	i.PeakErroredDevices = max(i.PeakErroredDevices, c.Hour.ErroredDevices)
	i.WithdrawnAt = WithdrawnSince(i, c.Withdrawn)
	i.CheckedAt = c.Now
	if i.WithdrawnAt != nil && (c.Pending == 0 || c.Now.Sub(*i.WithdrawnAt) >= withdrawnAtMost) {
		i.Resolve(models.ResolvedByRollback, c.Now)
		return i
	}
	before := models.DeviceCounts{Devices: i.BaselineDevices, ErroredDevices: i.BaselineErroredDevices}
	switch {
	case !Calm(c.Hour, before):
		i.CalmAt = nil
	case i.CalmAt == nil || c.Now.Sub(*i.CalmAt) > max(calmWithin, 2*c.Gap):
		i.CalmAt = &c.Now
	case c.Now.Sub(*i.CalmAt) >= c.Gap:
		why := models.ResolvedByRecovery
		if i.WithdrawnAt != nil {
			why = models.ResolvedByRollback
		}
		i.Resolve(why, c.Now)
	}
	return i
}

// WithdrawnSince returns WithdrawnAt of an incident that is being checked. Devices got the release at the last check that
// found it served, so it is the time of that check.
func WithdrawnSince(i models.Incident, withdrawn bool) *time.Time {
	switch {
	case !withdrawn:
		return nil
	case i.WithdrawnAt != nil:
		return i.WithdrawnAt
	default:
		return new(i.CheckedAt)
	}
}
