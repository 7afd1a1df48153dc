package activities

import (
	"github.com/waft-ota/waft/internal/webhook"
	"github.com/waft-ota/waft/models"
)

// Activities are the activities with what they depend on. Their method names are
// the names registered with Temporal, and so part of every recorded history.
type Activities struct {
	Rollouts RolloutStore
	Health   HealthSource

	Patches PatchStore
	Running RunningUpdates
	Files   PatchFiles
	// PatchBases is against how many releases, and how many updates inside binaries,
	// patches to a release are made.
	PatchBases int

	Deliveries DeliveryStore
	Sender     Sender
	// WebhookSchedule is when a message is sent again that failed.
	WebhookSchedule webhook.Schedule
	// Attempted hears of every attempt, when it is not nil.
	Attempted func(webhook.Result, models.DeliveryOutcome)
	Lanes     Lanes
}
