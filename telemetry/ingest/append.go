package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// rejection is the reason why Append rejected a report. It is a label of waft_ingest_refused_total.
type rejection string

const (
	rejectedFull   rejection = "full"
	rejectedBroken rejection = "broken"
	rejectedClosed rejection = "closed"
)

// fullRetryAfter is the time after which to retry when the log is full. The log empties only once ClickHouse is
// available again.
const fullRetryAfter = 15 * time.Second

// Append writes a report to the log. When it returns nil, the report survives the end of this process and of the
// machine, and will be inserted exactly once. Reports that are appended at the same time share one sync. Append sets
// the ID and the time of receipt if they are missing. The error is models.Unavailable if the log is full, broken or
// closed, or if the context ends early. If the context ended, the report may or may not be in the log.
func (l *Log) Append(ctx context.Context, r models.HealthReport) error {
	if r.ReceivedAt.IsZero() {
		r.ReceivedAt = l.options.Now()
	}
	r.ReceivedAt = r.ReceivedAt.UTC().Truncate(time.Millisecond) // with the precision of the log
	if r.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("give the report an id: %w", err)
		}
		r.ID = id.String()
	}
	entry, err := encodeEntry(logEntry{report: &r})
	if err != nil {
		return err
	}
	return l.keep(ctx, entry, 1+len(r.Events), &r)
}

// AppendEvaluations writes evaluations of flags like Append writes reports.
func (l *Log) AppendEvaluations(ctx context.Context, evaluations []models.FlagEvaluations) error {
	entry, err := encodeEntry(logEntry{evaluations: evaluations})
	if err != nil {
		return err
	}
	return l.keep(ctx, entry, len(evaluations), nil)
}

// keep makes an entry durable. rows is its number of rows. report is the entry's report, or nil.
func (l *Log) keep(ctx context.Context, entry []byte, rows int, report *models.HealthReport) error {
	group, rejected := l.intake.join(entry, rows, report)
	if rejected != "" {
		l.metrics.refused.WithLabelValues(string(rejected)).Inc()
		return rejectionError(rejected)
	}
	select {
	case <-group.done:
		return group.err
	case <-ctx.Done():
		return models.Unavailable("the ingest log", context.Cause(ctx))
	}
}

func rejectionError(r rejection) error {
	if r == rejectedClosed {
		return models.Unavailable("the ingest log", errors.New("it is closed"))
	}
	return &models.Error{
		Code: models.CodeUnavailable, RetryAfter: fullRetryAfter, Cause: errors.New("the ingest log is full"),
		Message: "too many health reports are waiting to be stored, so this report was not stored; send it again later",
	}
}

// commit writes groups to the log and is its only writer. While it syncs one group, the next group gathers.
func (l *Log) commit() {
	defer close(l.committed)
	exposures := time.NewTimer(l.options.ExposureInterval)
	defer exposures.Stop()
	for open := true; open; {
		select {
		case _, open = <-l.intake.commit:
		case <-l.exposures.arrived:
			exposures.Reset(l.options.ExposureInterval)
			continue
		case <-exposures.C:
		}
		if pause := commitPause(l.commitGroup()); pause > 0 && open {
			<-time.After(pause)
		}
	}
	if waiting := len(l.exposures.take()); waiting > 0 {
		l.exposures.dropped(waiting)
		l.options.Log.Warn("ingest log: the log is full; exposures are lost", slog.Int("exposures", waiting))
	}
}

const (
	// busyGroup is the number of entries in a group from which many senders are waiting.
	busyGroup = 16
	// busyPause is the time that the next group then gathers, because a sync costs the same for one entry as for a
	// hundred.
	busyPause = 4 * time.Millisecond
)

// commitPause returns how long the next group gathers after a group with the given number of entries.
func commitPause(entries int) time.Duration {
	if entries < busyGroup {
		return 0
	}
	return busyPause
}

// commitGroup makes the waiting reports and exposures durable and returns the number of their entries.
func (l *Log) commitGroup() (entries int) {
	group := l.intake.take()
	reports := float64(len(group.entries))
	exposures := l.addExposures(group)
	if len(group.entries) == 0 {
		return 0
	}
	err := l.segments.append(group.entries)
	if err == nil {
		l.recent.add(l.segments.last()-uint64(len(group.reports))+1, group.reports)
	}
	l.intake.settle(group, err)
	if err != nil {
		l.options.Log.Error("ingest log: reports could not be made durable and were refused",
			slog.Float64("reports", reports), slog.Any("error", err))
		l.metrics.refused.WithLabelValues(string(rejectedBroken)).Add(reports)
		group.err = models.Unavailable("the ingest log", err)
		l.exposures.giveBack(exposures)
	} else {
		l.metrics.commits.Inc()
		l.metrics.accepted.Add(reports)
		l.metrics.exposures.Add(float64(len(exposures)))
	}
	close(group.done)
	return len(group.entries)
}
