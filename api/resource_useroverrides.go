package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// UserOverrides keeps the users who are sent to a branch of their own.
type UserOverrides interface {
	CreateUserOverride(
		ctx context.Context, projectID int64, actor models.Actor, n models.NewUserOverride,
	) (models.UserOverride, error)
	ListUserOverrides(ctx context.Context, projectID int64, page models.Page) ([]models.UserOverride, error)
	DeleteUserOverride(ctx context.Context, projectID int64, actor models.Actor, id int64) error
}

var listOverridesDoc = huma.Operation{
	OperationID: "listUserOverrides", Tags: []string{tagOverrides}, Summary: "List user overrides",
	Description: "Which users are sent where.",
}

var createOverrideDoc = huma.Operation{
	OperationID: "createUserOverride", Tags: []string{tagOverrides}, Summary: "Send a user to a branch",
	Description:   "Devices that name this user are served from the branch, whatever their channel says, unless it is paused or needs a newer app. A user has one override at the most.",
	DefaultStatus: http.StatusCreated, Errors: []int{http.StatusNotFound},
}

type createOverrideBody struct {
	UserID     string `json:"userId" doc:"As the app names its user in client-user-id."`
	BranchName string `json:"branchName" doc:"The branch that the user's devices get."`
	Note       string `json:"note,omitempty" doc:"Why, for those who come later."`
}

func (b createOverrideBody) model() models.NewUserOverride { return models.NewUserOverride(b) }

func (b createOverrideBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (createOverrideBody) example() any {
	return createOverrideBody{UserID: "user-42", BranchName: "next", Note: "tests the new checkout"}
}

var deleteOverrideDoc = huma.Operation{
	OperationID: "deleteUserOverride", Tags: []string{tagOverrides}, Summary: "Delete a user override",
	Description: "The user's devices go back to what their channel says.",
}
