// Package snapshot keeps an up-to-date immutable delivery.Snapshot of each project in every API process. So responding
// to a device needs neither a lock nor a query, and works even while Postgres is unavailable.
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

// Source reads projects. Package store implements it with Postgres.
type Source interface {
	// Snapshot reads a whole project.
	Snapshot(ctx context.Context, projectID int64) (models.ProjectSnapshot, error)
	// Snapshots reads several whole projects. Projects that do not exist are missing.
	Snapshots(ctx context.Context, projectIDs ...int64) ([]models.ProjectSnapshot, error)
	// SnapshotSince returns the same as Snapshot for the project of before, but reads only the changes since then. ok
	// is false if that is not possible.
	SnapshotSince(ctx context.Context, before models.ProjectSnapshot) (p models.ProjectSnapshot, ok bool, err error)
	// PruneSnapshotChanges deletes records of changes that SnapshotSince no longer needs.
	PruneSnapshotChanges(ctx context.Context) error
	// SnapshotVersions returns the newest versions of the given projects, or of all projects if none are given.
	// Projects that do not exist are missing.
	SnapshotVersions(ctx context.Context, projectIDs ...int64) (map[int64]int64, error)
	// ProjectKeys returns a project with only its ID, slug and UUID.
	ProjectKeys(ctx context.Context, projectID int64) (models.Project, error)
	// Listen calls wake with the payload of every notification on channel. After each connect it calls wake with "",
	// because notifications may have been lost. It returns when ctx ends.
	Listen(ctx context.Context, channel string, wake func(payload string)) error
}

const (
	// pollInterval is the maximum delay in serving a change whose notification was lost.
	pollInterval  = 5 * time.Second
	pruneInterval = time.Hour
	// laterTime is how long a change waits for a further change that devices need with it, so that a publish right after its upload
	// does not wait until the upload's change is read.
	laterTime = 100 * time.Millisecond
)

// Registry holds the snapshot of every project. Readers never block.
type Registry struct {
	source  Source
	baseURL string
	log     *slog.Logger
	now     func() time.Time
	builds  *prometheus.HistogramVec

	// small is the maximum size of a project whose state is not kept: see project.state.
	small int
	// wait is laterTime, except in tests.
	wait time.Duration

	index  atomic.Pointer[index]
	loaded atomic.Int64 // Unix nanoseconds of the last comparison of all versions
	// waiting is the number of calls of CatchUp in progress.
	waiting atomic.Int64

	mu       sync.Mutex
	projects map[int64]*project
	pending  map[int64]bool // projects that changed
	later    map[int64]bool // projects with a change that waits for a further one
	all      bool           // any project may have changed
	wake     chan struct{}
	// changed is closed and replaced whenever the served snapshots change.
	changed chan struct{}
	// watched maps each watched project to a channel that is closed when the project's snapshot changes.
	watched map[int64]chan struct{}

	// wholes and changes contain one token for each read in progress. Reads of whole projects have their own limit,
	// because they may be large and should not delay reads of other projects' changes.
	wholes, changes chan struct{}
}

// NewRegistry returns an empty registry, which Run fills. Asset URLs in manifests begin with baseURL.
func NewRegistry(source Source, baseURL string, log *slog.Logger, registerer prometheus.Registerer) *Registry {
	with := promauto.With(registerer)
	r := &Registry{
		source: source, baseURL: baseURL, log: log, now: time.Now, small: smallProject, wait: laterTime,
		projects: map[int64]*project{}, pending: map[int64]bool{}, later: map[int64]bool{}, wake: make(chan struct{}, 1),
		changed: make(chan struct{}), watched: map[int64]chan struct{}{},
		wholes: make(chan struct{}, wholesTogether), changes: make(chan struct{}, changesTogether),
		builds: with.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "waft_snapshot_build_seconds",
			Help:    "Time to read a project, or its changes, from Postgres and to build its snapshot.",
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
		Help: "Projects with changes that are not yet served to their devices.",
	}, func() float64 { return float64(r.behind()) })
	with.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "waft_snapshot_projects_failing",
		Help: "Projects whose last read failed. Their devices are served from the last snapshot, or get 503 if the project was never read.",
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

// Changed returns a channel that is closed when the project gets another snapshot, or is no longer served.
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

// RolloutWorkflow returns the ID of the workflow that rolls out a release of a project, if a rollout of the release is
// running or paused.
func (r *Registry) RolloutWorkflow(projectID int64, updateUUID string) (workflowID string, ok bool) {
	s, err := r.ProjectByID(projectID)
	if err != nil {
		return "", false
	}
	return s.RolloutWorkflow(updateUUID)
}

// Withdrawn returns the result of delivery.Snapshot's method. It returns false for a project without a snapshot.
func (r *Registry) Withdrawn(projectID int64, target models.Stream, updateUUID string) (withdrawn, own bool) {
	s, err := r.ProjectByID(projectID)
	if err != nil {
		return false, false
	}
	return s.Withdrawn(target, updateUUID)
}

// age returns the time since all projects were last compared with the source.
func (r *Registry) age(now time.Time) time.Duration {
	return now.Sub(time.Unix(0, r.loaded.Load()))
}

// CatchUp returns when devices are served the source's state at the time of the call: for the project with the given
// ID, or for every project if the ID is 0. It works only while Run is running. If ctx ends first, CatchUp returns its
// error.
func (r *Registry) CatchUp(ctx context.Context, projectID int64) error {
	r.waiting.Add(1)
	defer r.waiting.Add(-1)
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
		r.readLater(versions)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// caughtUp reports whether the projects have at least the given versions, and whether the projects in served that have
// no version, because they do not exist, are no longer served.
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
