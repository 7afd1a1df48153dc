package api

import (
	"context"
	"sync"

	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// fakeReports is a Reports. A function that is not set stands for an empty, valid answer.
type fakeReports struct {
	appendReport func(models.HealthReport) error
}

func (f *fakeReports) Append(_ context.Context, r models.HealthReport) error {
	if f.appendReport != nil {
		return f.appendReport(r)
	}
	return nil
}

// fakeExposures is an Exposures. A function that is not set stands for an empty, valid answer.
type fakeExposures struct {
	served []models.Exposure
}

func (f *fakeExposures) Served(s models.Exposure) { f.served = append(f.served, s) }

// fakeRefusedCounter is a RefusedCounter. A function that is not set stands for an empty, valid answer.
type fakeRefusedCounter struct {
	refused []models.RefusedRequest
	limited []models.LimitedReport
}

func (f *fakeRefusedCounter) Refused(r models.RefusedRequest, _ cardinality.Source) {
	f.refused = append(f.refused, r)
}

func (f *fakeRefusedCounter) Limited(r models.LimitedReport) {
	f.limited = append(f.limited, r)
}

// fakeEvaluations is an Evaluations. A function that is not set stands for an empty, valid answer.
type fakeEvaluations struct {
	mu       sync.Mutex // what the server evaluated is appended in the background
	appended []models.FlagEvaluations
}

func (f *fakeEvaluations) AppendEvaluations(_ context.Context, evaluations []models.FlagEvaluations) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.appended = append(f.appended, evaluations...)
	return nil
}

// counts are how often each flag was counted.
func (f *fakeEvaluations) counts() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := map[string]int{}
	for _, e := range f.appended {
		counts[e.FlagKey] += int(e.Count)
	}
	return counts
}

// fakeEvaluatedContexts is an EvaluatedContexts. A function that is not set stands for an empty, valid answer.
type fakeEvaluatedContexts struct {
	noted    sync.Mutex // streams evaluate for contexts while others are opened
	contexts []models.EvaluatedContext
}

func (f *fakeEvaluatedContexts) Evaluated(c models.EvaluatedContext) {
	f.noted.Lock()
	defer f.noted.Unlock()
	f.contexts = append(f.contexts, c)
}
