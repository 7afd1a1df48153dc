package store

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// Publish makes a release of a build on the branch that p names, or that the
// channel p names points to. With a policy the release starts at 0 % and an
// execution of the policy rolls it out.
func (s *Store) Publish(ctx context.Context, projectID int64, actor models.Actor, p models.Publish) (r models.Release, err error) {
	if err := p.Validate(); err != nil {
		return models.Release{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, project *models.Project) error {
		build, err := buildByID(tx, projectID, p.BuildID)
		if err != nil {
			return err
		}
		if err := checkPublishable(build); err != nil {
			return err
		}
		branch, err := publishTarget(tx, projectID, p)
		if err != nil {
			return err
		}
		r = newRelease(p, build, branch)
		if r.LinkedFlags, err = bindLinks(tx, projectID, p.LinkedFlags); err != nil {
			return err
		}
		var policy *models.RolloutPolicy
		if p.RolloutPolicyID != nil {
			if policy, err = usablePolicy(tx, r, *p.RolloutPolicyID, "rolloutPolicyId"); err != nil {
				return err
			}
			r.RolloutPercentage = 0
		}
		if err := insertRelease(tx, project, &r); err != nil {
			return err
		}
		if err := markPublished(tx, build); err != nil {
			return err
		}
		details := releaseDetails(r)
		details["rolloutPolicyId"] = p.RolloutPolicyID
		if err := audit(tx, projectID, actor, publishAction(p), entityUpdate, r.ID, details); err != nil {
			return err
		}
		if policy == nil {
			return nil
		}
		e, err := startExecution(tx, *project, actor, *policy, r)
		r.RolloutExecutionID = &e.ID
		return err
	})
	return r, err
}

func publishAction(p models.Publish) string {
	if p.Direct || p.Branch != "" {
		return actionUpdateCreated
	}
	return actionBuildPublished
}

// publishTarget is the branch that the release goes to.
func publishTarget(tx *gorm.DB, projectID int64, p models.Publish) (models.Branch, error) {
	if p.Channel == "" {
		return branchNamed(tx, projectID, p.Branch)
	}
	c, err := channelNamed(tx, projectID, p.Channel)
	return models.Branch{ID: c.BranchID, ProjectID: projectID, Name: c.BranchName}, err
}

// newRelease is the release that p asks for, without its times and id.
func newRelease(p models.Publish, build models.Build, branch models.Branch) models.Release {
	r := models.Release{
		ProjectID:         build.ProjectID,
		UpdateUUID:        uuid.New(),
		GroupID:           uuid.New(),
		BuildID:           &build.ID,
		BranchID:          branch.ID,
		BranchName:        branch.Name,
		Platform:          build.Platform,
		RuntimeVersion:    build.RuntimeVersion,
		IsEnabled:         true,
		IsCritical:        p.IsCritical,
		RolloutPercentage: everybody,
		ReleaseMessage:    p.ReleaseMessage,
		Kind:              models.KindUpdate,
		GitCommitHash:     build.GitCommitHash,
		GitBranch:         build.GitBranch,
		AssetCount:        build.AssetCount,
		SizeBytes:         build.SizeBytes,
	}
	if p.Channel != "" {
		r.Channel = &p.Channel
	}
	models.Assign(&r.GroupID, p.GroupID)
	r.ShareSalt = models.ReleaseSalt(r.GroupID)
	models.Assign(&r.IsEnabled, p.IsEnabled)
	models.Assign(&r.RolloutPercentage, p.RolloutPercentage)
	if r.ReleaseMessage == "" {
		r.ReleaseMessage = build.Message
	}
	return r
}

// insertRelease writes a release at the next tick of the project's release clock, and
// aliases of the releases that clients would refuse after it. The project's row must be
// locked.
func insertRelease(tx *gorm.DB, project *models.Project, r *models.Release) (err error) {
	if r.CreatedAt, err = tickReleaseClock(tx, project); err != nil {
		return err
	}
	r.UpdatedAt = r.CreatedAt
	if r.RolledBackUpdateIDs == nil {
		r.RolledBackUpdateIDs = []int64{}
	}
	if r.IsEnabled {
		r.ReachedPercentage = r.RolloutPercentage
	}
	if err := tx.Create(r).Error; err != nil {
		return err
	}
	if err := insertLinks(tx, r); err != nil {
		return err
	}
	if r.Restamped, err = restamp(tx, project, r); err != nil {
		return err
	}
	if err := enqueuePatches(tx, *project, *r, ""); err != nil {
		return err
	}
	if reachesEverybody(*r) {
		return supersede(tx, *r)
	}
	return nil
}
