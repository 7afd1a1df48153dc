package rollout

import "github.com/waft-ota/waft/models"

const (
	// spikeDevices is how many errored devices are no spike yet, whatever the rate.
	spikeDevices = 5
	// spikeChance is how unlikely an hour must be to be a spike. It is looked at again
	// and again for every release: 24 separate hours of 20 releases make 480 tests a
	// day, so that a project sees a false one every three weeks at most; far fewer, as
	// counts are whole numbers.
	spikeChance = 1e-4
	// spikeRatio keeps a great fleet's small, yet certain, changes from being spikes.
	spikeRatio = 2
	// calmChance is how likely an hour must be under the rate of before for an incident
	// to be over.
	calmChance = 0.05

	// A release without a past is measured against one errored device in a hundred.
	// Beside a real past that weighs nothing.
	priorErrored = 1
	priorDevices = 100
)

// Spiked reports whether a release's devices err in this hour as they did not before:
// more than five of them, at twice the rate, and beyond chance.
func Spiked(h models.ReleaseHour) bool {
	before := withPrior(h.Before)
	return h.ErroredDevices > spikeDevices &&
		h.ErrorRate() >= spikeRatio*before.ErrorRate() &&
		ChanceOfAsMany(h.ErroredDevices, h.Devices, before.ErroredDevices, before.Devices) <= spikeChance
}

// Calm reports whether an incident is over: this hour's devices err no more than
// before it began. before is what it was then, since an hour that is part of the
// incident must not become the measure of it.
func Calm(hour, before models.DeviceCounts) bool {
	before = withPrior(before)
	return hour.ErroredDevices == 0 ||
		ChanceOfAsMany(hour.ErroredDevices, hour.Devices, before.ErroredDevices, before.Devices) > calmChance
}

func withPrior(f models.DeviceCounts) models.DeviceCounts {
	return f.Plus(models.DeviceCounts{Devices: priorDevices, ErroredDevices: priorErrored})
}

const (
	// carrierChance is how unlikely it must be that a variation has its errors by
	// chance to be named as what carries an incident; there are many variations to
	// choose from.
	carrierChance = 1e-3
	// carrierShare names a variation where only errors tell of flags, so that nobody
	// knows how many devices had it without one.
	carrierShare = 0.9
)

// Carrier is the flag variation whose devices have the errors of an incident, where
// one stands out against the other variations of its flag.
func Carrier(states []models.FlagState) (carrier models.FlagState, ok bool) {
	flags := map[string]models.DeviceCounts{}
	for _, s := range states {
		flags[s.FlagKey] = flags[s.FlagKey].Plus(s.DeviceCounts)
	}
	least := 1.0
	for _, s := range states {
		all := flags[s.FlagKey]
		others := models.DeviceCounts{Devices: all.Devices - s.Devices, ErroredDevices: all.ErroredDevices - s.ErroredDevices}
		chance := ChanceOfAsMany(s.ErroredDevices, s.Devices, others.ErroredDevices, others.Devices)
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
