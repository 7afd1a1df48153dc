package watch

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// Errors are told at once, other reports once in quietInterval. While errors go on, the
// interval between two prompts begins as firstErrorInterval and doubles up to
// errorInterval: the first reports of a spike come in several batches.
const (
	quietInterval      = time.Second
	firstErrorInterval = 100 * time.Millisecond
	errorInterval      = 500 * time.Millisecond
)

// Prompts is where prompts go.
type Prompts interface {
	PromptRollouts(ctx context.Context, workflowIDs []string) error
}

// Rollouts finds the workflow that rolls a release out; see snapshot.Registry.
type Rollouts interface {
	RolloutWorkflow(projectID int64, updateUUID string) (workflowID string, ok bool)
}

// Prompter tells the watchers which rollouts have news, as soon as queries see it.
type Prompter struct {
	prompts  Prompts
	rollouts Rollouts
	log      *slog.Logger

	mu      sync.Mutex
	pending map[string]bool // workflow ids
	errors  chan struct{}
}

// NewPrompter makes a prompter that finds rollouts in rollouts.
func NewPrompter(prompts Prompts, rollouts Rollouts, log *slog.Logger) *Prompter {
	return &Prompter{prompts: prompts, rollouts: rollouts, log: log, pending: map[string]bool{}, errors: make(chan struct{}, 1)}
}

// release names a release of a project.
type release struct {
	projectID  int64
	updateUUID string
}

// Inserted notes the rollouts that reports concern. It does not block.
func (p *Prompter) Inserted(reports []models.HealthReport) {
	news := map[release]bool{}
	for _, r := range reports {
		if r.UpdateUUID != "" {
			key := release{r.ProjectID, r.UpdateUUID}
			news[key] = news[key] || r.HasErrors()
		}
	}
	p.note(news)
}

// Served notes the rollouts that serves concern: a device counts once Waft has served
// it the release, and some fail before they can report anything. It does not block.
func (p *Prompter) Served(serves []models.Exposure) {
	news := map[release]bool{}
	for _, s := range serves {
		key := release{s.ProjectID, s.UpdateUUID}
		news[key] = news[key] || s.Kind == models.ExposureFailure
	}
	p.note(news)
}

// note notes the rollouts of releases; the value says that there are errors.
func (p *Prompter) note(news map[release]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r, errors := range news {
		workflowID, ok := p.rollouts.RolloutWorkflow(r.projectID, r.updateUUID)
		if !ok {
			continue
		}
		p.pending[workflowID] = true
		if errors {
			select {
			case p.errors <- struct{}{}:
			default: // noted already
			}
		}
	}
}

// Run prompts until ctx ends, and returns nil. A prompt that is lost with the process
// costs time, not truth: the watchers sweep.
func (p *Prompter) Run(ctx context.Context) error {
	quiet := time.NewTicker(quietInterval)
	defer quiet.Stop()
	interval, prompted := firstErrorInterval, time.Time{}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-quiet.C:
			p.prompt(ctx)
			continue
		case <-p.errors:
		}
		if time.Since(prompted) > 2*errorInterval {
			interval = firstErrorInterval
		}
		p.prompt(ctx)
		prompted = time.Now()
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(interval):
		}
		interval = min(2*interval, errorInterval)
	}
}

// prompt passes on what was noted; what cannot be is kept for the next time.
func (p *Prompter) prompt(ctx context.Context) {
	p.mu.Lock()
	pending := p.pending
	p.pending = map[string]bool{}
	p.mu.Unlock()
	if len(pending) == 0 {
		return
	}
	err := p.prompts.PromptRollouts(ctx, slices.Collect(maps.Keys(pending)))
	if err == nil {
		return
	}
	if ctx.Err() == nil {
		p.log.Warn("the watchers cannot be told of reports; trying again", "rollouts", len(pending), "error", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	maps.Copy(p.pending, pending)
}
