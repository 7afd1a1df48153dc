package rollout

import "github.com/waft-ota/waft/models"

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
