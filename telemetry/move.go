package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/waft-ota/waft/models"
)

// maxRangeBytes bounds a range besides its rows: reports with long stack traces
// would make an insert of gigabytes.
const maxRangeBytes = 8 << 20

// logRange is a stretch of the log, decoded. A damaged entry is left out of
// reports, but counted in entries.
type logRange struct {
	to      uint64
	reports []models.HealthReport
	entries int
	bytes   int64
	// full means that more entries may follow that are due as well.
	full bool
}

// moveRange inserts the range in flight or, when there is none, the next one. The
// order of its steps is what makes "exactly once" hold when the process dies
// between any two of them: the range's end is durable before the insert, so the
// same range goes out under the same token until its insertion is durably noted,
// and only then is it dropped. more is true when another range is due already.
func (i *Ingest) moveRange(ctx context.Context) (more bool, err error) {
	r, err := i.nextRange()
	if err != nil || r.entries == 0 {
		return false, err
	}
	if r.to != i.cursor.To {
		next := i.cursor
		next.To = r.to
		if err := i.setCursor(next); err != nil {
			return false, err
		}
	}
	if len(r.reports) > 0 {
		i.intake.begin(r.reports[0].ReceivedAt)
		insert, cancel := context.WithTimeout(ctx, i.options.InsertTimeout)
		defer cancel()
		if err := i.options.Sink.InsertReports(insert, i.cursor.token(), r.reports); err != nil {
			return false, fmt.Errorf("insert reports %s: %w", i.cursor.token(), err)
		}
		i.options.OnInserted(r.reports)
	}
	if err := i.setCursor(cursor{Node: i.cursor.Node, Done: r.to, To: r.to}); err != nil {
		return false, err
	}
	i.intake.finish(r.entries, r.bytes)
	i.metrics.inserted.Add(float64(len(r.reports)))
	if i.kept += r.bytes; i.kept >= int64(i.options.segmentBytes) {
		if err := i.dropInserted(r.to); err != nil {
			// It costs space, no report; the next range tries again.
			i.options.Log.Warn("ingest log: inserted reports could not be dropped", slog.Any("error", err))
		}
	}
	return r.full, nil
}

// nextRange reads the range in flight, or as many durable entries as one insert
// takes.
func (i *Ingest) nextRange() (logRange, error) {
	r := logRange{to: i.cursor.Done}
	inFlight := i.cursor.To > i.cursor.Done
	end := i.journal.last()
	if inFlight {
		end = i.cursor.To
	}
	rows := 0
	for r.to < end {
		if !inFlight && (rows >= i.options.FlushRows || r.bytes >= maxRangeBytes) {
			r.full = true
			break
		}
		entry, err := i.journal.read(r.to + 1)
		if err != nil {
			return logRange{}, err
		}
		r.to++
		r.entries++
		r.bytes += int64(len(entry))
		report, err := decodeEntry(entry)
		switch {
		case errors.Is(err, errEntryDamaged):
			i.metrics.damaged.Inc()
			i.options.Log.Error("ingest log: an entry is damaged and cannot be inserted",
				slog.Uint64("entry", r.to), slog.Any("error", err))
			continue
		case err != nil:
			return logRange{}, fmt.Errorf("read log entry %d: %w", r.to, err)
		}
		r.reports = append(r.reports, report)
		rows += 1 + len(report.Events)
	}
	r.full = r.full || inFlight
	return r, nil
}

func (i *Ingest) setCursor(c cursor) error {
	if err := saveCursor(i.cursorPath, c); err != nil {
		return err
	}
	i.cursor = c
	return nil
}

// dropInserted removes everything up to done from the log.
func (i *Ingest) dropInserted(done uint64) error {
	if err := i.journal.dropBefore(done + 1); err != nil {
		return err
	}
	i.kept = 0
	return nil
}
