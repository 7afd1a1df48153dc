package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// The amount of work of TestSnapshotsFollowRandomConcurrentOperations.
const (
	deltaOperators = 8
	deltaRounds    = 10
	deltaBurst     = 12
)

// deltaOperations lists the operators' operations, with additional ones so that every part of a snapshot changes.
var deltaOperations = append([]operation{
	{"upload a file by another type", func(o *operator) error {
		n := storetest.NewBuild(models.IOS, fmt.Sprint("content ", o.IntN(8)))
		n.Assets[0].ContentType = []string{"image/png", "text/plain"}[o.IntN(2)]
		b, err := o.Store.CreateBuild(o.ctx, o.project.ID, storetest.Alice, n)
		if err == nil {
			o.learn("build", b.ID)
		}
		return err
	}},
	{"set signing key", func(o *operator) error {
		_, err := o.Store.PutSigningKey(o.ctx, o.project.ID, storetest.Alice, storetest.NewSigningKey(o.Store.T, nil))
		return err
	}},
	{"delete signing key", func(o *operator) error {
		return o.Store.DeleteSigningKey(o.ctx, o.project.ID, storetest.Alice)
	}},
	{"finish patches", func(o *operator) error {
		base := func() string { return storetest.Asset("bundle.js", fmt.Sprint("content ", o.IntN(8)), 100).MD5 }
		jobs, err := o.Store.BeginPatches(o.ctx, o.project.ID, base(), []models.PatchBase{{MD5: base()}, {MD5: base()}})
		for _, j := range jobs {
			if err == nil {
				err = o.Store.FinishPatch(o.ctx, j, models.PatchOutcome{Status: models.PatchOffered, SizeBytes: 5,
					SHA256: storetest.Asset("", "patch", 1).SHA256})
			}
		}
		return err
	}},
}, operations...)

// follower reads one project repeatedly, each time from its last position.
type follower struct {
	*storetest.Fixture
	last models.ProjectSnapshot
}

func (w *follower) follow(t *testing.T) {
	t.Helper()
	next, ok, err := w.SnapshotSince(t.Context(), w.last)
	require.NoError(t, err)
	require.True(t, ok)
	w.last = next
}

// requireSame compares everything that two snapshots contain.
func requireSame(f *storetest.Fixture, t *testing.T, whole, followed models.ProjectSnapshot) {
	t.Helper()
	contents := []string{"logo"}
	for i := range 8 {
		contents = append(contents, fmt.Sprint("content ", i))
	}
	blobsOf := func(p models.ProjectSnapshot) map[string]models.Blob {
		found := map[string]models.Blob{}
		for _, content := range contents {
			md5 := storetest.Asset("", content, 1).MD5
			if b, ok := p.Blobs.Get(md5); ok {
				found[md5] = b
			}
		}
		return found
	}
	require.Equal(t, blobsOf(whole), blobsOf(followed))
	require.Len(t, whole.Releases, len(followed.Releases))
	for i := range whole.Releases {
		require.Equal(t, *whole.Releases[i], *followed.Releases[i], "release %d", i)
	}
	whole.Blobs, whole.Cursor = models.Blobs{}, models.SnapshotCursor{}
	followed.Blobs, followed.Cursor = models.Blobs{}, models.SnapshotCursor{}
	require.Equal(t, whole, followed)
}

// Operators change two projects at the same time while followers read the changes at arbitrary moments. Whenever all
// operators pause, the data read bit by bit must equal the data in the database.
func TestSnapshotsFollowRandomConcurrentOperations(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	seed := enginetest.FreshSeed(t)
	known := &records{ids: map[string][]int64{}, owners: map[int64]int64{}}
	projects := []models.Project{f.Demo, f.NewProject("other")}
	followers := []*follower{}
	for i := range 4 {
		first, err := f.Snapshot(t.Context(), projects[i%2].ID)
		require.NoError(t, err)
		followers = append(followers, &follower{f, first})
	}
	type reading struct{ whole, followed models.ProjectSnapshot }
	var readings []reading
	for round := range enginetest.Sized(deltaRounds, deltaRounds/2) {
		var working, following sync.WaitGroup
		failures := make([]error, deltaOperators)
		for i := range deltaOperators {
			working.Go(func() {
				o := &operator{
					Store: f, ctx: t.Context(), Rand: rand.New(rand.NewPCG(seed, uint64(100*round+i))), known: known,
					project: projects[i%2], tally: map[string]int{},
				}
				for range deltaBurst {
					if err := o.operate(deltaOperations); err != nil {
						failures[i] = err
					}
				}
			})
		}
		resting := make(chan struct{})
		for _, w := range followers[:2] { // the other followers read once per round
			following.Go(func() {
				for {
					select {
					case <-resting:
						return
					default:
						w.follow(t)
					}
				}
			})
		}
		working.Wait()
		close(resting)
		following.Wait()
		for _, err := range failures {
			require.NoError(t, err, "seed %d", seed)
		}
		for i, w := range followers {
			w.follow(t)
			whole, err := f.Snapshot(t.Context(), projects[i%2].ID)
			require.NoError(t, err)
			t.Logf("seed %d, round %d, follower %d: %d releases, %d aliases, %d patches, %d flags, %d overrides", seed, round, i,
				len(whole.Releases), len(whole.Aliases), len(whole.Patches), len(whole.Flags), len(whole.UserOverrides))
			requireSame(f, t, whole, w.last)
			readings = append(readings, reading{whole, w.last})
		}
	}
	for _, r := range readings { // no later reading may have changed an earlier one
		requireSame(f, t, r.whole, r.followed)
	}
}

