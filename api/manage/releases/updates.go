package releases

import (
	"context"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Releases stores releases.
type Releases interface {
	ListReleases(
		ctx context.Context, projectID int64, filter models.ReleaseFilter, page models.Page,
	) ([]models.Release, error)
	Release(ctx context.Context, projectID, id int64) (models.Release, error)
	// UpdateID finds a release, even a deleted one, by its update ID.
	UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error)
	// ReleaseHistory returns the history of a release, even of a deleted one.
	ReleaseHistory(ctx context.Context, projectID, id int64, page models.HistoryPage) ([]models.AuditEntry, error)
}

var (
	listUpdatesDoc = rest.Doc(TagUpdates, "listUpdates", "List releases", "Returns the releases that match all given filters.")
	getUpdateDoc   = rest.Doc(TagUpdates, "getUpdate", "Get a release", "Returns the current state of the release.")
)

type listUpdatesInput struct {
	rest.ListQuery
	Channel        string             `query:"channel" doc:"Channel that the releases were published to."`
	Branch         string             `query:"branch" doc:"Branch of the releases."`
	Platform       models.Platform    `query:"platform" enum:"ios,android" doc:"Platform of the releases."`
	RuntimeVersion string             `query:"runtimeVersion" doc:"Runtime version of the releases."`
	GroupID        string             `query:"groupId" format:"uuid" doc:"groupId of the publish."`
	IsEnabled      string             `query:"isEnabled" enum:"true,false" doc:"Whether the releases are enabled."`
	Kind           models.ReleaseKind `query:"kind" enum:"update,rollback_to_embedded" doc:"Kind of the releases."`
	WholeGroups    bool               `query:"wholeGroups" doc:"Whether a page that would end within a group also has the rest of the group, up to 50 releases more than limit. Releases of a group are together in the default order."`
	FlagID         int64              `query:"flagId" minimum:"1" doc:"ID of a flag that the releases link."`
	OtherFilesThan int64              `query:"otherFilesThan" minimum:"1" doc:"ID of a release. The releases differ from it in a file or in the client configuration, so copies of it are left out."`
}

// maxGroupRest is the maximum number of releases by which a page with whole groups is longer.
const maxGroupRest = 50

func areOfOneGroup(a, b models.Release) bool { return a.GroupID == b.GroupID }

func (in listUpdatesInput) filter() models.ReleaseFilter {
	f := models.ReleaseFilter{
		Channel: in.Channel, Branch: in.Branch, Platform: in.Platform, RuntimeVersion: in.RuntimeVersion,
		GroupID: rest.ParsedUUID(in.GroupID), Kind: in.Kind, FlagID: in.FlagID, OtherFilesThan: in.OtherFilesThan,
	}
	if in.IsEnabled != "" {
		f.IsEnabled = new(in.IsEnabled == "true")
	}
	return f
}

func (h *Handlers) listUpdates(ctx context.Context, in *listUpdatesInput) (*rest.List[Update], error) {
	fetch := func(p models.Page) ([]models.Release, error) {
		return h.Releases.ListReleases(ctx, rest.ProjectOf(ctx), in.filter(), p)
	}
	more := 0
	if in.WholeGroups {
		more = maxGroupRest
	}
	return rest.ListedWhole(ctx, in.ListQuery, more, areOfOneGroup, UpdateRecord, fetch)
}

// UpdateIdentifier allows a path to identify a release by its updateUuid.
func UpdateIdentifier(releases interface {
	UpdateID(ctx context.Context, projectID int64, updateUUID uuid.UUID) (int64, error)
}) *rest.Identifier {
	return rest.ByUUID(updateParam, func(ctx context.Context, projectID int64, id uuid.UUID) (int64, error) {
		return releases.UpdateID(ctx, projectID, id)
	})
}

var updateParam = rest.IdentifierParam("ID or updateUuid of the release.", rest.UUID("").Schema(nil))
