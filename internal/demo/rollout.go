package demo

import (
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// settle is how long after a change of share was seen the devices that ask are
// taken to be served by it, and how long before it they no longer are: the change
// reaches the server's manifests and this program at slightly different moments.
const settle = 500 * time.Millisecond

// rollout is one execution as it was seen from here.
type rollout struct {
	label   string
	release models.Release

	mu     sync.Mutex
	latest models.RolloutExecution
	// steps are the changes of the share, in the order seen.
	steps []step
	// over is when the execution was seen to have ended, zero before.
	over moment
}

// step is a share and when it began.
type step struct {
	percentage float64
	began      moment
}

// moment is when something was first seen here, and when it happened by the
// server's clock, which need not agree with ours and may be missing.
type moment struct {
	seen   time.Time
	server time.Time
}

// see takes an execution as it stands now and answers how it differs from before.
func (r *rollout) see(e models.RolloutExecution, now time.Time) (stepped, ended bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latest = e
	if n := len(r.steps); e.Percentage > 0 && e.Status.Open() && (n == 0 || r.steps[n-1].percentage != e.Percentage) {
		r.steps = append(r.steps, step{percentage: e.Percentage, began: moment{now, e.StageStartedAt}})
		stepped = true
	}
	if r.over.seen.IsZero() && !e.Status.Open() {
		r.over.seen = now
		if e.EndedAt != nil {
			r.over.server = *e.EndedAt
		}
		ended = true
	}
	return stepped, ended
}

func (r *rollout) execution() models.RolloutExecution {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.latest
}

// endedAt is zero while the execution is open.
func (r *rollout) endedAt() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.over.seen
}

// window is the time during which step i surely held, by our clock. News of its
// end may have come late, so the end is taken from the server's clock, which is
// set by the piece of news that came fastest.
func (r *rollout) window(i int) (s step, from, to time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s = r.steps[i]
	end := r.over
	if i+1 < len(r.steps) {
		end = r.steps[i+1].began
	}
	to = end.seen
	if !end.server.IsZero() {
		lag := end.seen.Sub(end.server)
		for _, other := range r.steps {
			if !other.began.server.IsZero() {
				lag = min(lag, other.began.seen.Sub(other.began.server))
			}
		}
		to = end.server.Add(lag)
	}
	return s, s.began.seen.Add(settle), to.Add(-settle)
}

// shares are the shares that were seen, in order.
func (r *rollout) shares() []float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	shares := make([]float64, len(r.steps))
	for i, s := range r.steps {
		shares[i] = s.percentage
	}
	return shares
}

func (r *rollout) updates() ids { return ids{r.release.UpdateUUID.String(): true} }

func (r *rollout) name() string { return r.label + " " + string(r.release.Platform) }

// updatesOf are the updates of all the rollouts.
func updatesOf(rollouts []*rollout) ids {
	all := ids{}
	for _, r := range rollouts {
		for id := range r.updates() {
			all[id] = true
		}
	}
	return all
}

// allOver reports whether every execution has ended.
func allOver(rollouts []*rollout) bool {
	for _, r := range rollouts {
		if r.endedAt().IsZero() {
			return false
		}
	}
	return true
}

// follow watches the executions of the releases until they end, and tells every
// step.
func (p *player) follow(ctx context.Context, label string, releases []models.Release) ([]*rollout, error) {
	var rollouts []*rollout
	for _, release := range releases {
		if release.RolloutExecutionID == nil {
			return nil, fmt.Errorf("release %d was published with a policy and has no rollout", release.ID)
		}
		rollouts = append(rollouts, &rollout{label: label, release: release})
	}
	p.mu.Lock()
	p.rollouts = append(p.rollouts, rollouts...)
	p.mu.Unlock()
	for _, r := range rollouts {
		id := *r.release.RolloutExecutionID
		p.background.Go(func() {
			err := p.server.Watch(ctx, id, func(e models.RolloutExecution) { p.saw(r, e) })
			if err != nil && ctx.Err() == nil {
				p.say(Bad, "%s: watching rollout %d: %v", r.name(), id, err)
			}
		})
	}
	return rollouts, nil
}

// link is where Temporal's web UI shows the rollout's workflow, "" without a UI.
func (p *player) link(r *rollout) string {
	id := r.execution().WorkflowID
	if p.TemporalUI == "" || id == "" {
		return ""
	}
	return fmt.Sprintf("%s/namespaces/%s/workflows/%s", p.TemporalUI, url.PathEscape(p.Namespace), url.PathEscape(id))
}

// saw takes in one state of an execution.
func (p *player) saw(r *rollout, e models.RolloutExecution) {
	stepped, ended := r.see(e, p.Now())
	switch {
	case ended:
		tone, text := Plain, e.Reason
		if e.Status == models.ExecutionRolledBack {
			tone = Bad
		}
		if text == "" {
			text = string(e.Status)
		}
		p.say(tone, "%s: %s", r.name(), text)
	case stepped:
		p.say(Plain, "%s: stage %d of %d, %v %% of devices", r.name(), e.StageIndex+1, len(e.Stages), e.Percentage)
		if link := p.link(r); link != "" && len(r.shares()) == 1 {
			p.say(Quiet, "%s in Temporal: %s", r.name(), link)
		}
	}
}
