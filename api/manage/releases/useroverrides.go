package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// UserOverrides stores user overrides.
type UserOverrides interface {
	ListUserOverrides(ctx context.Context, projectID int64, page models.Page) ([]models.UserOverride, error)
}

var (
	listOverridesDoc = rest.Doc(tagOverrides, "listUserOverrides", "List user overrides",
		"Each user override with its branch.")
	createOverrideDoc = rest.Doc(tagOverrides, "createUserOverride", "Create a user override",
		"Devices that report this user are served from the override's branch instead of their channel's branch, unless the "+
			"channel is paused or requires a newer app. A user has at most one override.",
		http.StatusCreated, http.StatusNotFound)
	deleteOverrideDoc = rest.Doc(tagOverrides, "deleteUserOverride", "Delete a user override",
		"The user's devices are served from their channel again.")
)

type createOverrideBody struct {
	UserID     string `json:"userId" doc:"User ID that the app sends as client-user-id."`
	BranchName string `json:"branchName" doc:"Name of the branch that the user's devices get."`
	Note       string `json:"note,omitempty" doc:"Reason for the override."`
}

func (b createOverrideBody) Model() models.NewUserOverride { return models.NewUserOverride(b) }
func (b createOverrideBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(b.Model().Validate())
}

func (createOverrideBody) Example() any {
	return createOverrideBody{UserID: "user-42", BranchName: "next", Note: "tests the new checkout"}
}

// UserOverride assigns one user's devices to a branch.
type UserOverride struct {
	ID         int64     `json:"id"`
	UserID     string    `json:"userId" doc:"User ID that the app sends as client-user-id."`
	BranchName string    `json:"branchName" doc:"Name of the branch that the user's devices get."`
	Note       string    `json:"note"`
	CreatedAt  rest.Time `json:"createdAt"`
}

// OverrideRecord returns the API's representation of a user override.
func OverrideRecord(o models.UserOverride) UserOverride {
	return UserOverride{ID: o.ID, UserID: o.UserID, BranchName: o.BranchName, Note: o.Note, CreatedAt: rest.Time{Time: o.CreatedAt}}
}

func (UserOverride) Example() any {
	return UserOverride{ID: 33, UserID: "user-42", BranchName: "next", Note: "tests the new checkout", CreatedAt: rest.ExampleTime}
}

func (r UserOverride) RecordID() int64 { return r.ID }
