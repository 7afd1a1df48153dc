package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

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
	listProjectsDoc = doc(tagProjects, "listProjects", "List projects",
		"With the root key every project of the installation, with a project's key that project, with a session those of its user.")
	createProjectDoc = doc(tagProjects, "createProject", "Create a project",
		"A new project has the branches and channels production and staging. Create its first API key with the root "+
			"key and the project's slug in X-Project.",
		http.StatusCreated)
	deleteProjectDoc = sensitive(doc(tagProjects, "deleteProject", "Delete a project",
		"Devices that ask for it get 404 and keep the update that they run.", http.StatusConflict))
)

func (h *ProjectHandlers) listProjects(ctx context.Context, in *listInput) (*List[Project], error) {
	return listed(ctx, in.PageQuery, projectRecord, func(p models.Page) ([]models.Project, error) {
		if person := callOf(ctx).caller.person; person != nil {
			return h.UserProjects.ListUserProjects(ctx, person.user.ID, p)
		}
		return h.Gate.keyProjects(ctx, p)
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

func (h *ProjectHandlers) createProject(ctx context.Context, in *bodyInput[createProjectBody]) (*output[Project], error) {
	p, err := h.Projects.CreateProject(ctx, actorOf(ctx), in.Body.model())
	return &output[Project]{projectRecord(p)}, err
}

type slugInput struct {
	Slug string `path:"slug" doc:"Slug or UUID of the project." example:"demo"`
}

func (h *ProjectHandlers) deleteProject(ctx context.Context, in *slugInput) (*struct{}, error) {
	return nil, h.Projects.DeleteProject(ctx, actorOf(ctx), in.Slug)
}

// What the document's examples are made of.

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

func (r Project) recordID() int64 { return r.ID }
