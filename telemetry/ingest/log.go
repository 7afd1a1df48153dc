package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/models"
)

// Sink is where a Log inserts; ClickHouse is one. An insert repeated with the same token and
// content must store nothing twice. Exposures and reports of one range have the same token.
type Sink interface {
	// InsertReports stores the reports without their events, InsertErrors their errors and crashes with their groups, and
	// InsertEvents their other events.
	InsertReports(ctx context.Context, token string, reports []models.HealthReport) error
	InsertEvents(ctx context.Context, token string, reports []models.HealthReport) error
	InsertErrors(ctx context.Context, token string, reports []models.HealthReport) error
	InsertExposures(ctx context.Context, token string, exposures []models.Exposure) error
	InsertEvaluations(ctx context.Context, token string, evaluations []models.FlagEvaluations) error
}

// Claims decides which of the reports that came several times counts.
type Claims interface {
	// ClaimReports returns, for each claim, whether it has its report: whether no
	// other log entry claimed it within the last 24 hours. The same claim gets the
	// same answer again.
	ClaimReports(ctx context.Context, claims []models.ReportClaim) ([]bool, error)
}

// Erasures lists the devices whose data was deleted.
type Erasures interface {
	ErasedSince(ctx context.Context, since time.Time) ([]models.DeviceErasure, error)
}

// Options configure a Log. Dir, Sink and MaxBytes are required.
type Options struct {
	// Dir is the folder of the log, of one process only. It must survive a restart.
	Dir  string
	Sink Sink
	// Claims decides about reports with an Idempotency-Key when their range is inserted;
	// nil: every report counts.
	Claims Claims
	// Erasures is read when a range has been in the log for long; nil: nothing is left out.
	Erasures Erasures
	// Groups finds the error groups of events; nil: they have none.
	Groups Groups
	// MaxBytes bounds the reports that wait for insertion; above it Append fails.
	MaxBytes int64
	// These functions are called with what queries now see: Inserted with reports, ErrorsInserted with reports whose errors
	// followed them, Served with exposures. They are called from Run's goroutines, so they must be quick. After a crash or a
	// failed insert they may be called with the same content again.
	Inserted, ErrorsInserted []func([]models.HealthReport)
	Served                   []func([]models.Exposure)
	Log                      *slog.Logger
	// Registerer gets the metrics waft_ingest_*.
	Registerer prometheus.Registerer
	Now        func() time.Time

	// A range is inserted when it has FlushRows rows (default 150,000) or its first
	// report has waited for FlushInterval (default 200 ms), or up to a second under load,
	// see due.
	FlushRows     int
	FlushInterval time.Duration
	// ExposureInterval is how long an exposure may wait for a report to be written with it
	// (default 200 ms), MaxExposures how many may wait (default 65,536).
	ExposureInterval time.Duration
	MaxExposures     int
	// InsertTimeout bounds one attempt to insert (default 30 s), CloseTimeout the
	// last attempts after the end of Run's context or Close (default 5 s).
	InsertTimeout time.Duration
	CloseTimeout  time.Duration
	// RetryAfter is the longest pause between two attempts (default 5 s).
	RetryAfter time.Duration

	// segmentBytes is the size of a log file, and how much of what is inserted may
	// stay in the log before it is dropped.
	segmentBytes int
}

func (o Options) withDefaults() Options {
	o.FlushRows = cmp.Or(o.FlushRows, 150_000)
	o.FlushInterval = cmp.Or(o.FlushInterval, 200*time.Millisecond)
	o.ExposureInterval = cmp.Or(o.ExposureInterval, 200*time.Millisecond)
	o.MaxExposures = cmp.Or(o.MaxExposures, 1<<16)
	o.InsertTimeout = cmp.Or(o.InsertTimeout, 30*time.Second)
	o.CloseTimeout = cmp.Or(o.CloseTimeout, 5*time.Second)
	o.RetryAfter = cmp.Or(o.RetryAfter, 5*time.Second)
	o.segmentBytes = cmp.Or(o.segmentBytes, 4<<20)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Registerer == nil {
		o.Registerer = prometheus.NewRegistry()
	}
	return o
}

// Log is a durable queue of reports and exposures on local disk in front of a Sink.
// Append and Served may be called concurrently; Run inserts what they wrote.
type Log struct {
	options   Options
	lock      *flock.Flock
	segments  *segments
	intake    *intake
	recent    recentReports
	exposures *exposureBuffer
	metrics   *metrics

	cursorPath string
	// node is the identity of the log.
	node string
	// These belong to Run once it has begun.
	cursor      cursor
	insertEnded time.Time
	insertTook  time.Duration
	// errorEnded is when the last insert of a range with errors ended.
	errorEnded time.Time
	errors     *errorPass

	started   atomic.Bool
	ended     chan struct{}
	committed chan struct{}
	// closing is done when Close ends Run.
	closing context.Context
	endRun  context.CancelFunc
}

