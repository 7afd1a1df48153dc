package models

// DeviceCounts are distinct devices, exact or estimated.
type DeviceCounts struct {
	// Devices reported anything.
	Devices int64
	// ErroredDevices reported a js_error or a crash, CrashedDevices a crash.
	ErroredDevices int64
	CrashedDevices int64
}

// ErrorRate is the percentage of devices that errored, 0 without devices.
func (c DeviceCounts) ErrorRate() float64 { return percentOf(c.ErroredDevices, c.Devices) }

// CrashRate is the percentage of devices that crashed, 0 without devices.
func (c DeviceCounts) CrashRate() float64 { return percentOf(c.CrashedDevices, c.Devices) }

// CrashFreePercentage is 100 − CrashRate.
func (c DeviceCounts) CrashFreePercentage() float64 { return 100 - c.CrashRate() }

// Plus adds the counts of other devices.
func (c DeviceCounts) Plus(others DeviceCounts) DeviceCounts {
	return DeviceCounts{
		c.Devices + others.Devices, c.ErroredDevices + others.ErroredDevices, c.CrashedDevices + others.CrashedDevices,
	}
}

// DeltaTo is how many percentage points c's error rate is above that of others,
// 0 when one of the two has no devices.
func (c DeviceCounts) DeltaTo(others DeviceCounts) float64 {
	if c.Devices == 0 || others.Devices == 0 {
		return 0
	}
	return c.ErrorRate() - others.ErrorRate()
}
