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
	prepared, err := p.Prepare(ctx)
	if err != nil {
		return nil, err
	}
	return w.PublishPrepared(ctx, prepared, nil)
}

// PublishPrepared publishes like Publish. With an attempt that is not nil, it can be interrupted and run again.
func (w *Waft) PublishPrepared(ctx context.Context, p *Prepared, a *Attempt) ([]Update, error) {
	continues := a.continues()
	if err := w.CheckPrepared(ctx, p); err != nil {
		return nil, err
	}
	files := p.files
	p.files = nil // another run asks again
	if err := w.sendMissing(ctx, files, p.Upload, a); err != nil {
		return nil, fmt.Errorf("uploading %s: %w", p.Dir, err)
	}
	var made map[models.Platform]Update
	if continues {
		var err error
		if made, err = w.findReleases(ctx, a); err != nil {
			return nil, err
		}
	}
	builds := map[models.Platform]*Build{}
	for _, e := range p.exports {
		if _, published := made[e.Platform]; published {
			continue
		}
		b, err := w.buildOnce(ctx, e, p.Upload, a, continues)
		if err != nil {
			return nil, fmt.Errorf("uploading %s for %s: %w", p.Dir, e.Platform, err)
		}
		builds[e.Platform] = b
	}
	var group *uuid.UUID // releases that wait for approvals form one group, too
	switch {
	case a != nil:
		group = &a.Group
	case len(builds) > 1:
		group = new(uuid.New())
	}
	updates := make([]Update, 0, len(p.exports))
	var pending []error
	for _, e := range p.exports {
		if u, published := made[e.Platform]; published {
			updates = append(updates, u)
			continue
		}
		b := builds[e.Platform]
		u, err := w.publishBuild(ctx, b, p.Publication, group, a.key("publish", e.Platform))
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

// CheckPrepared asks the server which files of a publication it does not have. PublishPrepared does the same, unless CheckPrepared has
// just done it. A caller that does not know everything about the publication yet saves time with it.
func (w *Waft) CheckPrepared(ctx context.Context, p *Prepared) (err error) {
	if p.files != nil {
		return nil
	}
	if p.files, err = w.checkFiles(ctx, p.exports); err != nil {
		return fmt.Errorf("uploading %s: %w", p.Dir, err)
	}
	return nil
}

// buildOnce creates a build of the export, unless an earlier run of the attempt has created it.
func (w *Waft) buildOnce(ctx context.Context, e preparedExport, u Upload, a *Attempt, continues bool) (*Build, error) {
	if continues {
		if b, err := w.findBuild(ctx, e, u, a); b != nil || err != nil {
			return b, err
		}
	}
	return w.createBuild(ctx, e, u, a.key("build", e.Platform))
}

func (w *Waft) publishBuild(ctx context.Context, b *Build, p Publication, group *uuid.UUID, key *string) (*Update, error) {
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
	res, err := w.PublishBuildWithResponse(ctx, b.ID, &PublishBuildParams{IdempotencyKey: key}, body)
	if err != nil {
		return nil, err
	}
	return expect(res.JSON201, res.HTTPResponse)
}