// Open opens the log in o.Dir, or begins one, and repairs what a crash left.
// The folder must not be open in any other process or Log.
func Open(o Options) (*Log, error) {
	if o.Dir == "" || o.Sink == nil || o.MaxBytes <= 0 {
		return nil, errors.New("ingest: Dir, Sink and MaxBytes are required")
	}
	o = o.withDefaults()
	if err := makeDir(o.Dir); err != nil {
		return nil, fmt.Errorf("open ingest log: %w", err)
	}
	lock := flock.New(filepath.Join(o.Dir, "lock"))
	locked, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("open ingest log: lock %s: %w", lock.Path(), err)
	}
	if !locked {
		return nil, fmt.Errorf("the ingest log in %s is in use by another process; give every process a data folder of its own", o.Dir)
	}
	l := &Log{
		options:    o,
		lock:       lock,
		exposures:  newExposureBuffer(o.MaxExposures, o.Now),
		cursorPath: filepath.Join(o.Dir, "cursor.json"),
		errors:     newErrorPass(filepath.Join(o.Dir, "errors.json")),
		ended:      make(chan struct{}),
		committed:  make(chan struct{}),
	}
	l.closing, l.endRun = context.WithCancel(context.Background())
	if err := l.load(); err != nil {
		if l.segments != nil {
			err = errors.Join(err, l.segments.close())
		}
		return nil, errors.Join(fmt.Errorf("open ingest log: %w", err), lock.Unlock())
	}
	go l.commit()
	return l, nil
}

func (l *Log) load() error {
	o := l.options
	saved, found, err := loadCursor(l.cursorPath)
	if err != nil {
		return err
	}
	if l.segments, err = openSegments(filepath.Join(o.Dir, "log"), o.segmentBytes, o.Log); err != nil {
		return err
	}
	first, err := l.segments.first()
	if err != nil {
		return err
	}
	l.cursor = saved
	if last := l.segments.last(); !found || saved.Done+1 < first || saved.To > last {
		if found {
			o.Log.Error("ingest log: the log does not match its cursor, so files were lost or restored; its entries become a new log",
				slog.String("dir", o.Dir), slog.Any("cursor", saved), slog.Uint64("first", first), slog.Uint64("last", last))
		}
		l.cursor = cursor{Node: uuid.NewString(), Done: first - 1, To: first - 1}
		if err := saveCursor(l.cursorPath, l.cursor); err != nil {
			return err
		}
	}
	l.intake = newIntake(o.MaxBytes)
	l.node = l.cursor.Node
	if err := l.errors.load(l.cursor); err != nil {
		return err
	}
	for index := l.errors.cursor.Done + 1; index <= l.segments.last(); index++ {
		entry, err := l.segments.read(index)
		if err != nil {
			return fmt.Errorf("%w; move the folder away to begin with an empty log", err)
		}
		l.intake.restore(len(entry))
		if index <= l.cursor.Done {
			l.intake.finish(1, int64(len(entry)))
			l.errors.restore(index, int64(len(entry)), l.cursor.Done)
		}
	}
	if err := l.segments.dropBefore(l.errors.cursor.Done + 1); err != nil {
		return err
	}
	l.metrics = newMetrics(l.intake, o.Now)
	l.exposures.dropped = func(n int) { l.metrics.exposuresDropped.Add(float64(n)) }
	if err := o.Registerer.Register(l.metrics); err != nil {
		return fmt.Errorf("register ingest metrics: %w", err)
	}
	return nil
}

// Close rejects further reports, waits until those being written are durable and Run has
// ended, whose last attempt to insert is bounded by CloseTimeout, and unlocks the folder.
// What could not be inserted stays in the log for the next start.
func (l *Log) Close() error {
	l.exposures.close()
	if !l.intake.close() {
		return nil
	}
	<-l.committed
	l.endRun()
	if !l.started.CompareAndSwap(false, true) {
		<-l.ended
	}
	err := errors.Join(l.segments.close(), l.lock.Unlock())
	l.options.Registerer.Unregister(l.metrics)
	if err != nil {
		return fmt.Errorf("close ingest log: %w", err)
	}
	return nil
}
