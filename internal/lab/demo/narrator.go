package demo

import (
	"context"
	"slices"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet"
	"github.com/waft-ota/waft/models"
)

// Narrator shows the demo to a person. Its methods are called by one goroutine at a time.
type Narrator interface {
	// Act announces a part of the demo.
	Act(number, count int, title string)
	// Say reports an event.
	Say(tone Tone, text string)
	// Show reports the current state, a few times a second.
	Show(s Scene)
}

// Server is the part of client.Waft that the demo uses.
type Server interface {
	EnsurePolicy(ctx context.Context, p models.NewRolloutPolicy) (int64, error)
	Publish(ctx context.Context, p client.Publication) ([]client.Update, error)
	WatchRollout(ctx context.Context, id int64, each func(client.RolloutExecution) (more bool)) error
}

// Tone is the kind of an event.
type Tone int

// Tones.
const (
	Plain Tone = iota
	Good
	Bad
	Quiet
)

// Scene is the state at one moment.
type Scene struct {
	Elapsed  time.Duration
	Rollouts []RolloutView
	// Held counts the devices by the release that they run at their next start, oldest release first.
	Held  []HeldView
	Fleet fleet.Stats
	// PerSecond is the current rate of launches.
	PerSecond float64
}

// RolloutView is one row: a release on one platform.
type RolloutView struct {
	Label     string
	Execution models.RolloutExecution
}

// HeldView is the number of devices that hold a release.
type HeldView struct {
	Label   string
	Devices int
}

// Check is one expectation.
type Check struct {
	Claim string
	OK    bool
	// Seen is the observed result.
	Seen string
}

// Result is the result of the demo.
type Result struct {
	Checks []Check
	// Reaction is the time from the first crash report until the first device was served the previous release. It is 0 if
	// that did not happen.
	Reaction time.Duration
	Stats    fleet.Stats
	// Links are the URLs of the rollouts' workflows in Temporal's web UI, oldest first.
	Links []string
}

// OK reports whether every expectation held.
func (r Result) OK() bool {
	return len(r.Checks) > 0 && !slices.ContainsFunc(r.Checks, func(c Check) bool { return !c.OK })
}
