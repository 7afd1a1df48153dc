package api

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/guard/cardinality"
	"github.com/waft-ota/waft/models"
)

// fakeInsights is an Insights. A function that is not set stands for an empty, valid result.
type fakeInsights struct {
	adoption func(days int) (models.Adoption, error)
	events   func(models.EventQuery) ([]models.TelemetryEvent, error)
	seen     func(models.PreviewQuery) (models.SeenDevices, error)
}

func (f *fakeInsights) SeenDevices(_ context.Context, _ int64, q models.PreviewQuery, _ time.Time) (models.SeenDevices, error) {
	if f.seen != nil {
		return f.seen(q)
	}
	return models.SeenDevices{}, nil
}

func (f *fakeInsights) Adoption(_ context.Context, _ int64, days int, _ time.Time) (models.Adoption, error) {
	if f.adoption != nil {
		return f.adoption(days)
	}
	return models.Adoption{Days: days, Exact: true}, nil
}

func (f *fakeInsights) Timeseries(_ context.Context, _ int64, q models.TimeseriesQuery, _ time.Time) (models.Timeseries, error) {
	return models.Timeseries{Period: q.Period, Exact: true}, nil
}

func (f *fakeInsights) FlagImpacts(context.Context, int64, models.FlagImpactQuery, time.Time) ([]models.FlagImpact, error) {
	return nil, nil
}

func (f *fakeInsights) FlagHealth(context.Context, int64, string, int, time.Time) (models.FlagHealth, error) {
	return models.FlagHealth{}, nil
}

func (f *fakeInsights) FlagsHealth(context.Context, int64, int, time.Time) (map[string]models.FlagHealth, error) {
	return map[string]models.FlagHealth{}, nil
}

func (f *fakeInsights) FlagsInUse(context.Context, int64, time.Time) ([]string, error) {
	return nil, nil
}

func (f *fakeInsights) FlagEvaluations(context.Context, int64, string, int, time.Time) (models.FlagEvaluationSummary, error) {
	return models.FlagEvaluationSummary{}, nil
}

func (f *fakeInsights) Events(_ context.Context, _ int64, q models.EventQuery, _ time.Time) ([]models.TelemetryEvent, error) {
	if f.events != nil {
		return f.events(q)
	}
	return nil, nil
}

func (f *fakeInsights) ListRefused(_ context.Context, _ int64, _ time.Time) ([]models.RefusedSummary, error) {
	return nil, nil
}

func (f *fakeInsights) StreamActivity(context.Context, int64, time.Time) ([]models.StreamActivity, error) {
	return nil, nil
}

func (f *fakeInsights) ServedHealth(context.Context, int64, []models.ServedStream, bool, time.Time) (models.ServedHealth, error) {
	return nil, nil
}

func (f *fakeInsights) ReleaseCounts(context.Context, int64, []string, time.Time) (map[string]models.DeviceCounts, error) {
	return nil, nil
}

func (f *fakeInsights) Devices(context.Context, int64, models.DeviceQuery) ([]models.Device, error) {
	return nil, nil
}

func (f *fakeInsights) CountDevices(context.Context, int64, models.DeviceQuery) (*int64, error) {
	return nil, nil
}

func (f *fakeInsights) CountEvents(context.Context, int64, models.EventQuery, time.Time) (*int64, error) {
	return nil, nil
}

func (f *fakeInsights) DeviceReleases(context.Context, int64, []string, []string) ([]models.DeviceRelease, error) {
	return nil, nil
}

func (f *fakeInsights) RolloutObservations(
	context.Context, int64, int64, time.Time, time.Time, int,
) ([]models.RolloutObservation, error) {
	return nil, nil
}

// fakeOverviews is an Overviews without records.
type fakeOverviews struct{}

func (fakeOverviews) OverviewRecords(context.Context, int64, []int64) (models.OverviewRecords, error) {
	return models.OverviewRecords{}, nil
}

func (fakeOverviews) PreviousRelease(context.Context, int64, string) (models.Release, bool, error) {
	return models.Release{}, false, nil
}

func (fakeOverviews) Attention(context.Context, int64, models.Actor) (models.Attention, error) {
	return models.Attention{}, nil
}

// fakeUpdateNames is an UpdateNames. A function that is not set stands for an empty, valid result.
type fakeUpdateNames struct {
	releasesOf func(updates []string) (map[string]models.Release, error)
}

func (f *fakeUpdateNames) ReleasesOf(_ context.Context, _ int64, updates []string) (map[string]models.Release, error) {
	if f.releasesOf != nil {
		return f.releasesOf(updates)
	}
	return nil, nil
}

// fakeIncidents is an Incidents without records.
type fakeIncidents struct{}

