package models

import "time"

// EmergencyStop records the stop of a project until the project is resumed.
type EmergencyStop struct {
	ProjectID int64 `gorm:"primaryKey"`
	Reason    string
	// StoppedBy is the name of the actor.
	StoppedBy string
	StoppedAt time.Time
	// Channels and Executions are the channels and rollouts that the stop paused. They are resumed when the stop ends.
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
