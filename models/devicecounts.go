package models

// DeviceCounts are numbers of distinct devices, exact or estimated.
type DeviceCounts struct {
	Devices int64
	// ErroredDevices counts the devices that reported a js_error or a crash; CrashedDevices counts the devices with a crash.
	ErroredDevices, CrashedDevices int64
}

// ErrorRate returns the percentage of devices with an error, or 0 if there are no devices.
func (c DeviceCounts) ErrorRate() float64 { return percentOf(c.ErroredDevices, c.Devices) }

// CrashRate returns the percentage of devices with a crash, or 0 if there are no devices.
func (c DeviceCounts) CrashRate() float64 { return percentOf(c.CrashedDevices, c.Devices) }

// CrashFreePercentage returns 100 − CrashRate.
func (c DeviceCounts) CrashFreePercentage() float64 { return 100 - c.CrashRate() }

func percentOf(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// Plus returns the sum of c and d, which count different devices.
func (c DeviceCounts) Plus(d DeviceCounts) DeviceCounts {
	return DeviceCounts{c.Devices + d.Devices, c.ErroredDevices + d.ErroredDevices, c.CrashedDevices + d.CrashedDevices}
}

func (c DeviceCounts) minus(d DeviceCounts) DeviceCounts {
	return DeviceCounts{c.Devices - d.Devices, c.ErroredDevices - d.ErroredDevices, c.CrashedDevices - d.CrashedDevices}
}

// DeltaTo returns the difference of the error rates in percentage points, or 0 if either has no devices.
func (c DeviceCounts) DeltaTo(others DeviceCounts) float64 {
	if c.Devices == 0 || others.Devices == 0 {
		return 0
	}
	return c.ErrorRate() - others.ErrorRate()
}

// FlagHealth is the health of the devices that evaluated a flag: of all devices, each counted once, and per variation.
type FlagHealth struct {
	DeviceCounts
	Variations []VariationHealth
}

// VariationHealth is the health of devices under one variation on one channel.
type VariationHealth struct {
	// Variation is the reported value of the flag.
	Variation string
	Channel   string
	DeviceCounts
}

// Others returns the sum of the counts of the flag's other variations on the same channel.
func (h FlagHealth) Others(of VariationHealth) DeviceCounts {
	var others DeviceCounts
	for _, v := range h.Variations {
		if v.Channel == of.Channel && v.Variation != of.Variation {
			others = others.Plus(v.DeviceCounts)
		}
	}
	return others
}

// FlagImpactQuery selects the last days, including today. An empty FlagKey or Channel does not filter.
type FlagImpactQuery struct {
	Days             int
	FlagKey, Channel string
}

// FlagImpact is the health of devices under one variation of a flag on one channel and release.
type FlagImpact struct {
	FlagKey, Variation string
	// UpdateUUID is "" for the embedded update.
	UpdateUUID     string
	RuntimeVersion string
	Channel        string
	DeviceCounts
	// ErrorRateDelta is the difference to the other variations on this release and channel, in percentage points.
	ErrorRateDelta float64
}

// CompareImpacts sets the ErrorRateDelta of all impacts.
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

// FlagState is the health of devices under one variation of a flag.
type FlagState struct {
	FlagKey, Variation string
	DeviceCounts
}
