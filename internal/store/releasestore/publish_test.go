package releasestore_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// TestAPublishTakesFewRoundTrips counts the queries that a publish sends to Postgres from BEGIN to COMMIT, and the
// queries that find the caller and the project. Each is a wait, and during most of them other changes of the project
// wait too.
func TestAPublishTakesFewRoundTrips(t *testing.T) {
	t.Parallel()
	var queries atomic.Int64
	f := storetest.Setup(t, storetest.CountQueries(&queries))
	b := f.MustBuild("a file")
	publish := func() {
		_, err := f.Publish(t.Context(), f.Demo.ID, storetest.Alice, models.Publish{BuildID: b.ID, Channel: "production"})
		require.NoError(t, err)
	}
	publish()
	before := queries.Load()
	publish()
	require.LessOrEqual(t, queries.Load()-before, int64(12))

	before = queries.Load()
	_, err := f.APIKeyByPrefix(t.Context(), "nobody")
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = f.Project(t.Context(), f.Demo.Slug)
	require.NoError(t, err)
	require.EqualValues(t, 2, queries.Load()-before)
}

func TestPublish(t *testing.T) {
	t.Parallel()

	t.Run("to a channel reaches everybody on the channel's branch", func(t *testing.T) {
		t.Parallel()
		now, clock := storetest.StoppedClock()
		f := storetest.Setup(t, clock)
		b := f.MustBuild("one")
		var r models.Release
		f.RequireBumped(true, func() {
			var err error
			r, err = f.Publish(t.Context(), f.Demo.ID, storetest.Alice, models.Publish{BuildID: b.ID, Channel: "production"})
			require.NoError(t, err)
		})
		require.Equal(t, now, r.CreatedAt)
		require.Equal(t, "production", r.BranchName)
		require.Equal(t, "production", *r.Channel)
		require.Equal(t, b.Platform, r.Platform)
		require.Equal(t, b.RuntimeVersion, r.RuntimeVersion)
		require.Equal(t, b.GitCommitHash, r.GitCommitHash)
		require.Equal(t, b.SizeBytes, r.SizeBytes)
		require.Equal(t, b.Message, r.ReleaseMessage, "the build's release notes are the default")
		require.True(t, r.IsEnabled)
		require.InDelta(t, 100, r.RolloutPercentage, 0)
		require.Equal(t, "release:"+r.GroupID.String(), r.ShareSalt)
		require.Equal(t, r, f.MustRelease(r.ID), "the returned release is the stored one")

		published, err := f.Build(t.Context(), f.Demo.ID, b.ID)
		require.NoError(t, err)
		require.Equal(t, models.BuildPublished, published.Status)

		entry := f.Audited(1)[0]
		require.Equal(t, "build.published", entry.Action)
		require.Equal(t, "update", entry.EntityType)
		require.Equal(t, strconv.FormatInt(r.ID, 10), entry.EntityID)
		require.Equal(t, models.ActorAPIKey, entry.ActorType)
		require.Equal(t, "alice's key", entry.ActorName)
		require.Equal(t, "req-1", entry.RequestID)
		require.Equal(t, r.UpdateUUID.String(), entry.Details["updateUuid"])
	})

	t.Run("straight to a branch has no channel", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish(func(p *models.Publish) { p.Channel, p.Branch = "", "staging" })
		require.Equal(t, "staging", r.BranchName)
		require.Nil(t, r.Channel)
		require.Equal(t, "update.created", f.Audited(1)[0].Action)
	})

	t.Run("as an update is audited as one, also to a channel", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		f.MustPublish(func(p *models.Publish) { p.Direct = true })
		require.Equal(t, "update.created", f.Audited(1)[0].Action)
	})

	t.Run("takes what the caller says", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		group := uuid.New()
		r := f.MustPublish(storetest.Share(33.333), storetest.Disabled, func(p *models.Publish) {
			p.GroupID, p.IsCritical, p.ReleaseMessage = &group, true, "hello"
		})
		require.Equal(t, group, r.GroupID)
		require.True(t, r.IsCritical)
		require.False(t, r.IsEnabled)
		require.Equal(t, "hello", r.ReleaseMessage)
		require.InDelta(t, 33.333, r.RolloutPercentage, 0)
		require.Zero(t, r.ReachedPercentage, "a disabled release does not reach any device")
	})

	t.Run("keeps the platforms of a release in one group", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		ios := f.MustPublish()
		android := f.MustBuildFor(models.Android, "one")
		p := models.Publish{BuildID: android.ID, Channel: "production", GroupID: &ios.GroupID}
		r, err := f.Publish(t.Context(), f.Demo.ID, storetest.Alice, p)
		require.NoError(t, err)
		require.Equal(t, ios.ShareSalt, r.ShareSalt)

		_, err = f.Publish(t.Context(), f.Demo.ID, storetest.Alice, p)
		storetest.RequireCode(t, models.CodeAlreadyExists, err)
		require.NoError(t, f.DeleteRelease(t.Context(), f.Demo.ID, storetest.Alice, r.ID))
		_, err = f.Publish(t.Context(), f.Demo.ID, storetest.Alice, p)
		require.NoError(t, err, "the place of the deleted release is free")
	})

	t.Run("with a policy starts at 0 % and rolls out", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		policy := f.MustPolicy()
		r := f.MustPublish(storetest.WithPolicy(policy.ID))
		require.Zero(t, r.RolloutPercentage)
		require.Zero(t, r.ReachedPercentage)
		require.Equal(t, r, f.MustRelease(r.ID))

		e := f.MustExecution(*r.RolloutExecutionID)
		require.Equal(t, models.ExecutionRunning, e.Status)
		require.Zero(t, e.StageIndex)
		require.Zero(t, e.Version)
		require.Equal(t, policy.Stages, e.Stages)
		require.Equal(t, policy.Thresholds, e.Thresholds)
		require.Equal(t, policy.Name, e.PolicyName)
		require.Equal(t, r.UpdateUUID, e.UpdateUUID)
		require.Equal(t, "production", *e.Channel)
		require.Equal(t, fmt.Sprintf("rollout/demo/%d", e.ID), e.WorkflowID)

		messages := f.Outbox(models.OutboxRolloutStart)
		require.Len(t, messages, 1)
		var start models.RolloutStart
		require.NoError(t, json.Unmarshal([]byte(messages[0]), &start))
		require.Equal(t, models.RolloutStart{
			ExecutionID: e.ID, ProjectID: f.Demo.ID, WorkflowID: e.WorkflowID, Project: "demo",
			Summary: fmt.Sprintf("demo: %s, ios 1.0.0", models.ReleasePhrase(r.ID, r.ReleaseMessage)),
		}, start)

		entries := f.Audited(2)
		require.Equal(t, "build.published", entries[0].Action)
		require.Equal(t, "rollout.started", entries[1].Action)
		require.Equal(t, "alice's key", entries[1].ActorName)
	})
}

