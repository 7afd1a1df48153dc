package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// UserOverrides stores user overrides.
type UserOverrides interface {
	CreateUserOverride(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewUserOverride,
	) (models.UserOverride, error)
	ListUserOverrides(ctx context.Context, projectID int64, page models.Page) ([]models.UserOverride, error)
	DeleteUserOverride(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

var listOverridesDoc = huma.Operation{
	OperationID: "listUserOverrides", Tags: []string{tagOverrides}, Summary: "List user overrides",
	Description: "Each user override with its branch.",
}

var createOverrideDoc = huma.Operation{
	OperationID: "createUserOverride", Tags: []string{tagOverrides}, Summary: "Create a user override",
	Description:   "Devices that name this user are served from the branch, not from the one of their channel, unless that channel is paused or requires a newer app. A user has at most one override.",
	DefaultStatus: http.StatusCreated, Errors: []int{http.StatusNotFound},
}

type createOverrideBody struct {
	UserID     string `json:"userId" doc:"As the app names its user in client-user-id."`
	BranchName string `json:"branchName" doc:"The branch that the user's devices get."`
	Note       string `json:"note,omitempty" doc:"Why the override exists."`
}

func (b createOverrideBody) model() models.NewUserOverride { return models.NewUserOverride(b) }

func (b createOverrideBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createOverrideBody) example() any {
	return createOverrideBody{UserID: "user-42", BranchName: "next", Note: "tests the new checkout"}
}

var deleteOverrideDoc = huma.Operation{
	OperationID: "deleteUserOverride", Tags: []string{tagOverrides}, Summary: "Delete a user override",
	Description: "The user's devices are served from their channel again.",
}
