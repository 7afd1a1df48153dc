package models

// FlagImpactQuery asks for the health of devices under flags in the last days, today
// included; empty filters let everything pass.
type FlagImpactQuery struct {
	Days    int
	FlagKey string
	Channel string
}

// FlagImpact is the health of devices under one variation of a flag on one channel and
// one release, "" for the embedded update.
type FlagImpact struct {
	FlagKey        string
	Variation      string
	UpdateUUID     string
	RuntimeVersion string
	Channel        string
	DeviceCounts
	// ErrorRateDelta is against the flag's other variations on the same release and
	// channel, in percentage points.
	ErrorRateDelta float64
}

// CompareImpacts fills in the deltas.
func CompareImpacts(impacts []FlagImpact) {
	type place struct{ flag, update, runtime, channel string }
	at := func(f FlagImpact) place { return place{f.FlagKey, f.UpdateUUID, f.RuntimeVersion, f.Channel} }
	together := map[place]DeviceCounts{}
	for _, f := range impacts {
		together[at(f)] = together[at(f)].Plus(f.DeviceCounts)
	}
	for i, f := range impacts {
		impacts[i].ErrorRateDelta = f.DeltaTo(together[at(f)].minus(f.DeviceCounts))
	}
}

func (f DeviceCounts) minus(g DeviceCounts) DeviceCounts {
	return DeviceCounts{f.Devices - g.Devices, f.ErroredDevices - g.ErroredDevices, f.CrashedDevices - g.CrashedDevices}
}
