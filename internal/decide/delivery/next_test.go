package delivery

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

// reader copies a project step by step, as the store does: records that did not change since the last copy are the
// same objects.
type reader struct {
	state models.ProjectSnapshot
	seen  map[int64]models.Release
}

func (c *reader) read(tp *testProject) models.ProjectSnapshot {
	next := tp.copy()
	known := map[int64]*models.Release{}
	for _, r := range c.state.Releases {
		known[r.ID] = r
	}
	seen := map[int64]models.Release{}
	for i, r := range next.Releases {
		seen[r.ID] = *r
		if before, ok := c.seen[r.ID]; ok && fmt.Sprint(before) == fmt.Sprint(*r) {
			next.Releases[i] = known[r.ID]
		}
	}
	c.state, c.seen = next, seen
	return next
}

// A snapshot that reuses parts of the previous snapshot must respond like a snapshot built from scratch.
func TestNextAnswersAsASnapshotMadeAnew(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		var c reader
		s, err := NewSnapshot(c.read(tp), testBaseURL)
		require.NoError(t, err)
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			changes[someChange.Draw(t, "change")](t, tp)
			s, err = s.Next(c.read(tp))
			require.NoError(t, err)
			anew := snapshotOf(t, tp)
			for range 8 {
				r := anyRequest(t, tp)
				want, got := anew.Explain(r), s.Explain(r)
				require.Equal(t, want.Outcome, got.Outcome)
				require.Equal(t, want.ReleaseID, got.ReleaseID)
				require.Equal(t, want.Steps, got.Steps)
				require.Equal(t, anew.Respond(r), s.Respond(r))
			}
		}
	})
}

func TestNextRendersOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	old := tp.publish("production")
	other := tp.publish("preview")
	var c reader
	first, err := NewSnapshot(c.read(tp), testBaseURL)
	require.NoError(t, err)
	bodyOf := func(s *Snapshot, id int64) *body { return s.releases[tp.uuid(id)].body }

	newer := tp.publish("production", percentage(10))
	second, err := first.Next(c.read(tp))
	require.NoError(t, err)
	for _, id := range []int64{old, other} {
		require.NotNil(t, bodyOf(first, id))
		require.Same(t, bodyOf(first, id), bodyOf(second, id))
	}
	require.Same(t, first.noUpdate, second.noUpdate)
	require.Same(t, first.Flags(), second.Flags())

	tp.release(newer).RolloutPercentage = 100
	third, err := second.Next(c.read(tp))
	require.NoError(t, err)
	require.Nil(t, bodyOf(third, old), "devices can no longer get it")
	require.NotNil(t, bodyOf(third, newer))
	require.Nil(t, third.renderer.earlier, "otherwise every snapshot would keep all earlier snapshots")
	require.Len(t, third.renderer.releases, 2)

	tp.state.Flags = []models.Flag{{ID: 1, Key: "new", FlagType: models.FlagBoolean, DefaultValue: "false"}}
	fourth, err := third.Next(c.read(tp))
	require.NoError(t, err)
	require.NotSame(t, third.Flags(), fourth.Flags())
}

func TestNextRefusesAnOverrideWhoseBranchWent(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	tp.send("user", "preview")
	state := tp.copy()
	s, err := NewSnapshot(state, testBaseURL)
	require.NoError(t, err)
	_, err = s.Next(state)
	require.NoError(t, err)
	state.Branches = state.Branches[:1]
	_, err = s.Next(state)
	require.ErrorContains(t, err, "user override")
}

// A manifest contains content types, so a changed content type requires a new rendering.
func TestNextRendersAgainWhenAFileIsOfAnotherType(t *testing.T) {
	t.Parallel()
	tp := newTestProject()
	id := tp.publish("production")
	var c reader
	state := c.read(tp)
	first, err := NewSnapshot(state, testBaseURL)
	require.NoError(t, err)
	picture := tp.state.Builds[*tp.release(id).BuildID].Assets[1]
	state.Blobs, err = state.Blobs.With([]models.Blob{{
		MD5: picture.MD5, SHA256: picture.SHA256, SizeBytes: picture.SizeBytes, ContentType: "image/webp",
	}}, nil)
	require.NoError(t, err)
	second, err := first.Next(state)
	require.NoError(t, err)
	require.NotContains(t, string(second.releases[tp.uuid(id)].body.json.body[0]), "image/png")
	require.Contains(t, string(second.releases[tp.uuid(id)].body.json.body[0]), "image/webp")
}

