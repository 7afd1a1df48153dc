package telemetry

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// InsertReports stores the reports and their events; nil means that queries see
// them. A call repeated with the same token and reports, in the same order, stores
// nothing twice, in the tables and in what the materialised views derive; a call
// that failed half-way is completed by its repetition.
func (c *ClickHouse) InsertReports(ctx context.Context, token string, reports []models.HealthReport) error {
	// What failed lies in partitions of its own. ClickHouse takes a block of two partitions
	// apart row by row, which costs more than all else about it: of 80,000 events some 150 ms
	// of 230. An insert more, of a few rows, costs 10 to 35, and its views some 30.
	if err := c.insertEvents(ctx, token, reports, func(t models.HealthEventType) bool { return t.Known() && !t.Failed() }); err != nil {
		return err
	}
	if err := c.insertEvents(ctx, token+"/failed", reports, models.HealthEventType.Failed); err != nil {
		return err
	}
	return c.insertHealth(ctx, token, reports)
}

// insertEvents stores the reports' events of some types, of which there may be none: most
// ranges of an app that is well have nothing that failed.
func (c *ClickHouse) insertEvents(ctx context.Context, token string, reports []models.HealthReport, takes func(models.HealthEventType) bool) error {
	taken := func(e models.HealthEvent) bool { return takes(e.Type) }
	if !slices.ContainsFunc(reports, func(r models.HealthReport) bool { return slices.ContainsFunc(r.Events, taken) }) {
		return nil
	}
	if err := c.insertRows(onceUnder(ctx, token), sqlInsertHealthEvents, reports, &eventRows{takes: takes}); err != nil {
		return queryError("insert health events", err)
	}
	return nil
}

// insertHealth stores what decisions read. It comes last, for that must be complete only
// when all is stored.
func (c *ClickHouse) insertHealth(ctx context.Context, token string, reports []models.HealthReport) error {
	if err := c.insertRows(onceUnder(ctx, token), sqlInsertHealthReports, reports, &healthRows{}); err != nil {
		return queryError("insert health reports", err)
	}
	return nil
}

func reportID(r models.HealthReport) (uuid.UUID, error) {
	id, err := uuid.Parse(r.ID)
	if err != nil {
		return id, fmt.Errorf("report id %q: %w", r.ID, err)
	}
	return id, nil
}

// sharedColumns begin both tables' columns, but for the event's index.
type sharedColumns struct {
	projects        []int64
	times           []time.Time
	ids             []uuid.UUID
	devices         []string
	platforms       []string
	channels        []string
	runtimeVersions []string
	updates         []string
}

func (s *sharedColumns) add(r models.HealthReport, id uuid.UUID, at time.Time) {
	s.projects = append(s.projects, r.ProjectID)
	s.times = append(s.times, at)
	s.ids = append(s.ids, id)
	s.devices = append(s.devices, r.DeviceID)
	s.platforms = append(s.platforms, string(r.Platform))
	s.channels = append(s.channels, r.Channel)
	s.runtimeVersions = append(s.runtimeVersions, r.RuntimeVersion)
	s.updates = append(s.updates, r.UpdateUUID)
}

func (s *sharedColumns) count() int { return len(s.projects) }

func (s *sharedColumns) clear() {
	*s = sharedColumns{
		s.projects[:0], s.times[:0], s.ids[:0], s.devices[:0], s.platforms[:0], s.channels[:0], s.runtimeVersions[:0], s.updates[:0],
	}
}

// idAndTime are the report's as the tables have them.
func idAndTime(r models.HealthReport) (id uuid.UUID, at time.Time, err error) {
	id, err = reportID(r)
	return id, r.ReceivedAt.UTC().Truncate(time.Millisecond), err
}

// eventRows are rows of health_events, one for each event of a type that it takes.
type eventRows struct {
	takes func(models.HealthEventType) bool
	sharedColumns
	indexes         []uint16
	types           []string
	names           []string
	messages        []string
	errorNames      []string
	stackTraces     []string
	componentStacks []string
	fatal           []bool
	counts          []uint32
	tags            []models.Texts
	flagStates      []models.Texts
}

func (e *eventRows) add(r models.HealthReport) error {
	id, at, err := idAndTime(r)
	if err != nil {
		return err
	}
	for i, event := range r.Events {
		if !e.takes(event.Type) {
			continue
		}
		e.sharedColumns.add(r, id, at)
		e.indexes = append(e.indexes, uint16(i))
		e.types = append(e.types, string(event.Type))
		e.names = append(e.names, event.Name)
		e.messages = append(e.messages, event.Message)
		e.errorNames = append(e.errorNames, event.ErrorName)
		e.stackTraces = append(e.stackTraces, event.StackTrace)
		e.componentStacks = append(e.componentStacks, event.ComponentStack)
		e.fatal = append(e.fatal, event.IsFatal)
		e.counts = append(e.counts, uint32(event.Count))
		e.tags = append(e.tags, event.Tags)
		e.flagStates = append(e.flagStates, event.FlagStates)
	}
	return nil
}

// columns follow insert_health_events.sql.
func (e *eventRows) columns() []any {
	return []any{
		e.projects, e.times, e.ids, e.indexes, e.devices, e.platforms, e.channels, e.runtimeVersions, e.updates, e.types, e.names,
		e.messages, e.errorNames, e.stackTraces, e.componentStacks, e.fatal, e.counts, e.tags, e.flagStates,
	}
}

func (e *eventRows) clear() {
	e.sharedColumns.clear()
	e.indexes, e.types, e.names, e.messages, e.errorNames = e.indexes[:0], e.types[:0], e.names[:0], e.messages[:0], e.errorNames[:0]
	e.stackTraces, e.componentStacks, e.fatal, e.counts = e.stackTraces[:0], e.componentStacks[:0], e.fatal[:0], e.counts[:0]
	e.tags, e.flagStates = e.tags[:0], e.flagStates[:0]
}

// healthRows are rows of health_reports, one for each report.
type healthRows struct {
	sharedColumns
	launches, jsErrors, crashes, customs []uint64
	shareBuckets                         []*uint32
}

func (h *healthRows) add(r models.HealthReport) error {
	id, at, err := idAndTime(r)
	if err != nil {
		return err
	}
	h.sharedColumns.add(r, id, at)
	var launches, jsErrors, crashes, customs uint64
	for _, e := range r.Events {
		n := uint64(e.Count)
		switch e.Type {
		case models.EventAppLaunch:
			launches += n
		case models.EventJSError:
			jsErrors += n
		case models.EventCrash:
			crashes += n
		case models.EventCustom:
			customs += n
		}
	}
	h.launches, h.jsErrors = append(h.launches, launches), append(h.jsErrors, jsErrors)
	h.crashes, h.customs = append(h.crashes, crashes), append(h.customs, customs)
	h.shareBuckets = append(h.shareBuckets, r.ShareBucket)
	return nil
}

// columns follow insert_health_reports.sql.
func (h *healthRows) columns() []any {
	return []any{
		h.projects, h.times, h.ids, h.devices, h.platforms, h.channels, h.runtimeVersions, h.updates, h.launches, h.jsErrors,
		h.crashes, h.customs, h.shareBuckets,
	}
}

func (h *healthRows) clear() {
	h.sharedColumns.clear()
	h.launches, h.jsErrors, h.crashes, h.customs = h.launches[:0], h.jsErrors[:0], h.crashes[:0], h.customs[:0]
	h.shareBuckets = h.shareBuckets[:0]
}
