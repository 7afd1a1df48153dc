package models

import "time"

// Incident is a spike of errors on one release and channel, open until the rate is normal again.
type Incident struct {
	Versioned
	ID, ProjectID int64
	// UpdateUUID is "" for the embedded update.
	UpdateUUID     string `gorm:"column:update_uuid"`
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// FlagKey and FlagVariation name the variation that has the errors, nil if the errors do not depend on a flag.
	FlagKey, FlagVariation *string
	// Devices, ErroredDevices and CrashedDevices are counts of the hour before CheckedAt. PeakErroredDevices is the highest
	// count of ErroredDevices in any check.
	Devices, ErroredDevices, CrashedDevices int64
	PeakErroredDevices                      int64
	// BaselineDevices and BaselineErroredDevices are fixed sums over the 24 hours before the incident.
	BaselineDevices, BaselineErroredDevices int64
	OpenedAt, CheckedAt                     time.Time
	ClosedAt                                *time.Time
	// AcknowledgedBy is the name of the actor who acknowledged the incident, nil before that.
	AcknowledgedBy *string
	AcknowledgedAt *time.Time
	Note           string
}

// IncidentPatch changes the set fields of an incident.
type IncidentPatch struct {
	Acknowledged *bool
	Note         *string
}

func (p IncidentPatch) Validate() error {
	var problems Problems
	ifSet(&problems, "note", p.Note, checkNote)
	return problems.Err()
}

// Status returns "open" or "closed".
func (i Incident) Status() string {
	if i.ClosedAt == nil {
		return "open"
	}
	return "closed"
}

// ErrorRate returns the percentage of devices with an error in the hour before CheckedAt.
func (i Incident) ErrorRate() float64 { return percentOf(i.ErroredDevices, i.Devices) }

// BaselineErrorRate returns the average percentage of devices with an error per hour before the incident.
func (i Incident) BaselineErrorRate() float64 {
	return percentOf(i.BaselineErroredDevices, i.BaselineDevices)
}

// ReleaseHour is a release's health on a channel in the last hour; Before sums the 24 hours before it.
type ReleaseHour struct {
	UpdateUUID     string
	Channel        string
	Platform       Platform
	RuntimeVersion string
	DeviceCounts
	Before DeviceCounts
}
