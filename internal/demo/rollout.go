package demo

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"sync"
	"time"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// settle is the time around an observed change of share in which requests are not counted:
// the change reaches the server's manifests and this program at different moments.
const settle = 500 * time.Millisecond

// rollout is one execution as observed by this program.
type rollout struct {
	label   string
	release models.Release

	mu     sync.Mutex
	latest models.RolloutExecution
	// steps are the changes of the share, in order.
	steps []step
	// over is when the execution ended, zero before.
	over moment
}

type step struct {
	percentage float64
	began      moment
}

// moment is when something was first observed here, and when it happened by the server's
// clock, which may differ from the local one. The server's time may be missing.
type moment struct {
	seen   time.Time
	server time.Time
}

// see records the current execution and returns whether its share changed or it ended.
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

// window is the time during which step i certainly applied, by the local clock. Its end
// may have been observed late. So the end is the server's time, converted by the smallest
// difference between the clocks that any observation had.
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

func updatesOf(rollouts []*rollout) ids {
	all := ids{}
	for _, r := range rollouts {
		for id := range r.updates() {
			all[id] = true
		}
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

// follow watches the executions of the releases until they end, and reports every step.
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

// link is the address of the rollout's workflow in Temporal's web UI, or "".
func (p *player) link(r *rollout) string {
	id := r.execution().WorkflowID
	if p.TemporalUI == "" || id == "" {
		return ""
	}
	return fmt.Sprintf("%s/namespaces/%s/workflows/%s", p.TemporalUI, url.PathEscape(p.Namespace), url.PathEscape(id))
}

// saw records one state of an execution, and reports what changed.
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
		p.say(Plain, "%s: stage %d of %d, %v %% of devices", r.name(), e.StageIndex+1, len(e.Stages), e.Percentage)
		if link := p.link(r); link != "" && len(r.shares()) == 1 {
			p.say(Quiet, "%s in Temporal: %s", r.name(), link)
		}
	}
}
