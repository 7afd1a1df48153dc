package workflows

import (
	"errors"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// errRelinked says that a step was not written: it rested on linked flags that the
// release has no more, or on health from before it lost one. The state is up to date
// now, and the step is decided anew.
var errRelinked = errors.New("the release links other flags than the rollout knew")

// receiveRelinked takes in that people gave the release other linked flags. It never
// waits.
func (r *rolloutRun) receiveRelinked(ctx workflow.Context) {
	signals := workflow.GetSignalChannel(ctx, SignalRelinked)
	for s := (models.RolloutRelinked{}); signals.ReceiveAsync(&s); s = (models.RolloutRelinked{}) {
		r.adopt(ctx, s.LinkedFlags, s.CountsSince)
	}
}

// adopt takes over how many flags the release links, and since when its health counts.
// An observation under way asked for the health before, so it is dropped.
func (r *rolloutRun) adopt(ctx workflow.Context, linkedFlags int, countsSince *time.Time) {
	next, recounted := r.state.relinked(linkedFlags, countsSince)
	if recounted {
		r.dropObservation()
		next.ObserveAt = clockTime(ctx)
	}
	r.state = next
}

// relinked is the state of a rollout whose release links so many flags. When its health
// counts from later on than the state knows, the stage has begun again at that time,
// with fresh counts: the row says so already. News that is older changes nothing.
func (s RolloutState) relinked(linkedFlags int, countsSince *time.Time) (next RolloutState, recounted bool) {
	e := &s.Execution
	switch known := e.CountsSince; {
	case known == nil && countsSince == nil, known != nil && countsSince != nil && known.Equal(*countsSince):
		s.LinkedFlags = linkedFlags
		return s, false
	case countsSince == nil, known != nil && countsSince.Before(*known):
		return s, false
	}
	s.LinkedFlags = linkedFlags
	e.CountsSince = countsSince
	e.StageStartedAt = *countsSince
	e.Progress = e.Progress.Recounted(e.Status, *countsSince)
	return s, true
}
