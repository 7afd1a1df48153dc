package project

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Projects stores projects.
type Projects interface {
	CreateProject(ctx context.Context, actor models.Actor, n models.NewProject) (models.Project, error)
	DeleteProject(ctx context.Context, actor models.Actor, slugOrUUID string) error
}

// UserProjects lists the projects of people.
type UserProjects interface {
	ListUserProjects(ctx context.Context, userID int64, page models.Page) ([]models.Project, error)
}

var (
	listProjectsDoc = rest.Doc(tagProjects, "listProjects", "List projects",
		"Returns every project for the root key, the key's project for an API key, and the user's projects for a session.")
	createProjectDoc = rest.Doc(tagProjects, "createProject", "Create a project",
		"A new project has the branches and channels production and staging. To create its first API key, use the root key "+
			"and set X-Project to the project's slug.",
		http.StatusCreated)
	deleteProjectDoc = access.Sensitive(rest.Doc(tagProjects, "deleteProject", "Delete a project",
		"Devices of the project then get 404 and keep the update that they run.", http.StatusConflict))
)

func (h *Handlers) listProjects(ctx context.Context, in *rest.ListInput) (*rest.List[Project], error) {
	return rest.Listed(ctx, in.ListQuery, projectRecord, func(p models.Page) ([]models.Project, error) {
		if person := rest.CallOf(ctx).Caller.Person; person != nil {
			return h.UserProjects.ListUserProjects(ctx, person.User.ID, p)
		}
		return h.Gate.KeyProjects(ctx, p)
	})
}

type createProjectBody struct {
	Name string `json:"name" doc:"Display name of the project."`
	Slug string `json:"slug,omitempty" doc:"Name in URLs: lower-case letters, digits and hyphens. Derived from the display name by default."`
}

func (b createProjectBody) Model() models.NewProject {
	n := models.NewProject(b)
	n.Normalize()
	return n
}

func (b createProjectBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate())
}
func (createProjectBody) Example() any {
	return createProjectBody{Name: "Demo", Slug: rest.ExampleSlug}
}

func (h *Handlers) createProject(ctx context.Context, in *rest.BodyInput[createProjectBody]) (*rest.Output[Project], error) {
	p, err := h.Projects.CreateProject(ctx, rest.ActorOf(ctx), in.Body.Model())
	return &rest.Output[Project]{Body: projectRecord(p)}, err
}

type slugInput struct {
	Slug string `path:"slug" doc:"Slug or UUID of the project." example:"demo"`
}

func (h *Handlers) deleteProject(ctx context.Context, in *slugInput) (*struct{}, error) {
	return nil, h.Projects.DeleteProject(ctx, rest.ActorOf(ctx), in.Slug)
}

// Values for the examples in the OpenAPI document.

// Project is a tenant. All other records belong to exactly one project.
type Project struct {
	ID        int64     `json:"id" doc:"Project ID, unique across the whole installation."`
	UUID      uuid.UUID `json:"uuid" format:"uuid" doc:"UUID of the project, accepted wherever the slug is."`
	Name      string    `json:"name" doc:"Display name of the project."`
	Slug      string    `json:"slug" doc:"Name in URLs and in X-Project."`
	CreatedAt rest.Time `json:"createdAt"`
}

func projectRecord(p models.Project) Project {
	return Project{ID: p.ID, UUID: p.UUID, Name: p.Name, Slug: p.Slug, CreatedAt: rest.Time{Time: p.CreatedAt}}
}

func (Project) Example() any {
	return Project{ID: 1, UUID: uuid.MustParse(rest.ExampleUUID), Name: "Demo", Slug: rest.ExampleSlug, CreatedAt: rest.ExampleTime}
}

func (r Project) RecordID() int64 { return r.ID }
