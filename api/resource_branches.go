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

var (
	listBranchesDoc = doc(tagBranches, "listBranches", "List branches",
		"Each branch with its newest release of each platform and runtime version.")
	createBranchDoc = doc(tagBranches, "createBranch", "Create a branch",
		"Devices are served from it once a channel points to it.", http.StatusCreated)
	deleteBranchDoc = doc(tagBranches, "deleteBranch", "Delete a branch",
		"A branch that a channel points to cannot be deleted (in_use).", http.StatusConflict)
)

type createBranchBody struct {
	Name string `json:"name" doc:"1 to 128 letters, digits or . _ / -, beginning with a letter or digit."`
}

func (b createBranchBody) model() models.NewBranch      { return models.NewBranch(b) }
func (b createBranchBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }
func (createBranchBody) example() any                   { return createBranchBody{Name: "next"} }

// Branch is a named, ordered list of releases.
type Branch struct {
	ID            int64    `json:"id"`
	Name          string   `json:"name"`
	CreatedAt     Time     `json:"createdAt"`
	LatestUpdates []Update `json:"latestUpdates" doc:"The newest release of each platform and runtime version."`
}

func branchRecord(b models.Branch) Branch {
	return Branch{ID: b.ID, Name: b.Name, CreatedAt: Time{b.CreatedAt}, LatestUpdates: rendered(b.LatestUpdates, updateRecord)}
}

func (Branch) example() any {
	return Branch{ID: 5, Name: "production", CreatedAt: exampleTime, LatestUpdates: []Update{Update{}.example().(Update)}}
}

func (r Branch) recordID() int64 { return r.ID }
