package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Publication contains the options for publishing an export.
type Publication struct {
	Dir       string
	Platforms []models.Platform
	Channel   string
	Upload    Upload
	// Message is the release notes; the message of the upload belongs to the build.
	Message    string
	IsCritical bool
	// Percentage of devices that get the release; nil means all, or what the
	// policy says.
	Percentage *float64
	// PolicyID rolls the releases out by a policy; 0 means none.
	PolicyID int64
	// LinkedFlags are fixed values of feature flags for devices that run the releases.
	LinkedFlags []FlagLink
}

// Publish uploads an export once for each platform and publishes the builds as one group. It publishes only after all uploads are
// complete, so if the export for one platform is invalid, neither platform is published. If the channel is protected, the error
// contains a PendingError for each platform.
func (w *Waft) Publish(ctx context.Context, p Publication) ([]Update, error) {
	exports := make([]Export, 0, len(p.Platforms))
	for _, platform := range p.Platforms {
		e, err := OpenExport(p.Dir, platform)
		if err != nil {
			return nil, err
		}
		exports = append(exports, e)
	}
	builds := make([]*Build, 0, len(exports))
	for _, e := range exports {
		b, err := w.UploadExport(ctx, e, p.Upload)
		if err != nil {
			return nil, err
		}
		builds = append(builds, b)
	}
	var group *uuid.UUID
	if len(builds) > 1 { // releases that wait for approvals form one group, too
		group = new(uuid.New())
	}
	updates := make([]Update, 0, len(builds))
	var pending []error
	for _, b := range builds {
		u, err := w.publishBuild(ctx, b, p, group)
		var waits *PendingError
		switch {
		case errors.As(err, &waits):
			pending = append(pending, err)
		case err != nil:
			return updates, fmt.Errorf("publishing build %d (%s): %w", b.ID, b.Platform, err)
		default:
			updates = append(updates, *u)
		}
	}
	return updates, errors.Join(pending...)
}

func (w *Waft) publishBuild(ctx context.Context, b *Build, p Publication, group *uuid.UUID) (*Update, error) {
	body := PublishBuildBody{Channel: p.Channel, RolloutPercentage: p.Percentage, GroupID: group}
	if p.Message != "" {
		body.ReleaseMessage = &p.Message
	}
	if p.IsCritical {
		body.IsCritical = &p.IsCritical
	}
	if p.PolicyID != 0 {
		body.RolloutPolicyID = &p.PolicyID
	}
	if len(p.LinkedFlags) > 0 {
		body.LinkedFlags = &p.LinkedFlags
	}
	res, err := w.PublishBuildWithResponse(ctx, b.ID, &PublishBuildParams{}, body)
	if err != nil {
		return nil, err
	}
	return expect(res.JSON201, res.HTTPResponse)
}
