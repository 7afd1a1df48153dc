package models

import "time"

// Incident is a spike of errors on one release and channel. It is open from the
// moment when it is found until the error rate is back.
type Incident struct {
	ID        int64
	ProjectID int64
	// UpdateUUID is "" for the embedded update.
	UpdateUUID     string `gorm:"column:update_uuid"`
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// FlagKey and FlagVariation name the variation that carries the errors, nil when
	// none stands out.
	FlagKey       *string
	FlagVariation *string
	// Devices, ErroredDevices and CrashedDevices are of the hour before CheckedAt;
	// PeakErroredDevices is the highest count at any check.
	Devices            int64
	ErroredDevices     int64
	CrashedDevices     int64
	PeakErroredDevices int64
	// BaselineDevices and BaselineErroredDevices are of the 24 hours before the
	// incident, added up over the hours. They stay as they are while it is open.
	BaselineDevices        int64
	BaselineErroredDevices int64
	OpenedAt               time.Time
	CheckedAt              time.Time
	ClosedAt               *time.Time
}

// Status is "open" or "closed".
func (i Incident) Status() string {
	if i.ClosedAt == nil {
		return "open"
	}
	return "closed"
}

// ErrorRate is the percentage of this hour's devices that errored.
func (i Incident) ErrorRate() float64 { return percentOf(i.ErroredDevices, i.Devices) }

// BaselineErrorRate is the percentage of devices that errored in an hour before it.
func (i Incident) BaselineErrorRate() float64 {
	return percentOf(i.BaselineErroredDevices, i.BaselineDevices)
}

// ReleaseHour is the health of a release's devices on one channel in the last hour, and
// in the 24 hours before it, added up over the hours.
type ReleaseHour struct {
	UpdateUUID     string
	Channel        string
	Platform       Platform
	RuntimeVersion string
	DeviceCounts
	Before DeviceCounts
}

// FlagState is the health of devices under one variation of a flag.
type FlagState struct {
	FlagKey   string
	Variation string
	DeviceCounts
}
