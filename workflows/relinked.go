package workflows

import (
	"errors"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/internal/rollout"
	"github.com/waft-ota/waft/models"
)

// errRelinked says that a step was not written: it rested on linked flags that the
// release has no more, or on health from before it lost one. The state knows better
// now, and whoever wanted the step thinks again.
var errRelinked = errors.New("the release links other flags than the rollout knew")

// receiveRelinked takes in that people gave the release other flags. It never waits.
func (r *rolloutRun) receiveRelinked(ctx workflow.Context) {
	signals := workflow.GetSignalChannel(ctx, SignalRelinked)
	for s := (models.RolloutRelinked{}); signals.ReceiveAsync(&s); s = (models.RolloutRelinked{}) {
		if !changed(ctx, changeRelinked) {
			continue
		}
		r.adopt(ctx, s.LinkedFlags, s.CountsSince)
	}
}

// adopt takes over how many flags the release links, and since when its health counts.
// A look under way asked for the health before.
func (r *rolloutRun) adopt(ctx workflow.Context, linkedFlags int, countsSince *time.Time) {
	next, recounted := r.state.relinked(linkedFlags, countsSince)
	if recounted {
		r.dropLook()
		next.NextLookAt = clockTime(ctx)
	}
	r.state = next
}

// relinked is the state of a rollout whose release links so many flags. When its health
// counts from later on than the state knows, the stage has begun again at that time,
// with fresh counts: the row says so already. News that is older changes nothing.
func (s RolloutState) relinked(linkedFlags int, countsSince *time.Time) (next RolloutState, recounted bool) {
	switch known := s.CountsSince; {
	case known == nil && countsSince == nil, known != nil && countsSince != nil && known.Equal(*countsSince):
		s.Flags = linkedFlags > 0
		return s, false
	case countsSince == nil, known != nil && countsSince.Before(*known):
		return s, false
	}
	s.Flags = linkedFlags > 0
	s.CountsSince = countsSince
	s.StageStartedAt = *countsSince
	s.Clock = rollout.Clock{}
	if s.Status == models.ExecutionRunning {
		s.Clock = s.Clock.Started(*countsSince)
	}
	s.Before, s.Compared = rollout.Comparison{}, rollout.Comparison{}
	// What the row shows and tells is from before; the next look writes it anew.
	s.Shown = nil
	return s, true
}
