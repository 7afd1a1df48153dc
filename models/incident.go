package models

import "time"

// IncidentStatus is the status of an incident.
type IncidentStatus string

const (
	IncidentOpen IncidentStatus = "open"
	// IncidentResolved means that Waft ended the incident: its release was rolled back, or its rate is normal again.
	IncidentResolved IncidentStatus = "resolved"
	// IncidentClosed means that a person ended the incident.
	IncidentClosed IncidentStatus = "closed"
)

// IncidentResolution is the reason why an incident ended.
type IncidentResolution string

const (
	// ResolvedByRollback means that devices no longer get the release.
	ResolvedByRollback IncidentResolution = "rolled_back"
	// ResolvedByRecovery means that the error rate is normal again.
	ResolvedByRecovery IncidentResolution = "recovered"
	ResolvedByPerson   IncidentResolution = "closed_by_person"
)

// IncidentReopens is the time after which an incident may open again for a release whose incident did not recover. The
// last hour's errors, which an incident is about, are then from after the end of the earlier incident.
const IncidentReopens = time.Hour

// Incident is a spike of errors on one release and channel.
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
	// CalmAt is the time of the first of the last checks in a row that found a normal rate, nil if the last check did not.
	CalmAt *time.Time
	// WithdrawnAt is a time shortly before devices stopped getting the release, nil while they get it.
	WithdrawnAt *time.Time
	// ResolvedAt and Resolution are nil while the incident is open.
	ResolvedAt *time.Time
	Resolution *IncidentResolution
	// AcknowledgedBy is the name of the actor who acknowledged the incident, nil before that.
	AcknowledgedBy *string
	AcknowledgedAt *time.Time
	Note           string

	// FlagID is the ID of the flag FlagKey, nil if the project does not have it. ExecutionID is the ID of the newest rollout of
	// the release, nil without one. GitCommitHash and GitAuthor are the commit of the release. Only reads fill them in.
	FlagID                   *int64 `gorm:"-"`
	ExecutionID              *int64 `gorm:"-"`
	GitCommitHash, GitAuthor string `gorm:"-"`
}

// IncidentPatch changes the set fields of an incident.
type IncidentPatch struct {
	Acknowledged *bool
	Note         *string
	// Close closes an open incident if it is true.
	Close bool
}

func (p IncidentPatch) Validate() error {
	var problems Problems
	ifSet(&problems, "note", p.Note, checkNote)
	return problems.Err()
}

// Status returns the status of the incident.
func (i Incident) Status() IncidentStatus {
	switch {
	case i.ResolvedAt == nil:
		return IncidentOpen
	case i.Resolution != nil && *i.Resolution == ResolvedByPerson:
		return IncidentClosed
	default:
		return IncidentResolved
	}
}

// Resolve ends the incident. Another process, whose clock may be ahead, may have opened it.
func (i *Incident) Resolve(why IncidentResolution, at time.Time) {
	if at.Before(i.OpenedAt) {
		at = i.OpenedAt
	}
	i.Resolution, i.ResolvedAt = &why, &at
}

// Stream returns the target of the incident.
func (i Incident) Stream() Stream {
	return Stream{Channel: i.Channel, Platform: i.Platform, RuntimeVersion: i.RuntimeVersion}
}

// WithdrawnRelease is a release that devices of a channel no longer get, at least since a time after Since.
type WithdrawnRelease struct {
	UpdateUUID, Channel string
	Since               time.Time
}

// WithdrawnDevices counts the devices that recently had a withdrawn release.
type WithdrawnDevices struct {
	// Served counts the devices that were served the release on the channel.
	Served int64
	// Pending counts the devices that have not made a request since then.
	Pending int64
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
