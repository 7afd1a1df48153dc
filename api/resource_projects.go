package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

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

type projectHandlers struct{ projects Projects }

var listProjectsDoc = huma.Operation{
	OperationID: "listProjects", Tags: []string{tagProjects}, Summary: "List projects",
	Description: "Every project of the installation.",
}

func (h projectHandlers) list(ctx context.Context, in *listInput) (*List[Project], error) {
	return listed(ctx, in.PageQuery, projectRecord, func(p models.Page) ([]models.Project, error) {
		return h.projects.ListProjects(ctx, p)
	})
}

var createProjectDoc = huma.Operation{
	OperationID: "createProject", Tags: []string{tagProjects}, Summary: "Create a project",
	Description:   "A new project has the branches and channels production and staging. Create its first API key with the root key and the project's slug in X-Project.",
	DefaultStatus: http.StatusCreated,
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

func (createProjectBody) example() any { return createProjectBody{Name: "Demo", Slug: exampleSlug} }

func (h projectHandlers) create(ctx context.Context, in *bodyInput[createProjectBody]) (*output[Project], error) {
	p, err := h.projects.CreateProject(ctx, actorOf(ctx), in.Body.model())
	return &output[Project]{projectRecord(p)}, err
}

var deleteProjectDoc = huma.Operation{
	OperationID: "deleteProject", Tags: []string{tagProjects}, Summary: "Delete a project",
	Description: "Devices that ask for it get 404 and keep the update that they run.",
	Errors:      []int{http.StatusConflict},
}

type slugInput struct {
	Slug string `path:"slug" doc:"Slug or UUID of the project." example:"demo"`
}

func (h projectHandlers) delete(ctx context.Context, in *slugInput) (*struct{}, error) {
	return nil, h.projects.DeleteProject(ctx, actorOf(ctx), in.Slug)
}
