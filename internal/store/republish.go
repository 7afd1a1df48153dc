package store

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Republish publishes a release once more, for every device, with the other platforms of
// its group: to the channels given, else to where it is. All that it publishes shares a
// new group. Of channels that point to one branch the first is published to; devices of
// the others get the same releases.
func (s *Store) Republish(
	ctx context.Context, projectID int64, actor models.Actor, id int64, n models.Republish,
) (models.Republished, error) {
	return apply(ctx, s.change, projectID, actor, n, func(c *change) (models.Republished, error) {
		out := models.Republished{GroupID: uuid.New(), Updates: []models.Release{}}
		original, err := liveRelease(c.tx, projectID, id)
		if err != nil {
			return out, err
		}
		group, err := groupOf(c.tx, original)
		if err != nil {
			return out, err
		}
		targets, err := republishTargets(c.tx, original, n.Channels)
		if err != nil {
			return out, err
		}
		for _, t := range targets {
			for _, member := range group {
				r := t.release(projectID, member.Platform, member.RuntimeVersion, out.GroupID)
				r.Kind = member.Kind
				r.Repeat(&member)
				models.Assign(&r.ReleaseMessage, n.ReleaseMessage)
				c.insertRelease(&r)
				details := releaseDetails(r)
				details["republishedFromId"], details["restampedUpdates"] = r.RepublishedFromID, r.Restamped
				c.audit("update.republished", "update", r.ID, details)
				out.Updates = append(out.Updates, r)
			}
		}
		return out, nil
	})
}

// groupOf returns the live releases of r's group on its branch, r included.
func groupOf(tx *gorm.DB, r models.Release) ([]models.Release, error) {
	return all[models.Release](selectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.group_id = ? AND releases.deleted_at IS NULL", r.GroupID).
		Order("releases.id"))
}

// republishTargets returns the branches of the channels, each once; without channels that
// of the original's channel, or the one that it was published straight to.
func republishTargets(tx *gorm.DB, original models.Release, channels []string) ([]target, error) {
	if channels == nil && original.Channel == nil {
		return []target{{original.BranchID, original.BranchName, nil}}, nil
	}
	if channels == nil {
		channels = []string{*original.Channel}
	}
	targets := make([]target, 0, len(channels))
	known := make(map[int64]bool, len(channels))
	for _, name := range channels {
		c, err := channelNamed(tx, original.ProjectID, name)
		if err != nil {
			return nil, err
		}
		if !known[c.BranchID] {
			known[c.BranchID] = true
			targets = append(targets, target{c.BranchID, c.BranchName, &c.Name})
		}
	}
	return targets, nil
}
