package models

import "time"

// Device summarizes the reports of a device.
type Device struct {
	// Key is the hash, in hex, by which telemetry sorts devices. DeviceID is in lower case, or hashed if the project has
	// enabled that.
	Key, DeviceID string
	// Platform, Channel, RuntimeVersion and UpdateUUID are from the last report. UpdateUUID is "" for the embedded update.
	Platform                            Platform
	Channel, RuntimeVersion, UpdateUUID string
	FirstSeenAt, LastSeenAt             time.Time
	// Errors and Crashes are the sums of the counts in the device's events.
	Errors, Crashes int64
}

// DeviceCursor is a place in a list of devices.
type DeviceCursor struct {
	At  time.Time
	Key string
}

// Cursor returns the place of d in a list of devices.
func (d Device) Cursor() DeviceCursor { return DeviceCursor{d.LastSeenAt, d.Key} }

// DeviceQuery selects devices, the most recent reporter first; empty fields do not filter.
type DeviceQuery struct {
	// IDs are the names of one device: its ID and its hash.
	IDs []string
	// Search must occur in the ID, unless the ID is one of SearchIDs.
	Search              string
	SearchIDs           []string
	UpdateUUID, Channel string
	// After is the end of the previous page, nil for the first page.
	After *DeviceCursor
	Limit int
}

// DeviceRelease is the history of one release on a device. A time is nil if the event did not happen.
type DeviceRelease struct {
	UpdateUUID string
	// TouchedAt is the time of the last report or exposure.
	TouchedAt time.Time
	// ServedAt is the time of the first exposure. FailedAt is the time when the device first reported that the release failed
	// before its first render.
	ServedAt, FirstSeenAt, LastSeenAt, FirstErrorAt, FirstCrashAt, FailedAt *time.Time
	// Platform, Channel and RuntimeVersion are from the exposure, "" without one.
	Platform                Platform
	Channel, RuntimeVersion string
}
