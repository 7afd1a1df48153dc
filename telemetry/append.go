package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// refusal is why Append refused a report, a label of waft_ingest_refused_total.
type refusal string

const (
	refusedFull   refusal = "full"
	refusedBroken refusal = "broken"
	refusedClosed refusal = "closed"
)

// fullRetryAfter is when to come back to a full log: it empties only once
// ClickHouse is back.
const fullRetryAfter = 15 * time.Second

// Append takes a report in; nil means that it survives the end of this process and
// of the machine and will be inserted exactly once. Reports appended at the same
// time share one sync. A report without an ID or a time of receipt gets them here.
// A log that is full, broken or closed answers with a models Unavailable error;
// so does a context that ends early, and then the report may or may not be kept.
func (i *Ingest) Append(ctx context.Context, r models.HealthReport) error {
	if r.ReceivedAt.IsZero() {
		r.ReceivedAt = i.options.Now()
	}
	r.ReceivedAt = r.ReceivedAt.UTC().Truncate(time.Millisecond) // as the log has it
	if r.ID == "" {
		id, err := uuid.NewV7()
		if err != nil {
			return fmt.Errorf("give the report an id: %w", err)
		}
		r.ID = id.String()
	}
	return i.keep(ctx, encodeEntry(r), 1+len(r.Events), &r)
}

// AppendEvaluations takes evaluations of flags in as Append takes reports.
func (i *Ingest) AppendEvaluations(ctx context.Context, evaluations []models.FlagEvaluations) error {
	entry, err := encodeEvaluations(evaluations)
	if err != nil {
		return err
	}
	return i.keep(ctx, entry, len(evaluations), nil)
}

// keep makes an entry durable that stands for so many rows; report is what it holds, if
// it is one.
func (i *Ingest) keep(ctx context.Context, entry []byte, rows int, report *models.HealthReport) error {
	group, refused := i.intake.join(entry, rows, report)
	if refused != "" {
		i.metrics.refused.WithLabelValues(string(refused)).Inc()
		return refusalError(refused)
	}
	select {
	case <-group.done:
		return group.err
	case <-ctx.Done():
		return models.Unavailable("the ingest log", context.Cause(ctx))
	}
}

func refusalError(refused refusal) error {
	if refused == refusedClosed {
		return models.Unavailable("the ingest log", errors.New("it is closed"))
	}
	return &models.Error{
		Code:       models.CodeUnavailable,
		Message:    "too many health reports wait to be stored; this one was not taken, send it again later",
		RetryAfter: fullRetryAfter,
		Cause:      errors.New("the ingest log is full"),
	}
}

// commit is the log's one writer. While it syncs a group, the next one gathers.
func (i *Ingest) commit() {
	defer close(i.committed)
	serves := time.NewTimer(i.options.ServeInterval)
	defer serves.Stop()
	for open := true; open; {
		select {
		case _, open = <-i.intake.commit:
		case <-i.serves.arrived:
			serves.Reset(i.options.ServeInterval)
			continue
		case <-serves.C:
		}
		if pause := commitPause(i.commitGroup()); pause > 0 && open {
			<-time.After(pause)
		}
	}
	if waiting := len(i.serves.take()); waiting > 0 {
		i.metrics.servesDropped.Add(float64(waiting))
		i.options.Log.Warn("ingest log: it is full; it did not take some serves, which are lost", slog.Int("serves", waiting))
	}
}

const (
	// busyGroup is how many entries at once mean that many senders wait.
	busyGroup = 16
	// busyPause is how long more of them gather then: a sync costs the same for one
	// entry as for a hundred.
	busyPause = 4 * time.Millisecond
)

// commitPause is how long the group gathers that follows one of so many entries.
func commitPause(entries int) time.Duration {
	if entries < busyGroup {
		return 0
	}
	return busyPause
}

// commitGroup makes the reports and serves that came so far durable, in as many
// entries as it returns.
func (i *Ingest) commitGroup() (entries int) {
	group := i.intake.take()
	reports := float64(len(group.entries))
	serves := i.addServes(group)
	if len(group.entries) == 0 {
		return 0
	}
	err := i.journal.append(group.entries)
	if err == nil {
		i.recent.add(i.journal.last()-uint64(len(group.entries))+1, group.recent)
	}
	i.intake.settle(group, err)
	if err != nil {
		i.options.Log.Error("ingest log: reports could not be made durable and were refused",
			slog.Float64("reports", reports), slog.Any("error", err))
		i.metrics.refused.WithLabelValues(string(refusedBroken)).Add(reports)
		group.err = models.Unavailable("the ingest log", err)
		i.serves.giveBack(serves)
	} else {
		i.metrics.commits.Inc()
		i.metrics.accepted.Add(reports)
		i.metrics.serves.Add(float64(len(serves)))
	}
	close(group.done)
	return len(group.entries)
}
