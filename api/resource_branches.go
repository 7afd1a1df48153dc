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

var listBranchesDoc = huma.Operation{
	OperationID: "listBranches", Tags: []string{tagBranches}, Summary: "List branches",
	Description: "With the newest release of each platform and runtime version.",
}

var createBranchDoc = huma.Operation{
	OperationID: "createBranch", Tags: []string{tagBranches}, Summary: "Create a branch",
	Description:   "Point a channel to it to have devices served from it.",
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
	Description: "A branch that a channel points to is in_use.",
	Errors:      []int{http.StatusConflict},
}
