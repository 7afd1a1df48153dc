package models

import "time"

// RolloutSubject is what deciding about a rollout takes: the execution as the store has
// it, and what its release adds.
type RolloutSubject struct {
	Execution   RolloutExecution `gorm:"embedded"`
	ProjectSlug string
	// ShareSalt orders the devices of the release's share.
	ShareSalt string
	// LinkedFlags is how many flags the release links.
	LinkedFlags int
}

// ShownObservation is an observation to be shown in an execution's row. It is fenced: the
// row takes it only while it still has Version and CountsSince.
type ShownObservation struct {
	ExecutionID int64       `json:"id"`
	Version     int64       `json:"version"`
	CountsSince *time.Time  `json:"countsSince"`
	Health      Observation `json:"health"`
	// Reason is why the rollout holds, in the numbers of Health; "" leaves the row's.
	Reason string `json:"reason"`
}
