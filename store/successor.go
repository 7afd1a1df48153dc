package store

import (
	"errors"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// publishSuccessor publishes what takes the place of the reverted release bad on
// the devices that could have received it, and on no others: with the greatest
// share that bad reached, under bad's salt. Nothing is published when no device
// could have received it, or when a newer release reaches every device: then
// bad is served to nobody, and going back to something older would hurt those
// that are past it.
func publishSuccessor(tx *gorm.DB, project *models.Project, bad models.Release, e models.RolloutExecution, actor models.Actor) (published bool, err error) {
	if bad.ReachedPercentage == 0 {
		return false, nil
	}
	if _, covered, err := newestForEverybody(tx, bad, "releases.created_at > ?"); err != nil || covered {
		return false, err
	}
	r := rollbackToEmbedded(bad)
	older, found, err := newestForEverybody(tx, bad, "releases.created_at < ?")
	if err != nil {
		return false, err
	}
	// When the release before bad is itself a rollback to the embedded update, so is
	// its republication.
	if found && older.Kind == models.KindUpdate {
		r = republication(bad, older)
	}
	if err := insertRelease(tx, project, &r); err != nil {
		return false, err
	}
	details := releaseDetails(r)
	details["rolledBackUpdateIds"] = r.RolledBackUpdateIDs
	details["republishedFromId"] = r.RepublishedFromID
	details["rolloutExecutionId"] = e.ID
	details["reason"] = e.Reason
	return true, audit(tx, r.ProjectID, actor, actionUpdateRollback, entityUpdate, r.ID, details)
}

// rollbackToEmbedded is the order to leave bad for the bundle inside the app.
func rollbackToEmbedded(bad models.Release) models.Release {
	return models.Release{
		ProjectID:           bad.ProjectID,
		UpdateUUID:          uuid.New(),
		GroupID:             uuid.New(),
		BranchID:            bad.BranchID,
		BranchName:          bad.BranchName,
		Channel:             bad.Channel,
		Platform:            bad.Platform,
		RuntimeVersion:      bad.RuntimeVersion,
		IsEnabled:           true,
		RolloutPercentage:   bad.ReachedPercentage,
		ShareSalt:           bad.ShareSalt,
		Kind:                models.KindRollbackToEmbedded,
		RolledBackUpdateIDs: []int64{bad.ID},
	}
}

// republication is older once more, for the devices that bad reached.
func republication(bad, older models.Release) models.Release {
	r := rollbackToEmbedded(bad)
	r.Kind = models.KindUpdate
	takeContent(&r, older)
	return r
}

// takeContent makes r a repetition of original in all that a device gets.
func takeContent(r *models.Release, original models.Release) {
	r.BuildID = original.BuildID
	r.RepublishedFromID = &original.ID
	r.IsCritical = original.IsCritical
	r.ReleaseMessage = original.ReleaseMessage
	r.GitCommitHash = original.GitCommitHash
	r.GitBranch = original.GitBranch
	r.AssetCount = original.AssetCount
	r.SizeBytes = original.SizeBytes
}

// newestForEverybody finds the newest live, enabled release at 100 % on r's
// branch, for its platform and runtime version, whose commit time holds against
// r's.
func newestForEverybody(tx *gorm.DB, r models.Release, when string) (found models.Release, ok bool, err error) {
	err = selectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.platform = ? AND releases.runtime_version = ?", r.Platform, r.RuntimeVersion).
		Where("releases.is_enabled AND releases.deleted_at IS NULL AND releases.rollout_percentage = ?", everybody).
		Where(when, r.CreatedAt).
		Order("releases.created_at DESC").
		Take(&found).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return found, false, nil
	}
	return found, err == nil, err
}
