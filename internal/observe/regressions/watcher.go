// Package regressions finds resolved error groups that devices report on a newer release, and forgets the statuses of groups
// that telemetry has deleted.
package regressions

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/internal/base/gather"
	"github.com/waft-ota/waft/models"
)

const (
	// maxPending is the maximum number of sightings that wait for a check. Reports of invented errors could add many. A
	// group whose sighting is dropped is found again by its next report.
	maxPending = 50_000
	// forgetEvery is the number of intervals between two searches for deleted groups, and maxForgotten the maximum number
	// of statuses that one search looks at.
	forgetEvery  = 360
	maxForgotten = 100
	// kept is the time for which telemetry keeps a group that devices no longer report.
	kept = 400 * 24 * time.Hour
)

// Store stores the statuses of error groups.
type Store interface {
	// RegressErrorGroups calls created, which returns the creation times of releases by update ID, only if a resolved group
	// was reported.
	RegressErrorGroups(
		ctx context.Context, projectID int64, reports []models.ErrorReport, created func(context.Context) (map[string]time.Time, error),
	) (regressed int, err error)
	ReleasePlaces(ctx context.Context, projectID int64) ([]models.ReleasePlace, error)
	// OldErrorGroups returns statuses of groups that were not seen since a time.
	OldErrorGroups(ctx context.Context, before time.Time, most int) ([]models.ErrorGroupStatus, error)
	SawErrorGroup(ctx context.Context, id int64, at time.Time) error
	ForgetErrorGroup(ctx context.Context, id int64, seenBefore time.Time) error
}

// Telemetry has the error groups.
type Telemetry interface {
	ErrorGroups(ctx context.Context, projectID int64, q models.GroupQuery, now time.Time) ([]models.GroupFigures, error)
}

// sighting is a report of an error group on a release.
type sighting struct {
	project     int64
	fingerprint models.Fingerprint
	platform    models.Platform
	update      string
}

// Watcher checks the errors that were inserted. Several processes may each run a watcher.
type Watcher struct {
	store     Store
	telemetry Telemetry
	interval  time.Duration
	log       *slog.Logger
	now       func() time.Time
	pending   *gather.Map[sighting, struct{}]
}

// NewWatcher returns a watcher, which works while Run runs.
func NewWatcher(store Store, telemetry Telemetry, interval time.Duration, log *slog.Logger, now func() time.Time) *Watcher {
	return &Watcher{
		store: store, telemetry: telemetry, interval: interval, log: log, now: now,
		pending: gather.New[sighting](maxPending, gather.Newest[struct{}]),
	}
}

// ErrorsInserted marks the error groups of reports for a check. It does not block. An error on the embedded update is
// never a regression, because that update is older than every release.
func (w *Watcher) ErrorsInserted(reports []models.HealthReport) {
	for _, r := range reports {
		if r.UpdateUUID == "" {
			continue
		}
		for _, e := range r.Events {
			if f := e.Group.Fingerprint; f != 0 && f != models.OtherErrors {
				w.pending.Add(sighting{r.ProjectID, f, r.Platform, r.UpdateUUID}, struct{}{})
			}
		}
	}
}

// Run checks the marked groups until ctx ends. It repeats a failed check.
func (w *Watcher) Run(ctx context.Context) error {
	n := 0
	return every.Run(ctx, w.interval, func() {
		err := w.pending.Flush(func(taken map[sighting]struct{}) error { return w.check(ctx, taken) })
		if n++; err == nil && n%forgetEvery == 0 {
			err = w.Forget(ctx)
		}
		if err != nil && ctx.Err() == nil {
			w.log.Warn("error groups could not be checked for regressions", slog.Any("error", err))
		}
	})
}

func (w *Watcher) check(ctx context.Context, taken map[sighting]struct{}) error {
	byProject := map[int64][]models.ErrorReport{}
	for s := range taken {
		byProject[s.project] = append(byProject[s.project], models.ErrorReport{
			Fingerprint: s.fingerprint.String(), Platform: s.platform, UpdateUUID: s.update,
		})
	}
	for projectID, reports := range byProject {
		regressed, err := w.store.RegressErrorGroups(ctx, projectID, reports, func(ctx context.Context) (map[string]time.Time, error) {
			places, err := w.store.ReleasePlaces(ctx, projectID)
			created := make(map[string]time.Time, len(places))
			for _, p := range places {
				created[p.UpdateUUID] = p.CreatedAt
			}
			return created, err
		})
		if err != nil {
			return err
		}
		if regressed > 0 {
			w.log.Info("resolved error groups were reported on newer releases", slog.Int64("project", projectID), slog.Int("groups", regressed))
		}
	}
	return nil
}

// Forget deletes statuses of groups that telemetry has deleted.
func (w *Watcher) Forget(ctx context.Context) error {
	now := w.now().UTC()
	old := now.Add(-kept)
	statuses, err := w.store.OldErrorGroups(ctx, old, maxForgotten)
	if err != nil {
		return err
	}
	for _, s := range statuses {
		fingerprint, err := models.ParseFingerprint(s.Fingerprint)
		if err != nil {
			return err
		}
		groups, err := w.telemetry.ErrorGroups(ctx, s.ProjectID, models.GroupQuery{From: old, To: now, Fingerprint: fingerprint}, now)
		switch {
		case err != nil:
			return err
		case len(groups) == 0:
			err = w.store.ForgetErrorGroup(ctx, s.ID, old)
		default:
			err = w.store.SawErrorGroup(ctx, s.ID, groups[0].LastAt)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
