package rollouts

import (
	"context"
	"net/http"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/preview"
	"github.com/waft-ota/waft/models"
)

var (
	previewCreateOverrideDoc = previewDoc(releases.CreateOverrideDoc, releases.TagOverrides, "previewCreateUserOverride",
		"Preview a user override", http.StatusNotFound)
	previewDeleteOverrideDoc = previewDoc(releases.DeleteOverrideDoc, releases.TagOverrides, "previewDeleteUserOverride",
		"Preview the deletion of a user override")
)

// newestOfBranch is the number of a branch's newest releases that the preview of an override reads, to find what devices get.
const newestOfBranch = 100

// overridePreviewRoutes returns the routes of the previews of calls about user overrides. devicesAffected is null, because Waft does not
// know the devices of a user.
func (h *Handlers) overridePreviewRoutes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodPost, Path: "/v1/ota/user-overrides/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewCreateOverrideDoc, previewingOverride(h, h.Releases.RehearseOverride, h.newOverrideWarnings)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/user-overrides/{id}/delete/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewDeleteOverrideDoc, previewingOverride(h, h.Releases.RehearseOverrideDeletion,
				func(_ context.Context, o models.UserOverride) ([]string, error) {
					return preview.EndOfOverrideWarnings(o), nil
				})),
		},
	}
}

// previewingOverride returns the handler that runs a call about an override and undoes it. say returns sentences about the effect.
func previewingOverride[I any](
	h *Handlers, call func(context.Context, *I) (models.UserOverride, error), say func(context.Context, models.UserOverride) ([]string, error),
) rest.Handler[I, rest.Output[ChangePreview]] {
	return func(ctx context.Context, in *I) (*rest.Output[ChangePreview], error) {
		var said []string
		c, err := h.RunPreview(ctx, func(ctx context.Context) error {
			o, err := call(ctx, in)
			if err != nil {
				return err
			}
			said, err = say(ctx, o)
			return err
		})
		if err != nil {
			return nil, err
		}
		record := EmptyPreview(c)
		record.Warnings = append(record.Warnings, said...)
		return &rest.Output[ChangePreview]{Body: record}, nil
	}
}

func (h *Handlers) newOverrideWarnings(ctx context.Context, o models.UserOverride) ([]string, error) {
	found, err := h.Releases.Releases.ListReleases(ctx, rest.ProjectOf(ctx),
		models.ReleaseFilter{Branch: o.BranchName, IsEnabled: new(true)}, models.Page{Limit: newestOfBranch})
	return preview.NewOverrideWarnings(o, found), err
}
