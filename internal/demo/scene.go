package demo

import (
	"time"

	"github.com/waft-ota/waft/internal/fleet"
	"github.com/waft-ota/waft/models"
)

// Narrator tells the story to whoever watches. Its methods are called by one
// goroutine at a time.
type Narrator interface {
	// Act announces a part of the play.
	Act(number, count int, title string)
	// Say tells something that happened; once, for good.
	Say(tone Tone, text string)
	// Show gives the state of things, a few times a second.
	Show(s Scene)
}

// Tone is how something is said.
type Tone int

// Tones.
const (
	Plain Tone = iota
	Good
	Bad
	Quiet
)

// Scene is the state of things at one moment.
type Scene struct {
	Elapsed  time.Duration
	Rollouts []RolloutView
	// Held says what the devices run at their next start, oldest release first.
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

// HeldView is how many devices hold a release.
type HeldView struct {
	Label   string
	Devices int
}

// Check is one thing that should be true at the end.
type Check struct {
	Claim string
	OK    bool
	// Seen is what was found, in numbers.
	Seen string
}

// Result is how the play went.
type Result struct {
	Checks []Check
	// Reaction is the time from the first crash report to the first device that was
	// served the release before; 0 when that never happened.
	Reaction time.Duration
	// Decision is the time from the first crash report to the execution's end.
	Decision time.Duration
	Stats    fleet.Stats
	// Links are the rollouts' workflows in Temporal's web UI, oldest first.
	Links []string
}

// OK reports whether everything happened as it should.
func (r Result) OK() bool {
	for _, c := range r.Checks {
		if !c.OK {
			return false
		}
	}
	return len(r.Checks) > 0
}
