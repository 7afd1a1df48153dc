package demo

import (
	"context"

	"github.com/waft-ota/waft/models"
)

// Server is what the demo asks of Waft's management API.
type Server interface {
	// EnsurePolicy answers the id of the project's policy of that name, which it
	// makes if there is none.
	EnsurePolicy(ctx context.Context, p models.NewRolloutPolicy) (int64, error)
	// Publish uploads an export folder and publishes it for each of the platforms,
	// grouped. A policy of 0 means to everybody at once.
	Publish(ctx context.Context, p Publication) ([]models.Release, error)
	// Watch calls each with an execution as it stands and after every change, until
	// the execution is over or ctx ends.
	Watch(ctx context.Context, executionID int64, each func(models.RolloutExecution)) error
}

// Publication is what the demo publishes.
type Publication struct {
	Dir            string
	Platforms      []models.Platform
	Channel        string
	RuntimeVersion string
	Message        string
	PolicyID       int64
}
