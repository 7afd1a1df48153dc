package models

import "time"

// Attention lists the facts about a project that need a person's attention.
type Attention struct {
	// Stop is the emergency stop; nil if the project is not stopped.
	Stop *EmergencyStop
	// Approvals is the number of calls that wait for the reader's decision.
	Approvals int64
	// Incidents is the number of open incidents.
	Incidents int64
	// Restore is the project's last restore from a backup; nil if it is longer ago than RestoreShownFor.
	Restore *RestoredProject
	// Setup lists the first steps that are done.
	Setup ProjectSetup
}

// RestoredProject describes the restore of a project from a backup.
type RestoredProject struct {
	BackedUpAt, RestoredAt time.Time
	// PausedRollouts is the number of rollouts that are still paused because of this restore or an earlier one.
	PausedRollouts int64
}

// RestoreShownFor is how long a restore is shown to the people of a project.
const RestoreShownFor = 7 * 24 * time.Hour

// ProjectSetup lists the first steps of a project that are done.
type ProjectSetup struct {
	// HasAPIKey and HasRelease report whether the project has an API key that is not revoked, and a release.
	HasAPIKey, HasRelease bool
	// SigningKeyID is the ID of the code signing key, nil without one.
	SigningKeyID *string
}
