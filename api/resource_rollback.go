package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

var rollbackDoc = huma.Operation{
	OperationID: "rollBack", Tags: []string{tagUpdates}, Summary: "Roll back a channel",
	Description:   "For one platform and runtime version of the channel's branch. Publishes the release to return to again, or an instruction to return to the embedded update, for every device. Newer releases are disabled and their rollouts end as rolled_back. Answers the release that was published.",
	DefaultStatus: http.StatusCreated, Errors: []int{http.StatusNotFound},
}

type rollbackBody struct {
	RuntimeVersion     string          `json:"runtimeVersion" doc:"Only devices of this runtime version."`
	Platform           models.Platform `json:"platform" enum:"ios,android"`
	Channel            string          `json:"channel" doc:"The channel whose branch is rolled back."`
	RollbackToUpdateID *int64          `json:"rollbackToUpdateId,omitempty" minimum:"1" doc:"The release to go back to, on the channel's branch; the embedded bundle when absent."`
}

func (b rollbackBody) model() models.Rollback {
	return models.Rollback{
		Channel: b.Channel, Platform: b.Platform, RuntimeVersion: b.RuntimeVersion, ToUpdateID: b.RollbackToUpdateID,
	}
}

func (b rollbackBody) Resolve(huma.Context) []error { return bodyErrors(b.model().Validate()) }

func (rollbackBody) example() any {
	to := int64(16)
	return rollbackBody{RuntimeVersion: "1.4.0", Platform: models.IOS, Channel: "production", RollbackToUpdateID: &to}
}
