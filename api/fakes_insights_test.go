package api

import (
	"context"
	"time"

	"github.com/waft-ota/waft/models"
)

// fakeInsights is an Insights. A function that is not set stands for an empty, valid answer.
type fakeInsights struct {
	adoption   func(days int) (models.Adoption, error)
	timeseries func(models.TimeseriesQuery) (models.Timeseries, error)
	impacts    func(models.FlagImpactQuery) ([]models.FlagImpact, error)
	health     func(flagKey string, days int) (models.FlagHealth, error)
	evaluated  func(flagKey string, days int) (models.FlagEvaluationSummary, error)
	events     func(models.EventQuery) ([]models.TelemetryEvent, error)
	streams    func() ([]models.StreamActivity, error)
	devices    func(models.DeviceQuery) ([]models.Device, error)
	seen       func(models.PreviewQuery) (models.SeenDevices, error)
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
	if f.timeseries != nil {
		return f.timeseries(q)
	}
	return models.Timeseries{Period: q.Period, Exact: true}, nil
}

func (f *fakeInsights) FlagImpacts(_ context.Context, _ int64, q models.FlagImpactQuery, _ time.Time) ([]models.FlagImpact, error) {
	if f.impacts != nil {
		return f.impacts(q)
	}
	return nil, nil
}

func (f *fakeInsights) FlagHealth(_ context.Context, _ int64, flagKey string, days int, _ time.Time) (models.FlagHealth, error) {
	if f.health != nil {
		return f.health(flagKey, days)
	}
	return models.FlagHealth{}, nil
}

func (f *fakeInsights) FlagsHealth(context.Context, int64, int, time.Time) (map[string]models.FlagHealth, error) {
	return map[string]models.FlagHealth{}, nil
}

func (f *fakeInsights) FlagsInUse(context.Context, int64, time.Time) ([]string, error) {
	return nil, nil
}

func (f *fakeInsights) FlagEvaluations(
	_ context.Context, _ int64, flagKey string, days int, _ time.Time,
) (models.FlagEvaluationSummary, error) {
	if f.evaluated != nil {
		return f.evaluated(flagKey, days)
	}
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

func (f *fakeInsights) StreamActivity(_ context.Context, _ int64, _ time.Time) ([]models.StreamActivity, error) {
	if f.streams != nil {
		return f.streams()
	}
	return nil, nil
}

func (f *fakeInsights) Devices(_ context.Context, _ int64, q models.DeviceQuery, _ time.Time) ([]models.Device, error) {
	if f.devices != nil {
		return f.devices(q)
	}
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

// fakeUpdateNames is an UpdateNames. A function that is not set stands for an empty, valid answer.
type fakeUpdateNames struct {
	releasesOf func(updates []string) (map[string]models.Release, error)
}

func (f *fakeUpdateNames) ReleasesOf(_ context.Context, _ int64, updates []string) (map[string]models.Release, error) {
	if f.releasesOf != nil {
		return f.releasesOf(updates)
	}
	return nil, nil
}

// fakeIncidents is an Incidents. A function that is not set stands for an empty, valid answer.
type fakeIncidents struct {
	incidents func(open *bool) ([]models.Incident, error)
}

func (f *fakeIncidents) Incident(_ context.Context, _, id int64) (models.Incident, error) {
	return models.Incident{ID: id}, nil
}

func (f *fakeIncidents) UpdateIncident(_ context.Context, _ int64, _ models.Actor, id int64, _ models.IncidentPatch) (models.Incident, error) {
	return models.Incident{ID: id}, nil
}

func (f *fakeIncidents) ListIncidents(_ context.Context, _ int64, open *bool, _ models.Page) ([]models.Incident, error) {
	if f.incidents != nil {
		return f.incidents(open)
	}
	return nil, nil
}
