package access

import (
	"context"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// KeyProjects returns the projects of the request's key: the key's own project, or all projects for the root key.
func (g *Gate) KeyProjects(ctx context.Context, page models.Page) ([]models.Project, error) {
	who := rest.CallOf(ctx).Caller
	if who.Root {
		return g.Projects.ListProjects(ctx, page)
	}
	p, err := g.Projects.ProjectByID(ctx, who.Key.ProjectID)
	if page.Counts() {
		page.Found.Total = new(int64(1))
	}
	if err != nil || page.Before > 0 && p.ID >= page.Before {
		return nil, err
	}
	return []models.Project{p}, nil
}

// Projects finds the projects of keys.
type Projects interface {
	ListProjects(ctx context.Context, page models.Page) ([]models.Project, error)
	ProjectByID(ctx context.Context, id int64) (models.Project, error)
	// Project finds a project by its slug or UUID, or returns not_found.
	Project(ctx context.Context, slugOrUUID string) (models.Project, error)
}
