package projectstore_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func TestCreateProject(t *testing.T) {
	t.Parallel()

	t.Run("makes the default branches and channels", func(t *testing.T) {
		t.Parallel()
		now, clock := storetest.StoppedClock()
		f := storetest.Setup(t, clock)
		require.Equal(t, "demo", f.Demo.Slug)
		require.Equal(t, now, f.Demo.CreatedAt)
		require.NotEqual(t, uuid.Nil, f.Demo.UUID)

		channels, err := f.ListChannels(t.Context(), f.Demo.ID, models.Page{})
		require.NoError(t, err)
		require.Len(t, channels, len(models.DefaultStreams))
		for i, c := range channels { // newest first
			want := models.DefaultStreams[len(models.DefaultStreams)-1-i]
			require.Equal(t, want, c.Name)
			require.Equal(t, want, c.BranchName)
		}
		entries := f.Audited(4)
		require.Equal(t, "branch.created", entries[0].Action)
		require.Equal(t, "channel.created", entries[1].Action)
	})

	t.Run("makes the slug from the name", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		p, err := f.CreateProject(t.Context(), storetest.Alice, models.NewProject{Name: "My App"})
		require.NoError(t, err)
		require.Equal(t, "my-app", p.Slug)
	})

	t.Run("refuses a bad slug", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateProject(t.Context(), storetest.Alice, models.NewProject{Name: "x", Slug: "No Slug"})
		storetest.RequireField(t, "slug", err)
	})

	t.Run("refuses a slug that is taken", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, err := f.CreateProject(t.Context(), storetest.Alice, models.NewProject{Name: "Other", Slug: "demo"})
		storetest.RequireCode(t, models.CodeAlreadyExists, err)
	})
}

func TestProject(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)

	bySlug, err := f.Project(t.Context(), "demo")
	require.NoError(t, err)
	require.Equal(t, f.Demo.ID, bySlug.ID)

	byUUID, err := f.Project(t.Context(), f.Demo.UUID.String())
	require.NoError(t, err)
	require.Equal(t, bySlug, byUUID)

	_, err = f.Project(t.Context(), "nobody")
	storetest.RequireCode(t, models.CodeNotFound, err)
	_, err = f.Project(t.Context(), uuid.NewString())
	storetest.RequireCode(t, models.CodeNotFound, err)
}

func TestListProjects(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	second, third := f.NewProject("second"), f.NewProject("third")

	slugs := func(page models.Page) []string {
		projects, err := f.ListProjects(t.Context(), page)
		require.NoError(t, err)
		names := []string{}
		for _, p := range projects {
			names = append(names, p.Slug)
		}
		return names
	}
	require.Equal(t, []string{"third", "second", "demo"}, slugs(models.Page{}))
	require.Equal(t, []string{"third", "second"}, slugs(models.Page{Limit: 2}))
	require.Equal(t, []string{"second"}, slugs(models.Page{Limit: 1, Before: third.ID}))
	require.Equal(t, []string{"demo"}, slugs(models.Page{Before: second.ID}))
	require.Equal(t, []string{}, slugs(models.Page{Before: f.Demo.ID}))
}

func TestDeleteProject(t *testing.T) {
	t.Parallel()

	t.Run("takes everything but the audit log with it", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		_, e := f.MustRollOut()
		c := storetest.Next(e)
		c.Event = &models.RolloutEvent{Event: models.EventPaused}
		f.MustApply(c)
		_, err := f.CreateAPIKey(t.Context(), f.Demo.ID, storetest.Alice, models.NewAPIKey{Name: "k", Role: models.RoleAdmin},
			models.NewAPIKeyToken())
		require.NoError(t, err)
		other := f.NewProject("other")

		require.NoError(t, f.DeleteProject(t.Context(), storetest.Alice, "demo"))

		_, err = f.Project(t.Context(), "demo")
		storetest.RequireCode(t, models.CodeNotFound, err)
		for _, table := range storetest.Query[string](f, `SELECT table_name::text FROM information_schema.columns
			WHERE table_schema = 'public' AND column_name = 'project_id' AND table_name NOT IN ('audit_log', 'outbox')`) {
			require.Zero(t, storetest.Query[int64](f, "SELECT count(*) FROM "+table+" WHERE project_id = $1", f.Demo.ID)[0], table)
		}
		require.Equal(t, []string{"rollout.reverted"}, storetest.Query[string](f, "SELECT kind FROM outbox WHERE project_id = $1", f.Demo.ID),
			"the rollout's workflow hears of its end")
		last := f.Audited(1)[0]
		require.Equal(t, "project.deleted", last.Action)
		require.Equal(t, "demo", last.Details["slug"])
		channels, err := f.ListChannels(t.Context(), other.ID, models.Page{})
		require.NoError(t, err)
		require.Len(t, channels, 2, "another project keeps its own")
	})

	t.Run("refuses a project that does not exist", func(t *testing.T) {
		t.Parallel()
		f := storetest.Setup(t)
		storetest.RequireCode(t, models.CodeNotFound, f.DeleteProject(t.Context(), storetest.Alice, "nobody"))
	})
}

func TestEveryRecordHasAnIDOfItsOwn(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	f.MustRollOut()
	ids := storetest.Query[int64](f, `SELECT id FROM projects UNION ALL SELECT id FROM branches UNION ALL SELECT id FROM channels
		UNION ALL SELECT id FROM builds UNION ALL SELECT id FROM releases UNION ALL SELECT id FROM rollout_policies
		UNION ALL SELECT id FROM rollout_executions UNION ALL SELECT id FROM audit_log UNION ALL SELECT id FROM outbox`)
	seen := map[int64]bool{}
	for _, id := range ids {
		require.False(t, seen[id], "id %d is used twice", id)
		seen[id] = true
	}
}
