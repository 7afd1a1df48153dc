package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/waft-ota/waft/models"
)

// maxRangeBytes is the maximum size of a range, in addition to the maximum number of rows. Without it, reports with
// long stack traces would need an insert of gigabytes.
const maxRangeBytes = 16 << 20

// logRange contains decoded consecutive entries of the log. A damaged entry has no content but counts in entries.
type logRange struct {
	to      uint64
	reports []models.HealthReport
	// at are the numbers of the reports' entries.
	at          []uint64
	exposures   []models.Exposure
	evaluations []models.FlagEvaluations

	entries int
	bytes   int64
	// full reports that the next range may already be due. grouped reports that the errors have their groups.
	full, grouped bool
}

// moveRange inserts the current range, or the next range without a current one. The order of its steps makes inserts
// happen exactly once, even if the process is killed between two steps. The end of the range is durable before the
// insert, so the same range is inserted under the same token until the cursor records the insert. Only then is the
// range dropped. more is true if another range is already due.
func (l *Log) moveRange(ctx context.Context) (more bool, err error) {
	r, err := l.nextRange()
	if err != nil || r.entries == 0 {
		return false, err
	}
	if r.to != l.cursor.To {
		if err := l.setCursor(cursor{Node: l.cursor.Node, Done: l.cursor.Done, To: r.to}); err != nil {
			return false, err
		}
	}
	began := time.Now()
	if err := l.apart(ctx, func() error { return l.insert(ctx, r) }); err != nil {
		return false, fmt.Errorf("insert range %s: %w", l.cursor.token(), err)
	}
	l.insertEnded = time.Now()
	l.insertTook = l.insertEnded.Sub(began)
	if slices.ContainsFunc(r.reports, models.HealthReport.HasErrors) {
		l.errorEnded = l.insertEnded
	}
	if err := l.setCursor(cursor{Node: l.cursor.Node, Done: r.to, To: r.to}); err != nil {
		return false, err
	}
	l.intake.finish(r.entries, r.bytes)
	l.errors.add(r)
	return r.full, nil
}

// insert inserts the range into the Sink. Exposures come first, because the health of a release counts only devices
// that were served the release. Data that decisions do not read comes last.
func (l *Log) insert(ctx context.Context, r logRange) error {
	oldest, ok := r.oldest()
	if !ok {
		return nil
	}
	l.intake.begin(oldest)
	ctx, cancel := context.WithTimeout(ctx, l.options.InsertTimeout)
	defer cancel()
	received := len(r.reports)
	r, err := l.withoutErased(ctx, r)
	if err == nil {
		received = len(r.reports)
		r, err = l.withoutRepeats(ctx, r)
	}
	if err != nil {
		return err
	}
	token := l.cursor.token()
	if len(r.exposures) > 0 {
		err = l.options.Sink.InsertExposures(ctx, token, r.exposures)
	}
	if err == nil && len(r.reports) > 0 {
		err = l.options.Sink.InsertReports(ctx, token, r.reports)
	}
	if err != nil {
		return err
	}
	tell(l.options.Inserted, r.reports)
	tell(l.options.Served, r.exposures)
	if len(r.evaluations) > 0 {
		err = l.options.Sink.InsertEvaluations(ctx, token, r.evaluations)
	}
	if err == nil && len(r.reports) > 0 {
		err = l.options.Sink.InsertEvents(ctx, token, r.reports)
	}
	if err != nil {
		return err
	}
	l.metrics.inserted.Add(float64(len(r.reports)))
	l.metrics.repeats.Add(float64(received - len(r.reports)))
	l.metrics.exposuresInserted.Add(float64(len(r.exposures)))
	return nil
}

// tell calls the functions with the inserted content, unless it is empty.
func tell[T any](functions []func([]T), inserted []T) {
	for _, call := range functions {
		if len(inserted) > 0 {
			call(inserted)
		}
	}
}

// oldest returns the time of the range's oldest content. ok is false for an empty range.
func (r logRange) oldest() (at time.Time, ok bool) {
	earlier := func(t time.Time) {
		if !ok || t.Before(at) {
			at, ok = t, true
		}
	}
	if len(r.reports) > 0 {
		earlier(r.reports[0].ReceivedAt)
	}
	for _, e := range r.exposures {
		earlier(e.ServedAt)
	}
	for _, e := range r.evaluations {
		earlier(e.ReceivedAt)
	}
	return at, ok
}

// nextRange reads the current range, or as many durable entries as one insert should contain.
func (l *Log) nextRange() (logRange, error) {
	r := logRange{to: l.cursor.Done}
	inFlight := l.cursor.To > l.cursor.Done
	end := l.segments.last()
	if inFlight {
		end = l.cursor.To
	}
	rows := 0
	for r.to < end {
		if !inFlight && (rows >= l.options.FlushRows || r.bytes >= maxRangeBytes) {
			r.full = true
			break
		}
		if report, ok := l.recent.take(r.to + 1); ok {
			rows += r.add(report.bytes, logEntry{report: report.HealthReport})
			continue
		}
		content, bytes, err := l.readEntry(r.to + 1)
		if err != nil {
			return logRange{}, err
		}
		rows += r.add(bytes, content)
	}
	r.full = r.full || inFlight
	return r, nil
}

// readEntry reads an entry of the log and returns its content and size. A damaged entry has no content.
func (l *Log) readEntry(number uint64) (content logEntry, bytes int, err error) {
	entry, err := l.segments.read(number)
	if err != nil {
		return logEntry{}, 0, err
	}
	content, err = decodeEntry(entry)
	switch {
	case errors.Is(err, errEntryDamaged):
		l.metrics.damaged.Inc()
		l.options.Log.Error("ingest log: an entry is damaged and cannot be inserted",
			slog.Uint64("entry", number), slog.Any("error", err))
		content = logEntry{}
	case err != nil:
		return logEntry{}, 0, fmt.Errorf("read log entry %d: %w", number, err)
	}
	return content, len(entry), nil
}

// add adds the next entry and returns its number of rows. The content of a damaged entry is empty.
func (r *logRange) add(bytes int, content logEntry) (rows int) {
	r.to++
	r.entries++
	r.bytes += int64(bytes)
	if content.report != nil {
		r.reports = append(r.reports, *content.report)
		r.at = append(r.at, r.to)
		rows = 1 + len(content.report.Events)
	}
	r.exposures = append(r.exposures, content.exposures...)
	r.evaluations = append(r.evaluations, content.evaluations...)
	return rows + len(content.exposures) + len(content.evaluations)
}

func (l *Log) setCursor(c cursor) error {
	if err := saveCursor(l.cursorPath, c); err != nil {
		return err
	}
	l.cursor = c
	return nil
}
