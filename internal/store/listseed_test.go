package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// Sizes of the projects whose lists are compared.
const (
	smallProject = 150
	largeProject = 7_000
)

// seededProject is a project whose lists are read, with the queries sent to Postgres.
type seededProject struct {
	id    int64
	store *store.Store
	seen  *recorder
	conn  *pgx.Conn
}

func seeded(f *storetest.Fixture, p models.Project) seededProject {
	f.T.Helper()
	seen := &recorder{}
	return seededProject{id: p.ID, store: storetest.Open(f.T, f.DatabaseURL, store.WithTracer(seen)), seen: seen, conn: f.Conn()}
}

// seededAmongOthers returns a small and a large project in one database. The database also has a third project that is
// as large as the second one and whose records are all newer. A list that walks through IDs without regard to the
// project reads all of those records.
func seededAmongOthers(t *testing.T) (small, large seededProject) {
	t.Helper()
	f := storetest.Setup(t)
	few, many, noise := f.NewProject("small"), f.NewProject("large"), f.NewProject("noise")
	sizes := []int{smallProject, largeProject, largeProject}
	for i, project := range []models.Project{few, many, noise} {
		storetest.SeedMemberships(t, f.Conn(), project.ID, sizes[i])
		storetest.Seed(t, f.Conn(), project.ID, sizes[i])
	}
	rollBackSome(f)
	storetest.SeedProjects(t, f.Conn(), largeProject)
	f.MustExec("VACUUM ANALYZE")
	return seeded(f, few), seeded(f, many)
}

// seededAlone returns a small and a large project, each in a database of its own. There Postgres assumes that every
// record belongs to the requested project, so that any index in the order of the IDs seems suitable.
func seededAlone(t *testing.T) (small, large seededProject) {
	t.Helper()
	alone := func(n int) seededProject {
		f := storetest.Setup(t)
		storetest.SeedMemberships(t, f.Conn(), f.Demo.ID, n)
		storetest.Seed(t, f.Conn(), f.Demo.ID, n)
		rollBackSome(f)
		storetest.SeedProjects(t, f.Conn(), n)
		f.MustExec("VACUUM ANALYZE")
		return seeded(f, f.Demo)
	}
	return alone(smallProject), alone(largeProject)
}

// rollBackSome rolls back every third rollout. The next release is the successor of its release.
func rollBackSome(f *storetest.Fixture) {
	f.T.Helper()
	f.MustExec(`UPDATE rollout_executions AS e SET status = 'rolled_back', started_at = '2025-12-31Z' FROM (
		SELECT id, row_number() OVER (PARTITION BY project_id ORDER BY id) AS n FROM rollout_executions) AS numbered
		WHERE e.id = numbered.id AND numbered.n % 3 = 0`)
	f.MustExec(`UPDATE releases AS r SET rolled_back_update_ids = jsonb_build_array(e.update_id) FROM (
		SELECT id, lag(id) OVER (PARTITION BY project_id ORDER BY id) AS older FROM releases WHERE deleted_at IS NULL) AS newer
		JOIN rollout_executions AS e ON e.update_id = newer.older AND e.status = 'rolled_back'
		WHERE r.id = newer.id`)
}
