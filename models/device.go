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
	// Cursor is the place of the device in the list.
	Cursor Cursor
}

// DeviceSorts returns the fields by which a list of devices can be sorted.
func DeviceSorts() []string {
	return []string{"channel", "crashes", "deviceId", "errors", "firstSeenAt", "lastSeenAt", "platform", "runtimeVersion"}
}

// DeviceQuery selects devices, the most recent reporter first unless Sort is set; empty fields do not filter.
type DeviceQuery struct {
	// IDs are the names of one device: its ID and its hash.
	IDs []string
	// Search must occur in the ID, unless the ID is one of SearchIDs.
	Search              string
	SearchIDs           []string
	UpdateUUID, Channel string
	// Sort is one of DeviceSorts, with a leading "-" for descending order.
	Sort string
	// After is the end of the previous page, nil for the first page.
	After *Cursor
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
