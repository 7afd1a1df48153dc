package models

import "time"

// AdoptionWindows are the windows of days that adoption can be asked for.
var AdoptionWindows = []int{7, 14, 30, 90}

// Adoption is which releases a project's devices run, over a window of whole days
// (UTC) of which today is the last.
type Adoption struct {
	Days int
	// Exact says that no figure is an estimate.
	Exact bool
	// ActiveDevices reported anything in the window.
	ActiveDevices int64
	// Downloads are by day, every day of the window once, oldest first.
	Downloads []DownloadDay
	// Updates are the devices of each release in the window, most first. A device
	// that ran several counts for each.
	Updates []UpdateDevices
	// ByDay are the devices of each release by day, oldest day first.
	ByDay []UpdateDay
}

// DownloadDay is what was downloaded in a day: Downloads counts a device once for
// each release that it got for the first time, Devices a device once.
type DownloadDay struct {
	Day       time.Time
	Downloads int64
	Devices   int64
}

// UpdateDevices is how many devices ran a release, "" for the embedded update of
// the given platform and runtime version.
type UpdateDevices struct {
	UpdateUUID     string
	Platform       Platform
	RuntimeVersion string
	Devices        int64
}

// UpdateDay is how many devices ran a release in a day.
type UpdateDay struct {
	Day        time.Time
	UpdateUUID string
	Devices    int64
}
