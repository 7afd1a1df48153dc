package releasestore

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/filestore"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Publish creates a release of a build on the branch that p names, or on the branch of the channel that p names. If p
// names a policy, the release starts at 0% and a rollout under the policy takes it from there.
func (s *Releases) Publish(
	ctx context.Context, projectID int64, actor models.Actor, p models.Publish,
) (models.Release, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, p, func(c *unit.Change) (r models.Release, err error) {
		build, err := filestore.BuildByID(c.Tx, projectID, p.BuildID)
		if err != nil {
			return r, err
		}
		if build.EmbeddedUpdateID != nil {
			return r, models.Errorf(models.CodeInvalidTransition, "build %d is an embedded update (embeddedUpdateId %s) and cannot be "+
				"published; upload its files without that field to publish them", build.ID, *build.EmbeddedUpdateID)
		}
		to, err := publishTarget(c.Tx, projectID, p)
		if err != nil {
			return r, err
		}
		r = to.newRelease(p, build)
		if r.LinkedFlags, err = bindLinks(c.Tx, projectID, p.LinkedFlags); err != nil {
			return r, err
		}
		c.MakeRoom(models.QuotaReleases)
		c.MakeRoomFor(models.QuotaLinkedFlags, len(r.LinkedFlags))
		var policy models.RolloutPolicy
		if p.RolloutPolicyID != nil {
			if policy, err = usablePolicy(c.Tx, r, *p.RolloutPolicyID, "rolloutPolicyId"); err != nil {
				return r, err
			}
			r.RolloutPercentage = 0
		}
		insertRelease(c, &r)
		if build.Status != models.BuildPublished {
			build.Status = models.BuildPublished
			c.Update(&build, "Status")
		}
		if !r.IsEnabled {
			r.Disabling = disablingBy(c, "")
		}
		details := releaseDetails(r)
		details["rolloutPolicyId"] = p.RolloutPolicyID
		c.Audit(publishAction(p), "update", r.ID, details)
		if p.RolloutPolicyID != nil {
			r.RolloutExecutionID = new(startExecution(c, policy, r).ID)
		}
		askToPublish(c, r, policy)
		return r, nil
	})
}

// askToPublish requires approval for a new release. If policy has an ID, the policy rolls it out. Even a release that
// is published disabled needs approval, because a rollback may later enable its content without approval.
func askToPublish(c *unit.Change, r models.Release, policy models.RolloutPolicy) {
	e := unit.Effect{
		On: unit.ChannelsOfBranches(r.BranchID), Basis: []any{r.BranchID, r.LinkedFlags},
		Summary: fmt.Sprintf("publish %s to %s%s, ", named("build", *r.BuildID, r.ReleaseMessage, contentOf(r)), placeOf(r), stateOf(r)),
	}
	if policy.ID != 0 {
		e.Summary += "rolled out " + byPolicy(policy)
		e.Basis = []any{r.BranchID, r.LinkedFlags, policy.ID, policy.Stages, policy.Thresholds, policy.Schedule}
	} else {
		e.Summary += fmt.Sprintf("for %g%% of the devices", r.RolloutPercentage)
	}
	c.RequireApproval(e)
}

func publishAction(p models.Publish) string {
	if p.Direct || p.Branch != "" {
		return "update.created"
	}
	return "build.published"
}

// target is the place of a new release: a branch, and the channel through which it is published, if any.
type target struct {
	branchID   int64
	branchName string
	channel    *string
}

func publishTarget(tx *gorm.DB, projectID int64, p models.Publish) (target, error) {
	if p.Channel == "" {
		b, err := branchNamed(tx, projectID, p.Branch)
		return target{b.ID, b.Name, nil}, err
	}
	c, err := ChannelNamed(tx, projectID, p.Channel)
	return target{c.BranchID, c.BranchName, &c.Name}, err
}

