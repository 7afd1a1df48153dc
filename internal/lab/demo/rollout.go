package demo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"sync"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// settle is the time at both ends of a stage in which requests are not counted. It allows for servers that change a rollout
// percentage at slightly different times, and for clocks that differ.
const settle = 500 * time.Millisecond

// rollout is one rollout as observed by this program.
type rollout struct {
	label   string
	release models.Release
	// asked is the local time before the release was published.
	asked time.Time

	mu     sync.Mutex
	latest models.RolloutExecution
	// steps are the changes of the rollout percentage, in order.
	steps []step
	// over is the local time at which the demo first saw that the rollout had ended. ended is the end by the server's clock.
	// Both are zero before.
	over, ended time.Time
}

// step is a change of the rollout percentage. began is a time by the server's clock before any device was served by it.
type step struct {
	percentage float64
	began      time.Time
}

// see records the current state, and reports whether the rollout percentage changed and whether the rollout ended.
func (r *rollout) see(e models.RolloutExecution, now time.Time) (stepped, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest = e
	known := len(r.steps)
	r.steps = r.steps[:0]
	// The timeline contains even the stages that were too short to be observed.
	for _, event := range e.Timeline {
		if event.Event == models.EventStarted || event.Event == models.EventStageAdvanced {
			r.steps = append(r.steps, step{percentage: event.Percentage, began: event.At})
		}
	}
	if r.over.IsZero() && !e.Status.Open() {
		r.over = now
		if e.EndedAt != nil {
			r.ended = *e.EndedAt
		}
		ended = true
	}
	return len(r.steps) > known, ended
}

func (r *rollout) execution() models.RolloutExecution {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.latest
}

// endedAt returns the local time at which the end was seen, or zero while the rollout is open.
func (r *rollout) endedAt() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over
}

// stages returns the rollout percentage of each stage, and a local time until which no device was served by a later stage. It
// converts the server's time with a bound on the difference of the clocks: the server created the release after the request.
func (r *rollout) stages() (shares []float64, until []time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	difference := r.asked.Sub(r.release.CreatedAt)
	for i, s := range r.steps {
		end := r.ended
		if i+1 < len(r.steps) {
			end = r.steps[i+1].began
		}
		shares, until = append(shares, s.percentage), append(until, end.Add(difference))
	}
	return shares, until
}

func (r *rollout) shares() []float64 {
	shares, _ := r.stages()
	return shares
}

func (r *rollout) updates() ids { return ids{r.release.UpdateUUID.String(): true} }

func (r *rollout) name() string { return r.label + " " + string(r.release.Platform) }

func updatesOf(rollouts []*rollout) ids {
	all := ids{}
	for _, r := range rollouts {
		maps.Copy(all, r.updates())
	}
	return all
}

func allOver(rollouts []*rollout) bool {
	for _, r := range rollouts {
		if r.endedAt().IsZero() {
			return false
		}
	}
	return true
}

// follow watches the rollouts of the releases until they end, and reports every step. The releases were published after
// asked.
func (p *player) follow(ctx context.Context, label string, releases []models.Release, asked time.Time) ([]*rollout, error) {
	var rollouts []*rollout
	for _, release := range releases {
		if release.RolloutExecutionID == nil {
			return nil, fmt.Errorf("release %d was published with a policy but has no rollout", release.ID)
		}
		rollouts = append(rollouts, &rollout{label: label, release: release, asked: asked})
	}
	p.mu.Lock()
	p.rollouts = append(p.rollouts, rollouts...)
	p.mu.Unlock()
	for _, r := range rollouts {
		id := *r.release.RolloutExecutionID
		p.background.Go(func() {
			err := p.server.WatchRollout(ctx, id, func(record client.RolloutExecution) bool {
				e := record.Model()
				p.saw(r, e)
				return e.Status.Open()
			})
			if err != nil && ctx.Err() == nil {
				p.say(Bad, "%s: watching rollout %d: %v", r.name(), id, err)
			}
		})
	}
	return rollouts, nil
}

// link returns the URL of the rollout's workflow in Temporal's web UI, or "".
func (p *player) link(r *rollout) string {
	id := r.execution().WorkflowID
	if p.TemporalUI == "" || id == "" {
		return ""
	}
	return fmt.Sprintf("%s/namespaces/%s/workflows/%s", p.TemporalUI, url.PathEscape(p.Namespace), url.PathEscape(id))
}

// saw records one state of a rollout, and reports the changes.
func (p *player) saw(r *rollout, e models.RolloutExecution) {
	stepped, ended := r.see(e, p.Now())
	switch {
	case ended:
		tone := Plain
		if e.Status == models.ExecutionRolledBack {
			tone = Bad
		}
		p.say(tone, "%s: %s", r.name(), cmp.Or(e.Reason, string(e.Status)))
	case stepped:
		p.say(Plain, "%s: stage %d of %d, %v%% of devices", r.name(), e.StageIndex+1, len(e.Stages), e.Percentage)
		if link := p.link(r); link != "" && len(r.shares()) == 1 {
			p.say(Quiet, "%s in Temporal: %s", r.name(), link)
		}
	}
}
