package rollout

import "github.com/waft-ota/waft/models"

const (
	// spikeDevices is how many errored devices are not yet a spike at any rate.
	spikeDevices = 5
	// spikeChance is the largest chance of an hour that is a spike. 24 separate hours of 20
	// releases are 480 tests a day, so a project has at most one false spike in three weeks.
	spikeChance = 1e-4
	// spikeRatio excludes small changes, which are significant in a large fleet.
	spikeRatio = 2
	// calmChance is the least chance of an hour, under the rate before the incident, that ends it.
	calmChance = 0.05

	// A release without earlier hours is compared with one errored device in a hundred.
	priorErrored = 1
	priorDevices = 100
)

// Spiked reports whether a release has a spike of errors in this hour: more than five errored
// devices, at least twice the rate before, and significantly more.
func Spiked(h models.ReleaseHour) bool {
	before := withPrior(h.Before)
	return h.ErroredDevices > spikeDevices &&
		h.ErrorRate() >= spikeRatio*before.ErrorRate() &&
		chanceOfAsMany(h.ErroredDevices, h.Devices, before.ErroredDevices, before.Devices) <= spikeChance
}

// Calm reports whether an incident is over: this hour's rate is not significantly above that of
// before, the hours before the incident began.
func Calm(hour, before models.DeviceCounts) bool {
	before = withPrior(before)
	return hour.ErroredDevices == 0 ||
		chanceOfAsMany(hour.ErroredDevices, hour.Devices, before.ErroredDevices, before.Devices) > calmChance
}

func withPrior(f models.DeviceCounts) models.DeviceCounts {
	return f.Plus(models.DeviceCounts{Devices: priorDevices, ErroredDevices: priorErrored})
}

const (
	// carrierChance is the largest chance of a variation that is named as an incident's carrier.
	// It is small since there may be many variations.
	carrierChance = 1e-3
	// carrierShare is the part of the errors that names a variation when only devices with errors
	// reported their flags.
	carrierShare = 0.9
)

// Carrier is the flag variation that has significantly more errors than the other variations of
// its flag; ok is false when there is none.
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
