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

// Sink is the destination of a Log's inserts, such as ClickHouse. An insert that is repeated with the same token and
// content must be stored only once. Exposures and reports of one range have the same token.
type Sink interface {
	// InsertReports stores the reports without their events. InsertErrors stores their errors and crashes with their
	// groups. InsertEvents stores their other events.
	InsertReports(ctx context.Context, token string, reports []models.HealthReport) error
	InsertEvents(ctx context.Context, token string, reports []models.HealthReport) error
	InsertErrors(ctx context.Context, token string, reports []models.HealthReport) error
	InsertExposures(ctx context.Context, token string, exposures []models.Exposure) error
	InsertEvaluations(ctx context.Context, token string, evaluations []models.FlagEvaluations) error
}

// Claims selects the copy of a repeated report that counts.
type Claims interface {
	// ClaimReports returns for each claim whether it is granted: a claim is granted if no other log entry claimed the
	// report within the last 24 hours. A repeated claim has the same result.
	ClaimReports(ctx context.Context, claims []models.ReportClaim) ([]bool, error)
}

// Erasures lists the devices whose data was deleted.
type Erasures interface {
	ErasedSince(ctx context.Context, since time.Time) ([]models.DeviceErasure, error)
}

// Backups keeps inserts apart from the moment that a backup copies.
type Backups interface {
	// WaitForBackup returns once no backup fixes its state. Until release is called, no backup does.
	WaitForBackup(ctx context.Context) (release func(), err error)
}

// Options configure a Log. Dir, Sink and MaxBytes are required.
type Options struct {
	// Dir is the folder of the log. Only one process may use it, and it must survive a restart.
	Dir  string
	Sink Sink
	// Claims decides about reports with an Idempotency-Key when their range is inserted. If it is nil, every report
	// counts.
	Claims Claims
	// Erasures is read if a range was delayed. If it is nil, all devices are inserted.
	Erasures Erasures
	// Backups delays each insert of a range while a backup fixes the state that it copies. If it is nil, inserts do not wait.
	Backups Backups
	// Groups finds the error groups of events. If it is nil, events do not have groups.
	Groups Groups
	// MaxBytes is the maximum size of the reports that wait for insertion. Above it, Append fails.
	MaxBytes int64
	// These functions are called when queries can see new data: Inserted with reports, ErrorsInserted with reports
	// whose errors followed, and Served with exposures. Run's goroutines call them, so they must be fast. After a
	// crash or a failed insert they may be called again with the same content.
	Inserted, ErrorsInserted []func([]models.HealthReport)
	Served                   []func([]models.Exposure)
	Log                      *slog.Logger
	// Registerer registers the metrics waft_ingest_*.
	Registerer prometheus.Registerer
	Now        func() time.Time

	// A range is inserted when it has FlushRows rows (default 150,000), or when its first report has waited for
	// FlushInterval (default 200 ms). Under load a report waits for up to a second (see due).
	FlushRows     int
	FlushInterval time.Duration
	// ExposureInterval is how long an exposure may wait to be written together with a report (default 200 ms).
	// MaxExposures is how many exposures may wait (default 65,536).
	ExposureInterval time.Duration
	MaxExposures     int
	// InsertTimeout is the time limit for one insert attempt (default 30 s). CloseTimeout is the time limit for the
	// last attempts after Close or the end of Run's context (default 5 s).
	InsertTimeout time.Duration
	CloseTimeout  time.Duration
	// RetryAfter is the maximum pause between two attempts (default 5 s).
	RetryAfter time.Duration

	// segmentBytes is the size of a log file. Inserted entries of up to the same size may stay in the log before they
	// are dropped.
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

// Log is a durable queue of reports and exposures on local disk in front of a Sink. Append and Served may be called
// concurrently. Run inserts the content of the log.
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
	// These fields belong to Run once it has begun.
	cursor      cursor
	insertEnded time.Time
	insertTook  time.Duration
	// errorEnded is the time at which the last insert of a range with errors ended.
	errorEnded time.Time
	errors     *errorPass

	started   atomic.Bool
	ended     chan struct{}
	committed chan struct{}
	// closing is cancelled when Close ends Run.
	closing context.Context
	endRun  context.CancelFunc
}

// ErrInUse is the error of Open for a folder that another process or Log uses.
var ErrInUse = errors.New("is in use by another process; use a separate data folder for each process")

// Open opens or creates the log in o.Dir, and repairs the effects of a crash. The folder must not be open in any
// other process or Log.
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
		return nil, fmt.Errorf("the ingest log in %s %w", o.Dir, ErrInUse)
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
			return fmt.Errorf("%w; move the folder to another place to start with an empty log", err)
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

// Close rejects further reports, waits until accepted reports are durable and Run has ended, and unlocks the folder.
// CloseTimeout limits Run's last attempt to insert. Reports that are not inserted stay in the log for the next start.
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
