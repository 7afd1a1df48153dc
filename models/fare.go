package models

// Fare is how a number of devices fared: exact or estimated distinct devices.
type Fare struct {
	// Devices reported anything.
	Devices int64
	// ErroredDevices had at least one js_error or crash, CrashedDevices at least one
	// crash.
	ErroredDevices int64
	CrashedDevices int64
}

// ErrorRate is the percentage of devices that errored, 0 without devices.
func (f Fare) ErrorRate() float64 { return percentOf(f.ErroredDevices, f.Devices) }

// CrashRate is the percentage of devices that crashed, 0 without devices.
func (f Fare) CrashRate() float64 { return percentOf(f.CrashedDevices, f.Devices) }

// CrashFreePercentage is 100 − CrashRate.
func (f Fare) CrashFreePercentage() float64 { return 100 - f.CrashRate() }

// Plus adds up what are different devices on both sides.
func (f Fare) Plus(g Fare) Fare {
	return Fare{f.Devices + g.Devices, f.ErroredDevices + g.ErroredDevices, f.CrashedDevices + g.CrashedDevices}
}

// DeltaTo is how many percentage points f's error rate is above that of
// others, 0 when one of the two has no devices.
func (f Fare) DeltaTo(others Fare) float64 {
	if f.Devices == 0 || others.Devices == 0 {
		return 0
	}
	return f.ErrorRate() - others.ErrorRate()
}
