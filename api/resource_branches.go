package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Branches keeps a project's streams of releases.
type Branches interface {
	CreateBranch(ctx context.Context, projectID int64, actor models.Actor, n models.NewBranch) (models.Branch, error)
	// ListBranches fills LatestUpdates.
	ListBranches(ctx context.Context, projectID int64, page models.Page) ([]models.Branch, error)
	DeleteBranch(ctx context.Context, projectID int64, actor models.Actor, name string) error
}

type branchHandlers struct{ branches Branches }

var listBranchesDoc = huma.Operation{
	OperationID: "listBranches", Tags: []string{tagBranches}, Summary: "List branches",
	Description: "With the newest release of each platform and runtime version.",
}

func (h branchHandlers) list(ctx context.Context, in *listInput) (*List[Branch], error) {
	return listed(ctx, in.PageQuery,
		func(p models.Page) ([]models.Branch, error) { return h.branches.ListBranches(ctx, projectOf(ctx), p) },
		func(b models.Branch) int64 { return b.ID }, branchRecord)
}

var createBranchDoc = huma.Operation{
	OperationID: "createBranch", Tags: []string{tagBranches}, Summary: "Create a branch",
	Description:   "Point a channel to it to have devices served from it.",
	DefaultStatus: http.StatusCreated, Errors: []int{http.StatusConflict},
}

type createBranchBody struct {
	Name string `json:"name" doc:"1 to 128 letters, digits or . _ / -, beginning with a letter or digit."`
}

func (b createBranchBody) model() models.NewBranch { return models.NewBranch(b) }

// Resolve adds the domain's checks to the schema's.
func (b createBranchBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createBranchBody) example() any { return createBranchBody{Name: "next"} }

type createBranchInput struct{ Body createBranchBody }

type branchOutput struct{ Body Branch }

func (h branchHandlers) create(ctx context.Context, in *createBranchInput) (*branchOutput, error) {
	b, err := h.branches.CreateBranch(ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
	return &branchOutput{branchRecord(b)}, err
}

var deleteBranchDoc = huma.Operation{
	OperationID: "deleteBranch", Tags: []string{tagBranches}, Summary: "Delete a branch",
	Description: "A branch that a channel points to is in_use.",
	Errors:      []int{http.StatusNotFound, http.StatusConflict},
}

// NamePath is the name of the record that a path names.
type NamePath struct {
	Name string `path:"name" doc:"Name of the record; write a slash in it as %2F." example:"next"`
}

type nameInput struct{ NamePath }

func (h branchHandlers) delete(ctx context.Context, in *nameInput) (*struct{}, error) {
	return nil, h.branches.DeleteBranch(ctx, projectOf(ctx), actorOf(ctx), in.Name)
}
