package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// UserOverrides stores user overrides.
type UserOverrides interface {
	ListUserOverrides(ctx context.Context, projectID int64, page models.Page) ([]models.UserOverride, error)
	UserOverride(ctx context.Context, projectID, id int64) (models.UserOverride, error)
}

var (
	listOverridesDoc = rest.Doc(TagOverrides, "listUserOverrides", "List user overrides",
		"Each user override with its branch.")
	CreateOverrideDoc = rest.Doc(TagOverrides, "createUserOverride", "Create a user override",
		"Devices that report this user are served from the override's branch instead of their channel's branch, unless the "+
			"channel is paused or requires a newer app. A user has at most one override.",
		http.StatusCreated, http.StatusNotFound)
	DeleteOverrideDoc = rest.Doc(TagOverrides, "deleteUserOverride", "Delete a user override",
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

// RehearseOverride creates an override for a preview, and returns it.
func (h *Handlers) RehearseOverride(ctx context.Context, in *rest.BodyInput[createOverrideBody]) (models.UserOverride, error) {
	return operations.Do(ctx, h.Operations, operations.CreateUserOverride, rest.AuthorOf(ctx), in.Body.Model())
}

// RehearseOverrideDeletion deletes an override for a preview, and returns it as it was.
func (h *Handlers) RehearseOverrideDeletion(ctx context.Context, in *rest.IDInput) (o models.UserOverride, err error) {
	if o, err = h.UserOverrides.UserOverride(ctx, rest.ProjectOf(ctx), in.ID); err != nil {
		return o, err
	}
	_, err = operations.Do(ctx, h.Operations, operations.DeleteUserOverride, rest.AuthorOf(ctx), operations.Record{ID: in.ID})
	return o, err
}
