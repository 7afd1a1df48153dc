package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Branches stores a project's branches.
type Branches interface {
	CreateBranch(ctx context.Context, projectID int64, actor models.Actor, n models.NewBranch) (models.Branch, error)
	// ListBranches also fills in LatestUpdates and Channels.
	ListBranches(ctx context.Context, projectID int64, page models.Page) ([]models.Branch, error)
	DeleteBranch(ctx context.Context, projectID int64, actor models.Actor, name string) error
}

var (
	listBranchesDoc = rest.Doc(tagBranches, "listBranches", "List branches",
		"Each branch with its newest release for each platform and runtime version, and its channels.")
	createBranchDoc = rest.Doc(tagBranches, "createBranch", "Create a branch",
		"Devices are served from the branch as soon as a channel points to it.", http.StatusCreated)
	deleteBranchDoc = rest.Doc(tagBranches, "deleteBranch", "Delete a branch",
		"A branch cannot be deleted while a channel points to it (in_use).", http.StatusConflict)
)

type createBranchBody struct {
	Name string `json:"name" doc:"Name: 1 to 128 letters, digits or . _ / -, beginning with a letter or digit."`
}

func (b createBranchBody) Model() models.NewBranch      { return models.NewBranch(b) }
func (b createBranchBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }
func (createBranchBody) Example() any                   { return createBranchBody{Name: "next"} }

// Branch is a named, ordered list of releases.
type Branch struct {
	ID            int64     `json:"id"`
	Name          string    `json:"name"`
	CreatedAt     rest.Time `json:"createdAt"`
	LatestUpdates []Update  `json:"latestUpdates" doc:"Newest release for each platform and runtime version."`
	Channels      []string  `json:"channels" doc:"Names of the channels that point to the branch or roll it out."`
}

// BranchRecord returns the API's representation of a branch.
func BranchRecord(b models.Branch) Branch {
	return Branch{
		ID: b.ID, Name: b.Name, CreatedAt: rest.Time{Time: b.CreatedAt}, LatestUpdates: rest.Rendered(b.LatestUpdates, UpdateRecord),
		Channels: append([]string{}, b.Channels...),
	}
}

func (Branch) Example() any {
	return Branch{
		ID: 5, Name: "production", CreatedAt: rest.ExampleTime, LatestUpdates: []Update{Update{}.Example().(Update)},
		Channels: []string{"production"},
	}
}

func (r Branch) RecordID() int64 { return r.ID }