func (f *fakeIncidents) Incident(_ context.Context, _, id int64) (models.Incident, error) {
	return models.Incident{ID: id}, nil
}

func (f *fakeIncidents) UpdateIncident(_ context.Context, _ int64, _ models.Actor, id int64, _ models.IncidentPatch) (models.Incident, error) {
	return models.Incident{ID: id}, nil
}

func (f *fakeIncidents) ListIncidents(context.Context, int64, models.IncidentStatus, models.Page) ([]models.Incident, error) {
	return nil, nil
}

// fakeReports is a Reports. A function that is not set stands for an empty, valid result.
type fakeReports struct {
	appendReport func(models.HealthReport) error
}

func (f *fakeReports) Append(_ context.Context, r models.HealthReport) error {
	if f.appendReport != nil {
		return f.appendReport(r)
	}
	return nil
}

// fakeExposures is an Exposures. A function that is not set stands for an empty, valid result.
type fakeExposures struct {
	served []models.Exposure
}

func (f *fakeExposures) Served(s models.Exposure) { f.served = append(f.served, s) }

// fakeRefusedCounter is a RefusedCounter. A function that is not set stands for an empty, valid result.
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

// fakeEvaluations is an Evaluations. A function that is not set stands for an empty, valid result.
type fakeEvaluations struct {
	mu       sync.Mutex // evaluations by the server are appended in the background
	appended []models.FlagEvaluations
}

func (f *fakeEvaluations) AppendEvaluations(_ context.Context, evaluations []models.FlagEvaluations) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.appended = append(f.appended, evaluations...)
	return nil
}

// counts returns the number of evaluations of each flag.
func (f *fakeEvaluations) counts() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	counts := map[string]int{}
	for _, e := range f.appended {
		counts[e.FlagKey] += int(e.Count)
	}
	return counts
}

// fakeEvaluatedContexts is an EvaluatedContexts. A function that is not set stands for an empty, valid result.
type fakeEvaluatedContexts struct {
	noted    sync.Mutex // streams evaluate for contexts while others are opened
	contexts []models.EvaluatedContext
}

func (f *fakeEvaluatedContexts) Evaluated(c models.EvaluatedContext) {
	f.noted.Lock()
	defer f.noted.Unlock()
	f.contexts = append(f.contexts, c)
}

// fakeErrorGroups has one event, which it returns for every ID. It does not have groups or releases.
type fakeErrorGroups struct{}

func (fakeErrorGroups) ErrorGroups(context.Context, int64, models.GroupQuery, time.Time) ([]models.GroupFigures, error) {
	return nil, nil
}

func (fakeErrorGroups) ErrorGroupTrends(
	context.Context, int64, models.GroupQuery, []models.Fingerprint,
) (map[models.Fingerprint][]int64, error) {
	return nil, nil
}

func (fakeErrorGroups) ErrorGroupDetail(context.Context, int64, models.GroupQuery, time.Time) (models.GroupDetail, error) {
	return models.GroupDetail{}, nil
}

func (fakeErrorGroups) RunUpdates(context.Context, int64) ([]string, error) { return nil, nil }

func (fakeErrorGroups) Event(context.Context, int64, uuid.UUID, uint16, time.Time) (models.TelemetryEvent, error) {
	return models.TelemetryEvent{}, nil
}

func (fakeErrorGroups) ReleasePlaces(context.Context, int64) ([]models.ReleasePlace, error) {
	return nil, nil
}

// fakeSourceMaps accepts every source map.
type fakeSourceMaps struct{}

func (fakeSourceMaps) Check(_ context.Context, r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func (fakeSourceMaps) Frames(context.Context, int64, models.TelemetryEvent) ([]models.StackFrame, error) {
	return nil, nil
}

func (fakeSourceMaps) Forget(int64) {}

func (fakeSourceMaps) DeleteSourceMap(context.Context, int64, models.Actor, int64) error { return nil }

func (fakeSourceMaps) PutSourceMap(
	_ context.Context, _ int64, _ models.Actor, buildID int64, n models.NewSourceMap,
) (models.Build, error) {
	return models.Build{ID: buildID, SourceMap: &models.SourceMap{SizeBytes: n.SizeBytes}}, nil
}

// fakeErrorStatuses is an ErrorStatuses without records.
type fakeErrorStatuses struct{}

func (fakeErrorStatuses) ErrorGroupStatuses(context.Context, int64, []string) (map[string]models.ErrorGroupStatus, error) {
	return nil, nil
}

func (fakeErrorStatuses) UpdateErrorGroup(
	context.Context, int64, models.Actor, models.GroupToChange, models.ErrorGroupPatch,
) (models.ErrorGroupStatus, error) {
	return models.ErrorGroupStatus{}, nil
}
