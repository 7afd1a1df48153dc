package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
	"github.com/waft-ota/waft/telemetry/ingest"
)

const (
	// rowsBatch is the number of reports that clickhouse-go inserts in one block, with all their events: about
	// 100,000 events.
	rowsBatch = 25_000
	// rowsSenders fill the log.
	rowsSenders  = 256
	rowsLogBytes = 4 << 30
)

// rowsResult is how long it took to insert the same reports.
type rowsResult struct {
	inserted, events int
	log, direct      time.Duration
}

func (r rowsResult) perSecond(took time.Duration) float64 { return float64(r.events) / took.Seconds() }

func (r rowsResult) reports(took time.Duration) float64 { return float64(r.inserted) / took.Seconds() }

// measureRows inserts reports from an ingest log into ClickHouse and, in turns,
// the same rows into the same tables by clickhouse-go alone.
func (s *session) measureRows(ctx context.Context) (r rowsResult, err error) {
	var addresses [2]string
	for i := range addresses {
		if addresses[i], err = s.clickHouse(ctx); err != nil {
			return r, err
		}
		if err := telemetry.Migrate(ctx, addresses[i]); err != nil {
			return r, err
		}
	}
	reporter := newReporter("rows")
	for round := range s.rounds + 1 {
		reports := make([]models.HealthReport, s.requests)
		events := 0
		for i := range reports {
			if reports[i], err = received(reporter.report(), time.Now()); err != nil {
				return r, err
			}
			events += len(reports[i].Events)
		}
		for i := range addresses {
			if err := quiet(ctx, addresses[i]); err != nil {
				return r, err
			}
			into, insert := &r.direct, insertRows
			if (i+round)%2 == 0 {
				into, insert = &r.log, s.insertLog
			}
			took, err := insert(ctx, addresses[(i+round)%2], reports)
			if err != nil {
				return r, err
			}
			if round > 0 {
				*into += took
			}
		}
		if round > 0 {
			r.inserted += len(reports)
			r.events += events
		}
	}
	return r, nil
}

// insertLog fills a log and returns how long it takes to empty it into ClickHouse.
func (s *session) insertLog(ctx context.Context, address string, reports []models.HealthReport) (took time.Duration, err error) {
	dir, err := s.folder()
	if err != nil {
		return 0, err
	}
	sink, err := telemetry.Open(ctx, address)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	left := len(reports)
	done := make(chan struct{})
	log, err := ingest.Open(ingest.Options{
		Dir: filepath.Join(dir, "ingest"), Sink: sink, MaxBytes: rowsLogBytes,
		Inserted: []func([]models.HealthReport){func(reports []models.HealthReport) {
			if left -= len(reports); left == 0 {
				close(done)
			}
		}},
	})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if _, err := measure(ctx, rowsSenders, len(reports), ingestLimit, func(ctx context.Context, _, n int) error {
		return log.Append(ctx, reports[n])
	}); err != nil {
		return 0, err
	}
	began := time.Now()
	ran := make(chan error, 1)
	go func() { ran <- log.Run(ctx) }()
	select {
	case <-done:
		return time.Since(began), nil
	case err := <-ran:
		return 0, errors.Join(errors.New("the log was not emptied"), err)
	}
}

// insertRows returns how long clickhouse-go takes for the same.
func insertRows(ctx context.Context, address string, reports []models.HealthReport) (took time.Duration, err error) {
	options, err := clickhouse.ParseDSN(address)
	if err != nil {
		return 0, errors.New("CLICKHOUSE_URL is malformed")
	}
	conn, err := clickhouse.Open(options)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	events := make([][]eventMaps, len(reports))
	for i, r := range reports {
		events[i] = mapsOf(r)
	}
	began := time.Now()
	for first := 0; first < len(reports); first += rowsBatch {
		last := min(first+rowsBatch, len(reports))
		if err := insertEventRows(ctx, conn, reports[first:last], events[first:last]); err != nil {
			return 0, fmt.Errorf("insert events: %w", err)
		}
		if err := insertReportRows(ctx, conn, reports[first:last]); err != nil {
			return 0, fmt.Errorf("insert reports: %w", err)
		}
	}
	return time.Since(began), nil
}

// eventMaps are an event's maps, as clickhouse-go usually takes them for a Map.
type eventMaps struct{ tags, flagStates map[string]string }

func mapsOf(r models.HealthReport) []eventMaps {
	maps := make([]eventMaps, len(r.Events))
	for i, e := range r.Events {
		maps[i] = eventMaps{e.Tags.Map(), e.FlagStates.Map()}
	}
	return maps
}

func insertEventRows(ctx context.Context, conn clickhouse.Conn, reports []models.HealthReport, maps [][]eventMaps) error {
	batch, err := conn.PrepareBatch(ctx, `INSERT INTO health_events (project_id, received_at, report_id, event_index, device_id,
		platform, channel, runtime_version, update_uuid, type, name, message, error_name, stack_trace, component_stack, is_fatal,
		count, tags, flag_states)`)
	if err != nil {
		return err
	}
	for n, r := range reports {
		id := uuid.MustParse(r.ID)
		for i, e := range r.Events {
			if err := batch.Append(r.ProjectID, r.ReceivedAt, id, uint16(i), r.DeviceID, string(r.Platform), r.Channel,
				r.RuntimeVersion, r.UpdateUUID, string(e.Type), e.Name, e.Message, e.ErrorName, e.StackTrace, e.ComponentStack, e.IsFatal,
				uint32(e.Count), maps[n][i].tags, maps[n][i].flagStates); err != nil {
				return err
			}
		}
	}
	return batch.Send()
}

func insertReportRows(ctx context.Context, conn clickhouse.Conn, reports []models.HealthReport) error {
	batch, err := conn.PrepareBatch(ctx, `INSERT INTO health_reports (project_id, received_at, report_id, device_id, platform,
		channel, runtime_version, update_uuid, launches, js_errors, crashes, customs)`)
	if err != nil {
		return err
	}
	for _, r := range reports {
		counts := map[models.HealthEventType]uint64{}
		for _, e := range r.Events {
			counts[e.Type] += uint64(e.Count)
		}
		if err := batch.Append(r.ProjectID, r.ReceivedAt, uuid.MustParse(r.ID), r.DeviceID, string(r.Platform), r.Channel, r.RuntimeVersion,
			r.UpdateUUID, counts[models.EventAppLaunch], counts[models.EventJSError], counts[models.EventCrash],
			counts[models.EventCustom]); err != nil {
			return err
		}
	}
	return batch.Send()
}
