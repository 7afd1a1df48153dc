package store_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

// Sizes of the projects that listings are compared over.
const (
	smallProject = 150
	largeProject = 7_000
)

// seededProject is a project to list, with what its lists ask of Postgres.
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

// seededAmongOthers are a small project and a large one, in a database with a third
// that is as large and all of whose records are newer: a list that walks ids without
// regard to the project walks over all of those.
func seededAmongOthers(t *testing.T) (small, large seededProject) {
	t.Helper()
	f := storetest.Setup(t)
	few, many, noise := f.NewProject("small"), f.NewProject("large"), f.NewProject("noise")
	sizes := []int{smallProject, largeProject, largeProject}
	for i, project := range []models.Project{few, many, noise} {
		storetest.SeedMemberships(t, f.Conn(), project.ID, sizes[i])
		storetest.Seed(t, f.Conn(), project.ID, sizes[i])
	}
	storetest.SeedProjects(t, f.Conn(), largeProject)
	f.MustExec("VACUUM ANALYZE")
	return seeded(f, few), seeded(f, many)
}

// seededAlone are a small project and a large one, each in a database of its own:
// there Postgres holds that every record belongs to whatever is asked for, so that
// any index in the order of the ids seems to do.
func seededAlone(t *testing.T) (small, large seededProject) {
	t.Helper()
	alone := func(n int) seededProject {
		f := storetest.Setup(t)
		storetest.SeedMemberships(t, f.Conn(), f.Demo.ID, n)
		storetest.Seed(t, f.Conn(), f.Demo.ID, n)
		storetest.SeedProjects(t, f.Conn(), n)
		f.MustExec("VACUUM ANALYZE")
		return seeded(f, f.Demo)
	}
	return alone(smallProject), alone(largeProject)
}
