package watch

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/base/gather"
	"github.com/waft-ota/waft/models"
)

// A prompter passes on errors immediately, and other reports once per quietInterval. While errors continue, the
// interval between two prompts begins at firstErrorInterval and doubles up to errorInterval, because the first reports
// of a spike arrive in several batches.
const (
	quietInterval      = time.Second
	firstErrorInterval = 100 * time.Millisecond
	errorInterval      = 500 * time.Millisecond
)

// Prompts stores prompts: see store.Store.
type Prompts interface {
	PromptRollouts(ctx context.Context, workflowIDs []string) error
}

// Rollouts finds the workflow that rolls out a release: see snapshot.Registry.
type Rollouts interface {
	RolloutWorkflow(projectID int64, updateUUID string) (workflowID string, ok bool)
}

// Prompter informs the watchers of rollouts with new reports as soon as queries can see the reports.
type Prompter struct {
	prompts  Prompts
	rollouts Rollouts
	log      *slog.Logger

	pending *gather.Map[string, struct{}] // workflow ids
	errors  chan struct{}
}

// NewPrompter returns a prompter that looks rollouts up in rollouts.
func NewPrompter(prompts Prompts, rollouts Rollouts, log *slog.Logger) *Prompter {
	return &Prompter{
		prompts: prompts, rollouts: rollouts, log: log, pending: gather.New[string](0, gather.Newest[struct{}]), errors: make(chan struct{}, 1),
	}
}

// release names a release of a project.
type release struct {
	projectID  int64
	updateUUID string
}

// Inserted adds the rollouts of the reported releases. It does not block.
func (p *Prompter) Inserted(reports []models.HealthReport) {
	found := map[release]bool{}
	for _, r := range reports {
		if r.UpdateUUID != "" {
			key := release{r.ProjectID, r.UpdateUUID}
			found[key] = found[key] || r.HasErrors()
		}
	}
	p.add(found)
}

// Served adds the rollouts of the releases in exposures: a device counts from its exposure on, and some releases fail
// before they can report. It does not block.
func (p *Prompter) Served(exposures []models.Exposure) {
	found := map[release]bool{}
	for _, e := range exposures {
		key := release{e.ProjectID, e.UpdateUUID}
		found[key] = found[key] || e.Kind == models.ExposureFailure
	}
	p.add(found)
}

// add adds the rollouts of releases. A value of true says that there are errors.
func (p *Prompter) add(found map[release]bool) {
	for r, errors := range found {
		workflowID, ok := p.rollouts.RolloutWorkflow(r.projectID, r.updateUUID)
		if !ok {
			continue
		}
		p.pending.Add(workflowID, struct{}{})
		if errors {
			select {
			case p.errors <- struct{}{}:
			default: // a signal is already waiting
			}
		}
	}
}

// Run prompts until ctx ends, and returns nil. If the process crashes, its prompts are lost; the watchers' sweep finds
// those rollouts.
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

// prompt passes on pending rollouts. After a failure they stay pending.
func (p *Prompter) prompt(ctx context.Context) {
	_ = p.pending.Flush(func(pending map[string]struct{}) error {
		err := p.prompts.PromptRollouts(ctx, slices.Collect(maps.Keys(pending)))
		if err != nil && ctx.Err() == nil {
			p.log.Warn("watchers could not be prompted; trying again", "rollouts", len(pending), "error", err)
		}
		return err
	})
}
