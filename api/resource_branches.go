package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Branches stores a project's branches.
type Branches interface {
	CreateBranch(ctx context.Context, projectID int64, actor models.Actor, n models.NewBranch) (models.Branch, error)
	// ListBranches fills LatestUpdates.
	ListBranches(ctx context.Context, projectID int64, page models.Page) ([]models.Branch, error)
	DeleteBranch(ctx context.Context, projectID int64, actor models.Actor, name string) error
}

var listBranchesDoc = huma.Operation{
	OperationID: "listBranches", Tags: []string{tagBranches}, Summary: "List branches",
	Description: "Each branch with its newest release of each platform and runtime version.",
}

var createBranchDoc = huma.Operation{
	OperationID: "createBranch", Tags: []string{tagBranches}, Summary: "Create a branch",
	Description:   "Devices are served from it once a channel points to it.",
	DefaultStatus: http.StatusCreated,
}

type createBranchBody struct {
	Name string `json:"name" doc:"1 to 128 letters, digits or . _ / -, beginning with a letter or digit."`
}

func (b createBranchBody) model() models.NewBranch { return models.NewBranch(b) }

func (b createBranchBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createBranchBody) example() any { return createBranchBody{Name: "next"} }

var deleteBranchDoc = huma.Operation{
	OperationID: "deleteBranch", Tags: []string{tagBranches}, Summary: "Delete a branch",
	Description: "A branch that a channel points to cannot be deleted (in_use).",
	Errors:      []int{http.StatusConflict},
}
