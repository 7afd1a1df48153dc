package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/waft-ota/waft/models"
)

// maxRangeBytes bounds a range besides its rows: reports with long stack traces
// would make an insert of gigabytes.
const maxRangeBytes = 16 << 20

// logRange is a stretch of the log, decoded. A damaged entry is left out of reports
// and serves, but counted in entries.
type logRange struct {
	to      uint64
	reports []models.HealthReport
	// at are the numbers of the reports' entries.
	at     []uint64
	serves []models.Serve

	evaluations []models.FlagEvaluations

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
		if err := i.setCursor(i.cursor.until(r.to)); err != nil {
			return false, err
		}
	}
	began := time.Now()
	if err := i.insert(ctx, r); err != nil {
		return false, fmt.Errorf("insert range %s: %w", i.cursor.token(), err)
	}
	i.insertEnded = time.Now()
	i.insertTook = i.insertEnded.Sub(began)
	if err := i.setCursor(cursor{Node: i.cursor.Node, Done: r.to, To: r.to}); err != nil {
		return false, err
	}
	i.intake.finish(r.entries, r.bytes)
	i.recent.drop(r.to + 1)
	if i.kept += r.bytes; i.kept >= int64(i.options.segmentBytes) {
		if err := i.dropInserted(r.to); err != nil {
			// It costs space, no report; the next range tries again.
			i.options.Log.Warn("ingest log: inserted reports could not be dropped", slog.Any("error", err))
		}
	}
	return r.full, nil
}

// insert moves the range to the Sink. Serves come first: the health of a release
// counts only devices that were served it.
func (i *Ingest) insert(ctx context.Context, r logRange) error {
	oldest, ok := r.oldest()
	if !ok {
		return nil
	}
	i.intake.begin(oldest)
	ctx, cancel := context.WithTimeout(ctx, i.options.InsertTimeout)
	defer cancel()
	r, err := i.withoutErased(ctx, r)
	if err != nil {
		return err
	}
	reports, err := i.withoutRepeats(ctx, r)
	if err != nil {
		return err
	}
	token := i.cursor.token()
	if len(r.serves) > 0 {
		if err := i.options.Sink.InsertServes(ctx, token, r.serves); err != nil {
			return err
		}
	}
	if len(r.evaluations) > 0 {
		if err := i.options.Sink.InsertEvaluations(ctx, token, r.evaluations); err != nil {
			return err
		}
	}
	if len(reports) > 0 {
		if err := i.options.Sink.InsertReports(ctx, token, reports); err != nil {
			return err
		}
		i.options.OnInserted(reports)
	}
	if len(r.serves) > 0 {
		i.options.OnServesInserted(r.serves)
	}
	i.metrics.inserted.Add(float64(len(reports)))
	i.metrics.repeats.Add(float64(len(r.reports) - len(reports)))
	i.metrics.servesInserted.Add(float64(len(r.serves)))
	return nil
}

// oldest is when the first report or serve of the range came; false when it has
// neither.
func (r logRange) oldest() (at time.Time, ok bool) {
	if len(r.reports) > 0 {
		at, ok = r.reports[0].ReceivedAt, true
	}
	for _, s := range r.serves {
		if !ok || s.ServedAt.Before(at) {
			at, ok = s.ServedAt, true
		}
	}
	for _, e := range r.evaluations {
		if !ok || e.ReceivedAt.Before(at) {
			at, ok = e.ReceivedAt, true
		}
	}
	return at, ok
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
	if waiting := min(end-r.to, uint64(i.options.FlushRows/4)); waiting > 0 {
		r.reports, r.at = make([]models.HealthReport, 0, waiting), make([]uint64, 0, waiting)
	}
	recent := i.recent.from(r.to + 1)
	for r.to < end {
		if !inFlight && (rows >= i.options.FlushRows || r.bytes >= maxRangeBytes) {
			r.full = true
			break
		}
		if len(recent) > 0 {
			known := recent[0]
			recent = recent[1:]
			if known.report != nil {
				rows += r.add(known.bytes, logEntry{report: known.report})
				continue
			}
		}
		entry, err := i.journal.read(r.to + 1)
		if err != nil {
			return logRange{}, err
		}
		content, err := decodeEntry(entry)
		switch {
		case errors.Is(err, errEntryDamaged):
			i.metrics.damaged.Inc()
			i.options.Log.Error("ingest log: an entry is damaged and cannot be inserted",
				slog.Uint64("entry", r.to+1), slog.Any("error", err))
			content = logEntry{}
		case err != nil:
			return logRange{}, fmt.Errorf("read log entry %d: %w", r.to+1, err)
		}
		rows += r.add(len(entry), content)
	}
	r.full = r.full || inFlight
	return r, nil
}

// add takes the next entry in, which may be damaged and hold nothing, and returns how
// many rows it is.
func (r *logRange) add(bytes int, content logEntry) (rows int) {
	r.to++
	r.entries++
	r.bytes += int64(bytes)
	if content.report != nil {
		r.reports = append(r.reports, *content.report)
		r.at = append(r.at, r.to)
		rows = 1 + len(content.report.Events)
	}
	r.serves = append(r.serves, content.serves...)
	r.evaluations = append(r.evaluations, content.evaluations...)
	return rows + len(content.serves) + len(content.evaluations)
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
