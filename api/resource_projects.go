package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Projects stores projects.
type Projects interface {
	CreateProject(ctx context.Context, actor models.Actor, n models.NewProject) (models.Project, error)
	ListProjects(ctx context.Context, page models.Page) ([]models.Project, error)
	DeleteProject(ctx context.Context, actor models.Actor, slugOrUUID string) error
	// Project finds a project by its slug or UUID, or answers not_found.
	Project(ctx context.Context, slugOrUUID string) (models.Project, error)
}

var (
	listProjectsDoc = doc(tagProjects, "listProjects", "List projects",
		"Every project of the installation to the root key; to a project's key its own.")
	createProjectDoc = doc(tagProjects, "createProject", "Create a project",
		"A new project has the branches and channels production and staging. Create its first API key with the root "+
			"key and the project's slug in X-Project.",
		http.StatusCreated)
	deleteProjectDoc = doc(tagProjects, "deleteProject", "Delete a project",
		"Devices that ask for it get 404 and keep the update that they run.", http.StatusConflict)
)

func (h *handlers) listProjects(ctx context.Context, in *listInput) (*List[Project], error) {
	return listed(ctx, in.PageQuery, projectRecord, func(p models.Page) ([]models.Project, error) {
		if who := callOf(ctx).caller; !who.root {
			s, ok := h.Snapshots.ProjectByID(who.keyProject)
			switch {
			case !ok:
				return nil, models.Unavailable("the project's snapshot", nil)
			case p.Before > 0 && s.Project().ID >= p.Before:
				return nil, nil
			}
			return []models.Project{s.Project()}, nil
		}
		return h.Projects.ListProjects(ctx, p)
	})
}

type createProjectBody struct {
	Name string `json:"name" doc:"Display name."`
	Slug string `json:"slug,omitempty" doc:"Name in URLs: lower-case letters, digits and hyphens. Made from the name when absent."`
}

func (b createProjectBody) model() models.NewProject {
	n := models.NewProject(b)
	n.Normalize()
	return n
}

func (b createProjectBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }
func (createProjectBody) example() any                   { return createProjectBody{Name: "Demo", Slug: exampleSlug} }

func (h *handlers) createProject(ctx context.Context, in *bodyInput[createProjectBody]) (*output[Project], error) {
	p, err := h.Projects.CreateProject(ctx, actorOf(ctx), in.Body.model())
	return &output[Project]{projectRecord(p)}, err
}

type slugInput struct {
	Slug string `path:"slug" doc:"Slug or UUID of the project." example:"demo"`
}

func (h *handlers) deleteProject(ctx context.Context, in *slugInput) (*struct{}, error) {
	return nil, h.Projects.DeleteProject(ctx, actorOf(ctx), in.Slug)
}

// What the document's examples are made of.
const (
	exampleSlug = "demo"
	exampleUUID = "8f14e45f-ceea-467f-9e0c-0f6c5f0e6b1a"
	exampleMD5  = "9e107d9d372bb6826bd81d3542a419d6"
)

var exampleTime = Time{time.Date(2026, 3, 14, 9, 26, 53, 589e6, time.UTC)}

// Project is a tenant: everything else belongs to exactly one.
type Project struct {
	ID        int64     `json:"id" doc:"Number, unique over the whole installation."`
	UUID      uuid.UUID `json:"uuid" format:"uuid" doc:"Works wherever the slug does."`
	Name      string    `json:"name" doc:"Display name."`
	Slug      string    `json:"slug" doc:"Name in URLs and in X-Project."`
	CreatedAt Time      `json:"createdAt"`
}

func projectRecord(p models.Project) Project {
	return Project{ID: p.ID, UUID: p.UUID, Name: p.Name, Slug: p.Slug, CreatedAt: Time{p.CreatedAt}}
}

func (Project) example() any {
	return Project{ID: 1, UUID: uuid.MustParse(exampleUUID), Name: "Demo", Slug: exampleSlug, CreatedAt: exampleTime}
}
