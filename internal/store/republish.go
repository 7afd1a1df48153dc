package store

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Republish publishes a release once more, for every device, with the other
// platforms of its group: to the channels given, else to where it is. All that it
// publishes shares a new group. Of channels that point to one branch the first is
// published to; devices of the others get the same releases.
func (s *Store) Republish(ctx context.Context, projectID int64, actor models.Actor, id int64, n models.Republish) (out models.Republished, err error) {
	if err := n.Validate(); err != nil {
		return models.Republished{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, project *models.Project) error {
		out = models.Republished{GroupID: uuid.New(), Updates: []models.Release{}}
		original, err := liveRelease(tx, projectID, id)
		if err != nil {
			return err
		}
		group, err := groupOf(tx, original)
		if err != nil {
			return err
		}
		targets, err := republishTargets(tx, original, n.Channels)
		if err != nil {
			return err
		}
		for _, target := range targets {
			for _, member := range group {
				r := target.copyOf(member, out.GroupID)
				models.Assign(&r.ReleaseMessage, n.ReleaseMessage)
				if err := republish(tx, project, actor, &r); err != nil {
					return err
				}
				out.Updates = append(out.Updates, r)
			}
		}
		return nil
	})
	return out, err
}

// groupOf are the live releases that were published with r to its branch, r among
// them.
func groupOf(tx *gorm.DB, r models.Release) ([]models.Release, error) {
	return all[models.Release](selectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.group_id = ? AND releases.deleted_at IS NULL", r.GroupID).
		Order("releases.id"))
}

// target is where a release goes: a branch, by way of a channel or straight.
type target struct {
	branchID   int64
	branchName string
	channel    *string
}

// republishTargets are the branches of the channels, each once; without channels
// that of the original's channel, or the one it was published straight to.
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

// copyOf is the content of a release, to be published here for every device.
func (t target) copyOf(original models.Release, groupID uuid.UUID) models.Release {
	r := models.Release{
		ProjectID:         original.ProjectID,
		UpdateUUID:        uuid.New(),
		GroupID:           groupID,
		BranchID:          t.branchID,
		BranchName:        t.branchName,
		Channel:           t.channel,
		Platform:          original.Platform,
		RuntimeVersion:    original.RuntimeVersion,
		IsEnabled:         true,
		RolloutPercentage: everybody,
		ShareSalt:         models.ReleaseSalt(groupID),
		Kind:              original.Kind,
	}
	r.Repeat(&original)
	return r
}

// republish writes a release that repeats another one.
func republish(tx *gorm.DB, project *models.Project, actor models.Actor, r *models.Release) error {
	if err := insertRelease(tx, project, r); err != nil {
		return err
	}
	details := releaseDetails(*r)
	details["republishedFromId"] = r.RepublishedFromID
	details["restampedUpdates"] = r.Restamped
	return audit(tx, r.ProjectID, actor, actionRepublished, entityUpdate, r.ID, details)
}