func TestPublishRefuses(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct {
		change func(f *storetest.Fixture, p *models.Publish)
		code   models.ErrorCode
		names  string
	}{
		"a channel that does not exist": {
			func(_ *storetest.Fixture, p *models.Publish) { p.Channel = "nobody" }, models.CodeNotFound, `channel "nobody"`,
		},
		"a branch that does not exist": {
			func(_ *storetest.Fixture, p *models.Publish) { p.Channel, p.Branch = "", "nobody" }, models.CodeNotFound, `branch "nobody"`,
		},
		"a build that does not exist": {
			func(_ *storetest.Fixture, p *models.Publish) { p.BuildID = 1 << 40 }, models.CodeNotFound, "build",
		},
		"a build of another project": {
			func(f *storetest.Fixture, p *models.Publish) {
				b, err := f.CreateBuild(f.T.Context(), f.NewProject("other").ID, storetest.Alice, storetest.NewBuild(models.IOS, "theirs"))
				require.NoError(f.T, err)
				p.BuildID = b.ID
			}, models.CodeNotFound, "build",
		},
		"a policy that does not exist": {
			func(_ *storetest.Fixture, p *models.Publish) { storetest.WithPolicy(1 << 40)(p) }, models.CodeNotFound, "policy",
		},
		"a policy that is not active": {
			func(f *storetest.Fixture, p *models.Publish) {
				storetest.WithPolicy(f.MustPolicy(func(n *models.NewRolloutPolicy) { n.IsActive = false }).ID)(p)
			}, models.CodeInvalid, "rolloutPolicyId",
		},
		"a policy for another channel": {
			func(f *storetest.Fixture, p *models.Publish) {
				storetest.WithPolicy(f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Channel = new("staging") }).ID)(p)
			}, models.CodeInvalid, "rolloutPolicyId",
		},
		"a policy for a channel, straight to a branch": {
			func(f *storetest.Fixture, p *models.Publish) {
				storetest.WithPolicy(f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Channel = new("production") }).ID)(p)
				p.Channel, p.Branch = "", "production"
			}, models.CodeInvalid, "rolloutPolicyId",
		},
		"a share out of range": {
			func(_ *storetest.Fixture, p *models.Publish) { storetest.Share(100.5)(p) }, models.CodeInvalid, "rolloutPercentage",
		},
	} {
		t.Run("refuses "+name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			p := models.Publish{BuildID: f.MustBuild("one").ID, Channel: "production"}
			tc.change(f, &p)
			f.RequireBumped(false, func() {
				_, err := f.Publish(t.Context(), f.Demo.ID, storetest.Alice, p)
				storetest.RequireCode(t, tc.code, err)
				require.ErrorContains(t, err, tc.names)
			})
			require.Equal(t, []int64{0}, storetest.Query[int64](f, "SELECT count(*) FROM releases"))
		})
	}
}