// Only the releases of models.Answers come with their builds, so no other release may be rendered, and no other
// release may be served.
func TestOnlyAnswersAreRendered(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tp := anyProject(t)
		state := tp.copy()
		needed := map[int64]*models.Build{}
		for _, r := range models.Answers(state.Releases) {
			if r.BuildID != nil {
				needed[*r.BuildID] = state.Builds[*r.BuildID]
			}
		}
		state.Builds = needed
		s, err := NewSnapshot(state, testBaseURL)
		require.NoError(t, err)
		for range 20 {
			d := s.Resolve(anyRequest(t, tp))
			if d.release != nil {
				require.NotNil(t, d.release.body)
				require.NotNil(t, d.release.filters)
			}
		}
	})
}

// largeTestProject returns a project with releases on the first branch, as many branches as channels, and overrides.
// A build has 34 files and shares 33 of them with the other builds.
func largeTestProject(releases, channels, overrides int) *testProject {
	tp := newTestProject()
	for i := range channels - 1 {
		tp.channel(fmt.Sprint("channel-", i), tp.branch(fmt.Sprint("branch-", i)))
	}
	shared := make([]models.BuildAsset, 33)
	for i := range shared {
		shared[i] = testAsset(fmt.Sprint("file-", i), fmt.Sprintf("assets/%02d.png", i), "image/png", ".png", false)
	}
	template := *tp.release(tp.publish("production"))
	tp.state.Releases = nil
	for range releases { // appends like publish, which would sort all releases each time
		r, b := template, tp.build()
		buildID := b.ID
		r.ID, r.BuildID = tp.id(), &buildID
		r.UpdateUUID, r.GroupID = uuid.New(), uuid.New()
		r.CreatedAt = r.CreatedAt.Add(time.Duration(r.ID) * time.Second)
		r.ShareSalt = models.ReleaseSalt(r.GroupID)
		b.Assets = append(slices.Clone(shared), b.Assets[0])
		tp.state.Releases = append(tp.state.Releases, &r)
	}
	slices.Reverse(tp.state.Releases)
	for i := range overrides {
		tp.state.UserOverrides[fmt.Sprintf("user-%08d", i)] = tp.state.Branches[i%len(tp.state.Branches)].ID
	}
	return tp
}

// stateOf returns the project with all files and only the builds that a snapshot gets.
func stateOf(tp *testProject) models.ProjectSnapshot {
	state := tp.copy()
	builds := map[int64]*models.Build{}
	for _, r := range models.Answers(state.Releases) {
		builds[*r.BuildID] = state.Builds[*r.BuildID]
	}
	state.Builds = builds
	return state
}

// BenchmarkNext measures the cost of one publish for a snapshot.
func BenchmarkNext(b *testing.B) {
	for _, size := range []struct{ releases, channels, overrides int }{
		{10, 2, 0}, {10_000, 2, 0}, {10_000, 1000, 0}, {10_000, 1000, 100_000},
	} {
		name := fmt.Sprintf("releases=%d/channels=%d/overrides=%d", size.releases, size.channels, size.overrides)
		b.Run(name, func(b *testing.B) {
			before := heap()
			tp := largeTestProject(size.releases, size.channels, size.overrides)
			state := stateOf(tp)
			*tp = testProject{}
			loaded := heap()
			s, err := NewSnapshot(state, testBaseURL)
			require.NoError(b, err)
			indexed := heap()
			newest := *state.Releases[0]
			b.ReportAllocs()
			for b.Loop() {
				newest := newest
				newest.UpdatedAt = newest.UpdatedAt.Add(time.Second)
				state.Releases = slices.Clone(state.Releases)
				state.Releases[0] = &newest
				if s, err = s.Next(state); err != nil {
					b.Fatal(err)
				}
			}
			runtime.KeepAlive(s)
			b.ReportMetric(float64(loaded-before)/(1<<20), "state-MiB")
			b.ReportMetric(float64(indexed-loaded)/(1<<20), "index-MiB")
		})
	}
}

// heap returns the number of reachable bytes.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
