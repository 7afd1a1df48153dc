package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
	"github.com/waft-ota/waft/telemetry/ingest"
)

const (
	// rowsBatch is how many reports, with all their events, clickhouse-go inserts at
	// once: some 100,000 events.
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

// measureRows moves reports from an ingest log into ClickHouse and, in turns,
// inserts the same rows into the same tables by clickhouse-go alone.
func measureRows(ctx context.Context, e *engines, o options) (r rowsResult, err error) {
	var addresses [2]string
	for i := range addresses {
		if addresses[i], err = e.clickHouse(ctx); err != nil {
			return r, err
		}
		if err := telemetry.Migrate(ctx, addresses[i]); err != nil {
			return r, err
		}
	}
	reporter := newReporter("rows")
	for round := range o.rounds + 1 {
		reports := make([]models.HealthReport, o.requests)
		events := 0
		for i := range reports {
			reports[i] = kept(reporter.report(), time.Now())
			events += len(reports[i].Events)
		}
		for i := range addresses {
			if err := errors.Join(quiet(ctx, addresses[0]), quiet(ctx, addresses[1])); err != nil {
				return r, err
			}
			into := &r.direct
			insert := insertRows
			if (i+round)%2 == 0 {
				into, insert = &r.log, insertLog
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
func insertLog(ctx context.Context, address string, reports []models.HealthReport) (took time.Duration, err error) {
	dir, err := os.MkdirTemp("", "waft-bench-")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	sink, err := telemetry.Open(ctx, address)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	left := len(reports)
	done := make(chan struct{})
	log, err := ingest.Open(ingest.Options{
		Dir: filepath.Join(dir, "ingest"), Sink: sink, MaxBytes: rowsLogBytes,
		OnInserted: func(inserted []models.HealthReport) {
			if left -= len(inserted); left == 0 {
				close(done)
			}
		},
	})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	failed := make([]error, rowsSenders)
	var all sync.WaitGroup
	for sender := range rowsSenders {
		all.Go(func() {
			for i := sender; i < len(reports) && failed[sender] == nil; i += rowsSenders {
				failed[sender] = log.Append(ctx, reports[i])
			}
		})
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
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

// insertRows is how long clickhouse-go takes for the same.
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
	maps := make([][]eventMaps, len(reports))
	for i, r := range reports {
		maps[i] = mapsOf(r)
	}
	began := time.Now()
	for len(reports) > 0 {
		n := min(rowsBatch, len(reports))
		batch, batchMaps := reports[:n], maps[:n]
		reports, maps = reports[n:], maps[n:]
		if err := insertEventRows(ctx, conn, batch, batchMaps); err != nil {
			return 0, fmt.Errorf("insert events: %w", err)
		}
		if err := insertReportRows(ctx, conn, batch); err != nil {
			return 0, fmt.Errorf("insert reports: %w", err)
		}
	}
	return time.Since(began), nil
}

// eventMaps are what an event has of clickhouse-go's usual kind for a Map.
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
