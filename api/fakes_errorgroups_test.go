package api

import (
	"context"
	"io"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// fakeErrorGroups has no groups and no releases, and one event that is any.
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

// fakeSourceMaps takes every source map.
type fakeSourceMaps struct{}

func (fakeSourceMaps) Check(_ context.Context, r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}

func (fakeSourceMaps) Frames(context.Context, int64, models.TelemetryEvent) ([]models.StackFrame, error) {
	return nil, nil
}

func (fakeSourceMaps) Forget(int64) {}

func (fakeSourceMaps) PutSourceMap(
	_ context.Context, _ int64, _ models.Actor, buildID int64, n models.NewSourceMap,
) (models.Build, error) {
	return models.Build{ID: buildID, SourceMap: &models.SourceMap{SizeBytes: n.SizeBytes}}, nil
}
