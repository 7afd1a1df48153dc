package models

import "time"

// EmergencyStop is what a person stopped in a project, until they resume it.
type EmergencyStop struct {
	ProjectID int64 `gorm:"primaryKey"`
	Reason    string
	// StoppedBy is the name of the actor.
	StoppedBy string
	StoppedAt time.Time
	// Channels and Executions were running and are resumed with the stop's end.
	Channels   []int64 `gorm:"type:jsonb;serializer:json"`
	Executions []int64 `gorm:"type:jsonb;serializer:json"`
}

// NewEmergencyStop is a request to stop a project.
type NewEmergencyStop struct{ Reason string }

func (n NewEmergencyStop) Validate() error {
	var p Problems
	checkRequiredText(&p, "reason", n.Reason, 1000)
	return p.Err()
}
