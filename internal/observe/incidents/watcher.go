// Package incidents opens an incident for each spike of errors and resolves it when the spike is over. Package rollout
// defines spikes.
package incidents

import (
	"context"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/internal/base/every"
	"github.com/waft-ota/waft/internal/base/gather"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// recheckEvery is the number of intervals after which all projects with open incidents are checked, even without new
// errors.
const recheckEvery = 3

// justWithdrawn is the maximum age of a rollback before an incident of the release opens.
const justWithdrawn = 5 * time.Minute

// catchUpTime is the maximum time that a check waits for the project's snapshot.
const catchUpTime = time.Second

// Store stores incidents.
type Store interface {
	// OpenIncident does nothing if the release and channel have an open incident, or had an incident that ended recently.
	OpenIncident(ctx context.Context, i models.Incident) (_ models.Incident, opened bool, err error)
	SaveIncident(ctx context.Context, i models.Incident) error
	// OpenIncidents returns the open incidents by project.
	OpenIncidents(ctx context.Context) (map[int64][]models.Incident, error)
}

// Telemetry provides the reports of devices.
type Telemetry interface {
	ReleaseHours(ctx context.Context, projectID int64, now time.Time) ([]models.ReleaseHour, error)
	FlagStates(ctx context.Context, projectID int64, of models.ReleaseHour, now time.Time) ([]models.FlagState, error)
	// WithdrawnDevices counts the devices that had a release in the day before it was withdrawn.
	WithdrawnDevices(ctx context.Context, projectID int64, of models.WithdrawnRelease) (models.WithdrawnDevices, error)
}

// Releases knows the releases that devices get: see snapshot.Registry.
type Releases interface {
	// Withdrawn reports whether no device of the target gets the release, and whether the release is on a branch of the
	// target's channel.
	Withdrawn(projectID int64, target models.Stream, updateUUID string) (withdrawn, own bool)
	// CatchUp returns once Withdrawn knows the project's state at the time of the call. If ctx ends first, it returns
	// an error.
	CatchUp(ctx context.Context, projectID int64) error
}

// Watcher checks the projects whose devices report errors. Several processes may each run a watcher.
type Watcher struct {
	store     Store
	telemetry Telemetry
	releases  Releases
	interval  time.Duration
	log       *slog.Logger
	now       func() time.Time
	pending   *gather.Map[int64, struct{}] // projects
}

// NewWatcher returns a watcher, which works while Run runs. It checks a project at most once per interval.
func NewWatcher(
	store Store, telemetry Telemetry, releases Releases, interval time.Duration, log *slog.Logger, now func() time.Time,
) *Watcher {
	return &Watcher{
		store: store, telemetry: telemetry, releases: releases, interval: interval, log: log, now: now,
		pending: gather.New[int64](0, gather.Newest[struct{}]),
	}
}

// ErrorsInserted marks the projects of reports for a check, once their errors have been inserted. It does not block.
// Incidents are opened only after the insert, because the errors contain the flags under which they happened.
func (w *Watcher) ErrorsInserted(reports []models.HealthReport) {
	for _, r := range reports {
		w.pending.Add(r.ProjectID, struct{}{})
	}
}

// Served marks the projects in which a release failed before its first render for a check. It does not block.
func (w *Watcher) Served(serves []models.Exposure) {
	for _, s := range serves {
		if s.Kind == models.ExposureFailure {
			w.pending.Add(s.ProjectID, struct{}{})
		}
	}
}

// Run checks marked projects until ctx ends. It repeats a failed check.
func (w *Watcher) Run(ctx context.Context) error {
	n := 0
	return every.Run(ctx, w.interval, func() {
		n++
		if err := w.checkPending(ctx, n%recheckEvery == 0); err != nil && ctx.Err() == nil {
			w.log.Warn("projects could not be checked for incidents", slog.Any("error", err))
		}
	})
}

// checkPending checks the marked projects. If all is true, it also checks the projects with open incidents.
func (w *Watcher) checkPending(ctx context.Context, all bool) error {
	pending := w.pending.Take()
	defer func() { w.pending.GiveBack(pending) }() // projects that were not checked
	if len(pending) == 0 && !all {
		return nil
	}
	open, err := w.store.OpenIncidents(ctx)
	if err != nil {
		return err
	}
	if all {
		for projectID := range open {
			pending[projectID] = struct{}{}
		}
	}
	for projectID := range pending {
		if err := w.Check(ctx, projectID, open[projectID]); err != nil {
			return err
		}
		delete(pending, projectID)
	}
	return nil
}

// Check opens an incident for each new spike in the last hour, and updates the open ones. It updates them only if this
// process serves the state of now, because it may conclude that devices got a release until now. If another process has
// served a rollback before, devices that asked between the rollback and now would count as pending.
func (w *Watcher) Check(ctx context.Context, projectID int64, open []models.Incident) error {
	now := w.now().UTC()
	current := w.caughtUp(ctx, projectID)
	hours, err := w.telemetry.ReleaseHours(ctx, projectID, now)
	if err != nil {
		return err
	}
	at := map[place]models.ReleaseHour{}
	for _, h := range hours {
		at[placeOf(h)] = h
	}
	for _, i := range open {
		p := place{i.UpdateUUID, i.Channel, i.Platform, i.RuntimeVersion}
		if current {
			if err := w.follow(ctx, i, at[p], now); err != nil {
				return err
			}
		}
		delete(at, p)
	}
	for _, h := range hours {
		if _, unknown := at[placeOf(h)]; unknown && rollout.Spiked(h) {
			if err := w.open(ctx, projectID, h, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// caughtUp reports whether this process serves the project's state at the time of the call, or a later one.
func (w *Watcher) caughtUp(ctx context.Context, projectID int64) bool {
	ctx, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	return w.releases.CatchUp(ctx, projectID) == nil
}

// place identifies the release and channel of an incident.
type place struct {
	update, channel string
	platform        models.Platform
	runtimeVersion  string
}

func placeOf(h models.ReleaseHour) place {
	return place{h.UpdateUUID, h.Channel, h.Platform, h.RuntimeVersion}
}

func (w *Watcher) open(ctx context.Context, projectID int64, h models.ReleaseHour, now time.Time) error {
	states, err := w.telemetry.FlagStates(ctx, projectID, h, now)
	if err != nil {
		return err
	}
	i := models.Incident{
		ProjectID: projectID, UpdateUUID: h.UpdateUUID, Channel: h.Channel, Platform: h.Platform,
		RuntimeVersion: h.RuntimeVersion, BaselineDevices: h.Before.Devices,
		BaselineErroredDevices: h.Before.ErroredDevices, OpenedAt: now, CheckedAt: now,
		Devices: h.Devices, ErroredDevices: h.ErroredDevices, CrashedDevices: h.CrashedDevices, PeakErroredDevices: h.ErroredDevices,
	}
	if withdrawn, own := w.releases.Withdrawn(projectID, i.Stream(), i.UpdateUUID); withdrawn && own {
		i.WithdrawnAt = new(now.Add(-justWithdrawn))
	}
	i, opened, err := w.store.OpenIncident(ctx, attributed(i, states))
	if opened {
		w.log.Warn("an incident was opened", slog.Int64("project", projectID), slog.Int64("incident", i.ID),
			slog.String("update", i.UpdateUUID), slog.String("channel", i.Channel), slog.Int64("errored_devices", i.ErroredDevices))
	}
	return err
}

// follow updates an open incident, and resolves it if the spike is over.
func (w *Watcher) follow(ctx context.Context, i models.Incident, h models.ReleaseHour, now time.Time) error {
	check := rollout.IncidentCheck{Now: now, Hour: h.DeviceCounts, Gap: w.interval}
	var err error
	if check.Withdrawn, check.Pending, err = w.withdrawn(ctx, i); err != nil {
		return err
	}
	i = rollout.AfterCheck(i, check)
	if i.ResolvedAt == nil && i.FlagKey == nil {
		states, err := w.telemetry.FlagStates(ctx, i.ProjectID, h, now)
		if err != nil {
			return err
		}
		i = attributed(i, states)
	}
	return w.store.SaveIncident(ctx, i)
}

// withdrawn reports whether devices no longer get the release of an incident, and counts the devices that had it and
// have not asked again. A release that is not on the channel's branches was only withdrawn if devices were served it
// there. Otherwise, devices only report that they run it.
func (w *Watcher) withdrawn(ctx context.Context, i models.Incident) (withdrawn bool, pending int64, err error) {
	withdrawn, own := w.releases.Withdrawn(i.ProjectID, i.Stream(), i.UpdateUUID)
	if !withdrawn {
		return false, 0, nil
	}
	devices, err := w.telemetry.WithdrawnDevices(ctx, i.ProjectID, models.WithdrawnRelease{
		UpdateUUID: i.UpdateUUID, Channel: i.Channel, Since: *rollout.WithdrawnSince(i, true),
	})
	return own || devices.Served > 0, devices.Pending, err
}

// attributed returns the incident with the flag variation that causes it, if there is one.
func attributed(i models.Incident, states []models.FlagState) models.Incident {
	if carrier, ok := rollout.Carrier(states); ok {
		i.FlagKey, i.FlagVariation = &carrier.FlagKey, &carrier.Variation
	}
	return i
}
