package releases

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var RollbackDoc = rest.Doc(TagUpdates, "rollBack", "Roll back a channel",
	"Rolls back one platform and runtime version of the channel's branch. Publishes again, for every device, the release to "+
		"return to, or an instruction to return to the embedded update. Newer releases are disabled and their rollouts end as "+
		"rolled_back. others rolls back further platforms in the same transaction. Returns the release that was published; those "+
		"for others share its groupId. If a release to return to is disabled, the call is refused with goal_disabled unless "+
		"allowDisabled is true.",
	http.StatusCreated, http.StatusNotFound, http.StatusConflict)

type rollbackBody struct {
	RuntimeVersion     string          `json:"runtimeVersion" doc:"Runtime version of the devices to roll back."`
	Platform           models.Platform `json:"platform" enum:"ios,android"`
	Channel            string          `json:"channel" doc:"Name of the channel whose branch is rolled back."`
	RollbackToUpdateID *int64          `json:"rollbackToUpdateId,omitempty" minimum:"1" doc:"ID of the release to return to, on the channel's branch; the embedded update by default."`
	Others             []RollbackPart  `json:"others,omitempty" maxItems:"19" doc:"Further platforms and runtime versions of the channel to roll back in the same transaction."`
	AllowDisabled      bool            `json:"allowDisabled,omitempty" doc:"Whether to return even to a release that is disabled."`
	Reason             string          `json:"reason,omitempty" maxLength:"1024" doc:"Reason, shown in the history of the releases and the audit log."`
}

// RollbackPart is the rollback of a further platform or runtime version.
type RollbackPart struct {
	RuntimeVersion     string          `json:"runtimeVersion" doc:"Runtime version of the devices to roll back."`
	Platform           models.Platform `json:"platform" enum:"ios,android"`
	RollbackToUpdateID *int64          `json:"rollbackToUpdateId,omitempty" minimum:"1" doc:"ID of the release to return to, on the channel's branch; the embedded update by default."`
}

func (b rollbackBody) Model() models.Rollback {
	r := models.Rollback{
		Channel: b.Channel, Platform: b.Platform, RuntimeVersion: b.RuntimeVersion, ToUpdateID: b.RollbackToUpdateID,
		AllowDisabled: b.AllowDisabled, Reason: b.Reason,
	}
	for _, o := range b.Others {
		r.Others = append(r.Others, models.RollbackPart{Platform: o.Platform, RuntimeVersion: o.RuntimeVersion, ToUpdateID: o.RollbackToUpdateID})
	}
	return r
}

func (b rollbackBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (rollbackBody) Example() any {
	return rollbackBody{
		RuntimeVersion: "1.4.0", Platform: models.IOS, Channel: "production", RollbackToUpdateID: new(int64(16)),
		Others: []RollbackPart{{RuntimeVersion: "1.4.0", Platform: models.Android, RollbackToUpdateID: new(int64(18))}},
		Reason: "the checkout crashes",
	}
}

// RollBack publishes the release to return to.
func (h *Handlers) RollBack(ctx context.Context, in *rest.BodyInput[rollbackBody]) (*rest.Output[Update], error) {
	r, err := operations.Do(ctx, h.Operations, operations.RollBackChannel, rest.AuthorOf(ctx), in.Body.Model())
	return &rest.Output[Update]{Body: UpdateRecord(r)}, err
}
