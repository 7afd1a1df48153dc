package models

import "time"

// Device is a device by what it reported.
type Device struct {
	// Key is the hash, in hex, by which telemetry orders devices; DeviceID is in lower case, hashed where the project
	// says so.
	Key, DeviceID string
	// Platform, Channel, RuntimeVersion and UpdateUUID, "" for the embedded update, are of the last report.
	Platform                            Platform
	Channel, RuntimeVersion, UpdateUUID string
	FirstSeenAt, LastSeenAt             time.Time
	// Errors and Crashes are sums of the counts of its events.
	Errors, Crashes int64
}

// DeviceCursor is a place in a list of devices.
type DeviceCursor struct {
	At  time.Time
	Key string
}

// Cursor is the place of d.
func (d Device) Cursor() DeviceCursor { return DeviceCursor{d.LastSeenAt, d.Key} }

// DeviceQuery selects devices, the one that reported last first; empty fields do not filter.
type DeviceQuery struct {
	// IDs are names of one device: the id, and its hash.
	IDs []string
	// Search is found in the id; SearchIDs are ids that match as well.
	Search              string
	SearchIDs           []string
	UpdateUUID, Channel string
	// After is the end of the page before, nil for the first page.
	After *DeviceCursor
	Limit int
}

// DeviceRelease is what a device was served and reported of one release; a time is nil for what did not happen.
type DeviceRelease struct {
	UpdateUUID string
	// TouchedAt is the last report or exposure.
	TouchedAt time.Time
	// ServedAt is the first exposure. FailedAt is when the device first said that the release failed before its first
	// render.
	ServedAt, FirstSeenAt, LastSeenAt, FirstErrorAt, FirstCrashAt, FailedAt *time.Time
	// Platform, Channel and RuntimeVersion are of the exposure, "" without one.
	Platform                Platform
	Channel, RuntimeVersion string
}
