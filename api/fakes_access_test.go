package api

import (
	"context"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// fakeKeys is a Keys. A function that is not set stands for an empty, valid answer.
type fakeKeys struct {
	findKey func(prefix string) (models.APIKey, error)
	keys    map[string]models.APIKey // by prefix

	mu      sync.Mutex // streams touch their keys while others are opened
	touched []int64
}

func (f *fakeKeys) APIKeyByPrefix(_ context.Context, prefix string) (models.APIKey, error) {
	if f.findKey != nil {
		return f.findKey(prefix)
	}
	if k, ok := f.keys[prefix]; ok {
		return k, nil
	}
	return models.APIKey{}, models.Errorf(models.CodeNotFound, "no such key")
}

func (f *fakeKeys) RecentAPIKey(ctx context.Context, prefix string) (models.APIKey, error) {
	return f.APIKeyByPrefix(ctx, prefix)
}

func (f *fakeKeys) APIKey(_ context.Context, _, id int64) (models.APIKey, error) {
	for _, k := range f.keys {
		if k.ID == id {
			return k, nil
		}
	}
	return models.APIKey{}, models.Errorf(models.CodeNotFound, "no such key")
}

func (f *fakeKeys) TouchAPIKey(_ context.Context, id int64, _ time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.touched = append(f.touched, id)
	return nil
}

// fakeAPIKeys is an APIKeys. A function that is not set stands for an empty, valid answer.
type fakeAPIKeys struct {
	createAPIKey func(models.NewAPIKey, models.APIKeyToken) (models.APIKey, error)
}

func (f *fakeAPIKeys) CreateAPIKey(
	_ context.Context, _ int64, _ models.Actor, n models.NewAPIKey, t models.APIKeyToken,
) (models.APIKey, error) {
	if f.createAPIKey != nil {
		return f.createAPIKey(n, t)
	}
	return models.APIKey{}, nil
}

func (f *fakeAPIKeys) ListAPIKeys(context.Context, int64, models.APIKeyFilter, models.Page) ([]models.APIKey, error) {
	return nil, nil
}

func (f *fakeAPIKeys) RevokeAPIKey(context.Context, int64, models.Actor, int64) error { return nil }

// fakeProjects is a Projects. A function that is not set stands for an empty, valid answer.
type fakeProjects struct {
	findProject     func(slug string) (models.Project, error)
	createProject   func(models.Actor, models.NewProject) (models.Project, error)
	deletedProjects []string
}

func (f *fakeProjects) Project(_ context.Context, slug string) (models.Project, error) {
	if f.findProject != nil {
		return f.findProject(slug)
	}
	for _, p := range []models.Project{demo, other} {
		if slug == p.Slug || slug == p.UUID.String() {
			return p, nil
		}
	}
	return models.Project{}, models.Errorf(models.CodeNotFound, "there is no project %q", slug)
}

func (f *fakeProjects) ProjectByID(_ context.Context, id int64) (models.Project, error) {
	for _, p := range []models.Project{demo, other} {
		if p.ID == id {
			return p, nil
		}
	}
	return models.Project{}, models.Errorf(models.CodeNotFound, "there is no project %d", id)
}

func (f *fakeProjects) CreateProject(_ context.Context, actor models.Actor, n models.NewProject) (models.Project, error) {
	if f.createProject != nil {
		return f.createProject(actor, n)
	}
	return demo, nil
}

func (f *fakeProjects) ListProjects(context.Context, models.Page) ([]models.Project, error) {
	return nil, nil
}

func (f *fakeProjects) DeleteProject(_ context.Context, _ models.Actor, slug string) error {
	f.deletedProjects = append(f.deletedProjects, slug)
	return nil
}