// begin starts a transaction of its own and makes Postgres assign its number.
func begin(f *storetest.Fixture, sql string, args ...any) pgx.Tx {
	f.T.Helper()
	tx, err := f.Conn().Begin(f.T.Context())
	require.NoError(f.T, err)
	_, err = tx.Exec(f.T.Context(), sql, args...)
	require.NoError(f.T, err)
	return tx
}

// Two transactions each change a release. The transaction that began first commits last, after the other one's change
// was read.
func TestSnapshotSinceSeesTransactionsInAnyOrderOfCommit(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	one, two := f.MustPublish(), f.MustPublish()
	start, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	w := &follower{f, start}
	messages := func() []string {
		return []string{w.last.Releases[1].ReleaseMessage, w.last.Releases[0].ReleaseMessage}
	}
	const change = "UPDATE releases SET release_message = $2 WHERE id = $1"
	first := begin(f, change, one.ID, "first")
	second := begin(f, change, two.ID, "second")
	require.NoError(t, second.Commit(t.Context()))
	w.follow(t)
	require.Equal(t, []string{one.ReleaseMessage, "second"}, messages())
	shared := w.last.Releases[1]
	w.follow(t)
	require.Same(t, shared, w.last.Releases[1], "unchanged releases are shared")
	require.NoError(t, first.Commit(t.Context()))
	w.follow(t)
	require.Equal(t, []string{"first", "second"}, messages())
	rolledBack := begin(f, change, two.ID, "never")
	require.NoError(t, rolledBack.Rollback(t.Context()))
	w.follow(t)
	require.Equal(t, []string{"first", "second"}, messages())
}

func TestSnapshotSinceRefusesWhenUnsure(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustPublish()
	start, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	f.MustPublish()
	for name, c := range map[string]struct {
		spoil func(*models.SnapshotCursor)
		ok    bool
	}{
		"as it was read":      {func(*models.SnapshotCursor) {}, true},
		"never read":          {func(c *models.SnapshotCursor) { *c = models.SnapshotCursor{} }, false},
		"read long ago":       {func(c *models.SnapshotCursor) { c.ReadAt = c.ReadAt.Add(-13 * time.Hour) }, false},
		"read in the future":  {func(c *models.SnapshotCursor) { c.ReadAt = c.ReadAt.Add(time.Hour) }, false},
		"read elsewhere":      {func(c *models.SnapshotCursor) { c.ServerStart = c.ServerStart.Add(-time.Second) }, false},
		"read some hours ago": {func(c *models.SnapshotCursor) { c.ReadAt = c.ReadAt.Add(-11 * time.Hour) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := start
			c.spoil(&before.Cursor)
			next, ok, err := f.SnapshotSince(t.Context(), before)
			require.NoError(t, err)
			require.Equal(t, c.ok, ok)
			if ok {
				require.Len(t, next.Releases, 2)
			}
		})
	}
	t.Run("a project that is gone", func(t *testing.T) {
		t.Parallel()
		gone := f.NewProject("gone")
		before, err := f.Snapshot(t.Context(), gone.ID)
		require.NoError(t, err)
		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "gone"))
		_, _, err = f.SnapshotSince(t.Context(), before)
		storetest.RequireCode(t, models.CodeNotFound, err)
	})
}

func TestABuildsFilesAreReachableAsLongAsABuildHasThem(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	start, err := f.Snapshot(t.Context(), f.Demo.ID)
	require.NoError(t, err)
	w := &follower{f, start}
	has := func(md5 string) bool { _, ok := w.last.Blobs.Get(md5); return ok }
	one, two := f.MustBuild("one"), f.MustBuild("two")
	logo, bundle := one.Assets[0].MD5, one.Assets[1].MD5
	w.follow(t)
	require.True(t, has(logo))
	require.True(t, has(bundle))
	f.RequireBumped(true, func() { require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, one.ID)) })
	w.follow(t)
	require.True(t, has(logo), "the other build has the file")
	require.False(t, has(bundle))
	require.NoError(t, f.DeleteBuild(t.Context(), f.Demo.ID, storetest.Alice, two.ID))
	w.follow(t)
	require.False(t, has(logo))
	f.MustBuild("one") // its file is still in the asset bucket
	w.follow(t)
	require.True(t, has(bundle))
}

func TestPruneSnapshotChanges(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustPublish()
	f.MustExec("UPDATE snapshot_changes SET changed_at = now() - interval '25 hours' WHERE part = 'releases'")
	require.NoError(t, f.PruneSnapshotChanges(t.Context()))
	parts := storetest.Query[string](f, "SELECT DISTINCT part FROM snapshot_changes")
	require.NotContains(t, parts, "releases")
	require.True(t, slices.Contains(parts, "blobs"))
}

// BenchmarkSnapshotSince measures the cost of a publish in a project with many releases.
func BenchmarkSnapshotSince(b *testing.B) {
	for _, n := range []int{10, 10_000} {
		b.Run(fmt.Sprint(n, " releases"), func(b *testing.B) {
			f := storetest.Setup(b)
			r := f.MustPublish()
			storetest.SeedReleases(f, r, n)
			last, err := f.Snapshot(context.Background(), f.Demo.ID)
			require.NoError(b, err)
			message := 0
			for b.Loop() {
				b.StopTimer()
				message++
				text := strconv.Itoa(message)
				f.MustPatch(r.ID, models.ReleasePatch{ReleaseMessage: &text})
				b.StartTimer()
				var ok bool
				last, ok, err = f.SnapshotSince(context.Background(), last)
				require.NoError(b, err)
				require.True(b, ok)
			}
		})
	}
}