// release returns a new release for every device. It has no content, times or ID yet.
func (t target) release(projectID int64, platform models.Platform, runtimeVersion string, groupID uuid.UUID) models.Release {
	return models.Release{
		ProjectID:         projectID,
		UpdateUUID:        uuid.New(),
		GroupID:           groupID,
		BranchID:          t.branchID,
		BranchName:        t.branchName,
		Channel:           t.channel,
		Platform:          platform,
		RuntimeVersion:    runtimeVersion,
		IsEnabled:         true,
		RolloutPercentage: everybody,
		ShareSalt:         models.ReleaseSalt(groupID),
		Kind:              models.KindUpdate,
	}
}

// newRelease returns a new release of build as described by p.
func (t target) newRelease(p models.Publish, build models.Build) models.Release {
	groupID := uuid.New()
	models.Assign(&groupID, p.GroupID)
	r := t.release(build.ProjectID, build.Platform, build.RuntimeVersion, groupID)
	r.BuildID = &build.ID
	r.IsCritical = p.IsCritical
	r.ReleaseMessage = cmp.Or(p.ReleaseMessage, build.Message)
	r.GitCommitHash, r.GitBranch, r.GitAuthor = build.GitCommitHash, build.GitBranch, build.GitAuthor
	r.AssetCount, r.SizeBytes = build.AssetCount, build.SizeBytes
	models.Assign(&r.IsEnabled, p.IsEnabled)
	models.Assign(&r.RolloutPercentage, p.RolloutPercentage)
	return r
}

// insertRelease writes a release at the next tick of the project's release clock. It also writes aliases for the
// releases that clients would otherwise refuse afterwards.
func insertRelease(c *unit.Change, r *models.Release) {
	// If the clock of this machine lags behind, use the tick that follows the previous release.
	r.CreatedAt = time.UnixMilli(max(c.Now().UnixMilli(), c.Project.LastReleaseMillis+1)).UTC()
	c.SetReleaseClock(r.CreatedAt.UnixMilli())
	r.UpdatedAt = r.CreatedAt
	if r.RolledBackUpdateIDs == nil {
		r.RolledBackUpdateIDs = []int64{}
	}
	if r.IsEnabled {
		r.ReachedPercentage = r.RolloutPercentage
	}
	c.Create(r)
	c.Made(r.ID)
	c.Do(func() error { return insertLinks(c, r) })
	c.Do(func() error { return restamp(c, r) })
	filestore.EnqueuePatches(c, *r, "")
	if reachesEverybody(*r) {
		supersedeOlder(c, *r)
	}
}

// insertAliases writes any number of aliases, given as JSON in a single parameter.
const insertAliases = `INSERT INTO release_aliases (update_uuid, project_id, release_id, original_uuid, rollback_id, created_at)
	SELECT * FROM jsonb_to_recordset(?::jsonb) AS aliases ("UpdateUUID" uuid, "ProjectID" bigint, "ReleaseID" bigint,
		"OriginalUUID" uuid, "RollbackID" bigint, "CreatedAt" timestamptz)`

// restamp writes an alias for every release that clients would refuse after r, which was just published. It moves the
// project's release clock past the aliases.
func restamp(c *unit.Change, r *models.Release) error {
	if r.Kind == models.KindUpdate && r.PlaceAt == nil {
		return nil // it is the newest release and does not shadow any other
	}
	q := c.Tx.Model(&models.Release{}).
		Select("id", "update_uuid", "branch_id", "platform", "runtime_version", "kind", "place_at", "created_at").
		Where("project_id = ? AND platform = ? AND runtime_version = ?", r.ProjectID, r.Platform, r.RuntimeVersion).
		Where("deleted_at IS NULL AND kind = ?", models.KindUpdate)
	if r.Kind == models.KindUpdate {
		q = q.Where("branch_id = ?", r.BranchID)
	}
	live, err := pg.All[models.Release](q)
	if err != nil {
		return err
	}
	aliases := models.Restamp(r, models.Shadowed(r, live), r.CreatedAt)
	if r.Restamped = len(aliases); r.Restamped == 0 {
		return nil
	}
	rows, err := json.Marshal(aliases)
	if err != nil {
		return fmt.Errorf("aliases of release %d: %w", r.ID, err)
	}
	c.Exec(insertAliases, string(rows))
	c.SetReleaseClock(aliases[len(aliases)-1].CreatedAt.UnixMilli())
	return nil
}
