// Package snapshot keeps in every API process an up-to-date immutable delivery.Snapshot of
// each project, so that answering a device takes no lock and no query, and works while
// Postgres is down.
package snapshot

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/models"
)

// Source reads projects: from Postgres, in package store.
type Source interface {
	// Snapshot reads a whole project.
	Snapshot(ctx context.Context, projectID int64) (models.ProjectSnapshot, error)
	// Snapshots reads several whole projects. Those that do not exist are missing.
	Snapshots(ctx context.Context, projectIDs ...int64) ([]models.ProjectSnapshot, error)
	// SnapshotSince returns what Snapshot would for the project of before, but reads only
	// what changed since; ok is false when it cannot.
	SnapshotSince(ctx context.Context, before models.ProjectSnapshot) (p models.ProjectSnapshot, ok bool, err error)
	// PruneSnapshotChanges deletes what no SnapshotSince needs any more.
	PruneSnapshotChanges(ctx context.Context) error
	// SnapshotVersions maps the ids of the given projects, or of all when none is given, to
	// the version of their newest state. Those that do not exist are missing.
	SnapshotVersions(ctx context.Context, projectIDs ...int64) (map[int64]int64, error)
	// ProjectKeys reads of a project only its id, slug and UUID.
	ProjectKeys(ctx context.Context, projectID int64) (models.Project, error)
	// Listen calls wake with the payload of every notification on channel, and with "" after
	// each connect, when notifications may have been missed. It returns when ctx ends.
	Listen(ctx context.Context, channel string, wake func(payload string)) error
}

const (
	// pollInterval is how late a change can be served when its notification was lost.
	pollInterval  = 5 * time.Second
	pruneInterval = time.Hour
)

// Registry has the snapshot of every project. Readers never block.
type Registry struct {
	source  Source
	baseURL string
	log     *slog.Logger
	now     func() time.Time
	builds  *prometheus.HistogramVec

	// small is the most records of a project whose state is not kept, see project.state.
	small int

	index  atomic.Pointer[index]
	loaded atomic.Int64 // Unix nanoseconds of the last comparison of all versions

	mu       sync.Mutex
	projects map[int64]*project
	pending  map[int64]bool // projects that changed
	all      bool           // any project may have changed
	wake     chan struct{}
	// changed is closed, and replaced, when other snapshots are served.
	changed chan struct{}
	// watched has a channel for each project that is watched, which is closed when the project's snapshot changes.
	watched map[int64]chan struct{}

	// wholes and changes hold a token for each read in progress. Reads of whole projects have
	// a limit of their own: they may be large, and should not delay the changes of others.
	wholes, changes chan struct{}
}

// NewRegistry returns an empty registry; Run fills it. Asset URLs in manifests begin with
// baseURL.
func NewRegistry(source Source, baseURL string, log *slog.Logger, registerer prometheus.Registerer) *Registry {
	with := promauto.With(registerer)
	r := &Registry{
		source: source, baseURL: baseURL, log: log, now: time.Now, small: smallProject,
		projects: map[int64]*project{}, pending: map[int64]bool{}, wake: make(chan struct{}, 1),
		changed: make(chan struct{}), watched: map[int64]chan struct{}{},
		wholes: make(chan struct{}, wholesTogether), changes: make(chan struct{}, changesTogether),
		builds: with.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "waft_snapshot_build_seconds",
			Help:    "Time to read a project, or what changed of it, from Postgres and to make its snapshot.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"read"}),
	}
	r.index.Store(&index{byID: map[int64]*slot{}, byKey: map[string]*slot{}})
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_snapshot_age_seconds",
		Help: "Time since the snapshots of all projects were last compared with Postgres.",
	}, func() float64 { return r.age(r.now()).Seconds() })
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_snapshot_projects_behind",
		Help: "Projects with changes that their devices are not served yet.",
	}, func() float64 { return float64(r.behind()) })
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_snapshot_projects_failing",
		Help: "Projects that could not be read the last time; their devices are served from the last snapshot, or 503 when there is none.",
	}, func() float64 { return float64(r.failing()) })
	return r
}

// Run keeps the registry up to date until ctx ends.
func (r *Registry) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return r.source.Listen(ctx, models.NotifySnapshot, r.request) })
	g.Go(func() error {
		poll, prune := time.NewTicker(pollInterval), time.NewTicker(pruneInterval)
		defer poll.Stop()
		defer prune.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-prune.C:
				if err := r.source.PruneSnapshotChanges(ctx); err != nil && ctx.Err() == nil {
					r.log.Warn("old snapshot changes could not be deleted", "error", err)
				}
				continue
			case <-poll.C:
				r.poll()
			case <-r.wake:
			}
			if err := r.refresh(ctx, g); err != nil && ctx.Err() == nil {
				r.log.Warn("snapshots could not be compared; devices are served from the last ones", "error", err)
			}
		}
	})
	return g.Wait()
}

// Changed returns a channel that is closed once another snapshot of the project is served, or none any more.
func (r *Registry) Changed(projectID int64) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	watched, ok := r.watched[projectID]
	if !ok {
		watched = make(chan struct{})
		r.watched[projectID] = watched
	}
	return watched
}

// RolloutWorkflow returns the id of the workflow that rolls out a release of a project, if
// one is running or paused.
func (r *Registry) RolloutWorkflow(projectID int64, updateUUID string) (workflowID string, ok bool) {
	s, err := r.ProjectByID(projectID)
	if err != nil {
		return "", false
	}
	return s.RolloutWorkflow(updateUUID)
}

// age is the time since every project was last compared with the source.
func (r *Registry) age(now time.Time) time.Duration {
	return now.Sub(time.Unix(0, r.loaded.Load()))
}

// CatchUp returns once devices are served what the source has at the time of the call: of
// the project with the given id, or of every project with 0. It waits for Run, and returns
// the error of ctx when that ends first.
func (r *Registry) CatchUp(ctx context.Context, projectID int64) error {
	var ids []int64
	served := r.index.Load().byID
	if projectID != 0 {
		ids, served = []int64{projectID}, map[int64]*slot{projectID: nil}
	}
	versions, err := r.source.SnapshotVersions(ctx, ids...)
	if err != nil {
		return err
	}
	for {
		r.mu.Lock()
		changed := r.changed
		r.mu.Unlock()
		if r.caughtUp(versions, served) {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// caughtUp reports whether the projects have at least the given versions, and those of
// served without a version, which do not exist, are not served.
func (r *Registry) caughtUp(versions map[int64]int64, served map[int64]*slot) bool {
	for id, version := range versions {
		if s, err := r.ProjectByID(id); err != nil || s.Version() < version {
			return false
		}
	}
	for id := range served {
		_, exists := versions[id]
		if _, err := r.ProjectByID(id); err == nil && !exists {
			return false
		}
	}
	return true
}