func TestPublishWithThePolicyOfItsChannel(t *testing.T) {
	t.Parallel()

	t.Run("with a policy for its channel rolls out", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		r := f.MustPublish(storetest.WithPolicy(f.MustPolicy(func(n *models.NewRolloutPolicy) { n.Channel = new("production") }).ID))
		require.NotNil(t, r.RolloutExecutionID)
	})
}

func TestReleaseTimesStrictlyIncrease(t *testing.T) {
	t.Parallel()

	t.Run("while the clock stands still", func(t *testing.T) {
		t.Parallel()
		now, clock := storetest.StoppedClock()
		f := storetest.Setup(t, clock)
		for i := range 3 {
			require.Equal(t, now.Add(time.Duration(i)*time.Millisecond), f.MustPublish().CreatedAt)
		}
	})

	t.Run("when the clock goes back", func(t *testing.T) {
		t.Parallel()
		now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
		f := storetest.Setup(t, store.WithNow(func() time.Time { now = now.Add(-time.Minute); return now }))
		first, second := f.MustPublish(), f.MustPublish()
		require.Equal(t, first.CreatedAt.Add(time.Millisecond), second.CreatedAt)
	})

	t.Run("among publishes at the same time", func(t *testing.T) {
		t.Parallel()
		_, clock := storetest.StoppedClock()
		f := storetest.Setup(t, clock)
		b := f.MustBuild("one")
		const publishes = 8
		var all sync.WaitGroup
		errs := make([]error, publishes)
		for i := range publishes {
			all.Go(func() {
				_, errs[i] = f.Publish(t.Context(), f.Demo.ID, storetest.Alice, models.Publish{BuildID: b.ID, Channel: "production"})
			})
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
		releases, err := f.ListReleases(t.Context(), f.Demo.ID, models.ReleaseFilter{}, models.Page{})
		require.NoError(t, err)
		require.Len(t, releases, publishes)
		for i, newer := range releases[:publishes-1] {
			require.True(t, newer.CreatedAt.After(releases[i+1].CreatedAt), "IDs and times have the same order")
		}
	})
}
