package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// fakeInsights are the answers about devices; a function that is not set stands for
// devices that never did anything.
type fakeInsights struct {
	events     func(models.EventQuery) ([]models.TelemetryEvent, error)
	timeseries func(models.TimeseriesQuery) (models.Timeseries, error)
	releasesOf func(updates []string) (map[string]models.Release, error)
	adoption   func(days int) (models.Adoption, error)
	impacts    func(models.FlagImpactQuery) ([]models.FlagImpact, error)
	health     func(flagKey string, days int) (models.FlagHealth, error)
	evaluated  func(flagKey string, days int) (models.FlagEvaluationSummary, error)
	incidents  func(open *bool) ([]models.Incident, error)
	appended   []models.FlagEvaluations
	refused    []models.RefusedRequest
	limited    []models.LimitedReport
	contexts   []models.EvaluatedContext
	// groups are of known devices; each has ten devices per group, and groupsErr is why
	// nobody knows.
	groups    []models.DeviceGroup
	groupsErr error
}

func (f *fakeStore) Adoption(_ context.Context, _ int64, days int, _ time.Time) (models.Adoption, error) {
	if f.insights.adoption != nil {
		return f.insights.adoption(days)
	}
	return models.Adoption{Days: days, Exact: true}, nil
}

func (f *fakeStore) Timeseries(_ context.Context, _ int64, q models.TimeseriesQuery, _ time.Time) (models.Timeseries, error) {
	if f.insights.timeseries != nil {
		return f.insights.timeseries(q)
	}
	return models.Timeseries{Period: q.Period, Exact: true}, nil
}

func (f *fakeStore) FlagImpacts(_ context.Context, _ int64, q models.FlagImpactQuery, _ time.Time) ([]models.FlagImpact, error) {
	if f.insights.impacts != nil {
		return f.insights.impacts(q)
	}
	return nil, nil
}

func (f *fakeStore) FlagHealth(_ context.Context, _ int64, flagKey string, days int, _ time.Time) (models.FlagHealth, error) {
	if f.insights.health != nil {
		return f.insights.health(flagKey, days)
	}
	return models.FlagHealth{}, nil
}

func (f *fakeStore) FlagEvaluations(
	_ context.Context, _ int64, flagKey string, days int, _ time.Time,
) (models.FlagEvaluationSummary, error) {
	if f.insights.evaluated != nil {
		return f.insights.evaluated(flagKey, days)
	}
	return models.FlagEvaluationSummary{}, nil
}

func (f *fakeStore) Events(_ context.Context, _ int64, q models.EventQuery, _ time.Time) ([]models.TelemetryEvent, error) {
	if f.insights.events != nil {
		return f.insights.events(q)
	}
	return nil, nil
}

func (f *fakeStore) ListIncidents(_ context.Context, _ int64, open *bool, _ models.Page) ([]models.Incident, error) {
	if f.insights.incidents != nil {
		return f.insights.incidents(open)
	}
	return nil, nil
}

func (f *fakeStore) ReleasesOf(_ context.Context, _ int64, updates []string) (map[string]models.Release, error) {
	if f.insights.releasesOf != nil {
		return f.insights.releasesOf(updates)
	}
	return nil, nil
}

func (f *fakeStore) AppendEvaluations(_ context.Context, evaluations []models.FlagEvaluations) error {
	f.insights.appended = append(f.insights.appended, evaluations...)
	return nil
}

func (f *fakeStore) ListRefused(_ context.Context, _ int64, _ time.Time) ([]models.RefusedSummary, error) {
	return nil, nil
}

func (f *fakeStore) Refused(r models.RefusedRequest) {
	f.insights.refused = append(f.insights.refused, r)
}

func (f *fakeStore) Limited(r models.LimitedReport) {
	f.insights.limited = append(f.insights.limited, r)
}

func (f *fakeStore) Evaluated(c models.EvaluatedContext) {
	f.insights.contexts = append(f.insights.contexts, c)
}

func (f *fakeStore) DeviceGroups(context.Context, int64, time.Time) ([]models.DeviceGroup, error) {
	return f.insights.groups, f.insights.groupsErr
}

func (f *fakeStore) GroupDevices(_ context.Context, _ int64, unions [][]uint64, _ time.Time) ([]int64, error) {
	devices := make([]int64, len(unions))
	for i, union := range unions {
		devices[i] = 10 * int64(len(union))
	}
	return devices, nil
}
