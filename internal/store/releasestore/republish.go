package releasestore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// Republish publishes releases again, to the given channels or to the release's present place if none are given. They
// are the releases that n names, or the release and the other platforms of its group. They are for every device, or
// start at 0% if n names a policy. If several channels point to the same branch, only the first one is used; devices of
// the others get the same releases.
func (s *Releases) Republish(
	ctx context.Context, projectID int64, actor models.Actor, id int64, n models.Republish,
) (models.Republished, error) {
	return unit.Apply(ctx, s.units.ChangeServed, projectID, actor, n, func(c *unit.Change) (out models.Republished, err error) {
		r := republishing{Republish: n, groups: map[uuid.UUID]uuid.UUID{}, platforms: map[uuid.UUID][]models.Platform{}}
		if r.original, err = liveRelease(c.Tx, projectID, id); err != nil {
			return out, err
		}
		if r.members, err = republishMembers(c.Tx, r.original, n.UpdateIDs); err != nil {
			return out, err
		}
		if r.targets, err = republishTargets(c.Tx, r.original, n.Channels); err != nil {
			return out, err
		}
		links := 0
		for _, member := range r.members {
			links += len(member.LinkedFlags)
		}
		c.MakeRoomFor(models.QuotaReleases, len(r.targets)*len(r.members))
		c.MakeRoomFor(models.QuotaLinkedFlags, len(r.targets)*links)
		for _, t := range r.targets {
			for _, member := range r.members {
				if err := r.publish(c, t, member); err != nil {
					return out, err
				}
			}
		}
		r.ask(c)
		return models.Republished{GroupID: r.groupFor(r.original), Updates: r.made}, nil
	})
}

// republishing is a republish in progress.
type republishing struct {
	models.Republish
	original models.Release
	members  []models.Release
	targets  []target
	// policy has an ID if a policy rolls the releases out.
	policy models.RolloutPolicy
	made   []models.Release
	// groups maps the groups of the members to new groups, and platforms has the platforms of each new group.
	groups    map[uuid.UUID]uuid.UUID
	platforms map[uuid.UUID][]models.Platform
	order     []uuid.UUID
	// grouped maps the IDs of members to new groups.
	grouped map[int64]uuid.UUID
}

// publish publishes a member to a target.
func (r *republishing) publish(c *unit.Change, t target, member models.Release) (err error) {
	n := t.release(member.ProjectID, member.Platform, member.RuntimeVersion, r.groupFor(member))
	n.Kind = member.Kind
	n.Repeat(&member)
	models.Assign(&n.ReleaseMessage, r.ReleaseMessage)
	if r.RolloutPolicyID != nil {
		if member.Kind != models.KindUpdate {
			var p models.Problems
			p.Add("rolloutPolicyId", "%s is a rollback to the embedded update and cannot be rolled out", member.Phrase())
			return p.Err()
		}
		if r.policy, err = usablePolicy(c.Tx, n, *r.RolloutPolicyID, "rolloutPolicyId"); err != nil {
			return err
		}
		n.RolloutPercentage = 0
	}
	insertRelease(c, &n)
	details := releaseDetails(n)
	details["republishedFromId"], details["restampedUpdates"] = n.RepublishedFromID, n.Restamped
	if r.RolloutPolicyID != nil {
		details["rolloutPolicyId"] = r.RolloutPolicyID
	}
	c.Audit("update.republished", "update", n.ID, details)
	if r.RolloutPolicyID != nil {
		n.RolloutExecutionID = new(startExecution(c, r.policy, n).ID)
	}
	r.made = append(r.made, n)
	return nil
}

// groupFor returns the group of a member's new releases. Members of one group stay together. All members share one
// group if each has a platform of its own; otherwise a member joins the first group without its platform.
func (r *republishing) groupFor(member models.Release) uuid.UUID {
	if id, ok := r.grouped[member.ID]; ok {
		return id
	}
	free := func(id uuid.UUID) bool { return !slices.Contains(r.platforms[id], member.Platform) }
	id, ok := r.groups[member.GroupID]
	if !ok || !free(id) {
		i := slices.IndexFunc(r.order, free)
		if i < 0 {
			i, r.order = len(r.order), append(r.order, uuid.New())
		}
		id = r.order[i]
	}
	if r.grouped == nil {
		r.grouped = map[int64]uuid.UUID{}
	}
	r.grouped[member.ID], r.groups[member.GroupID] = id, id
	r.platforms[id] = append(r.platforms[id], member.Platform)
	return id
}

// ask requires approval for the new releases. The basis of the approval includes the releases' content, because the
// originals may be changed without approval in the place where they are.
func (r *republishing) ask(c *unit.Change) {
	e := unit.Effect{
		Basis: []any{releaseIDs(r.members), pg.Each(r.made, contentFacts)},
		On:    unit.ChannelsOfBranches(pg.Each(r.targets, func(t target) int64 { return t.branchID })...),
	}
	what := releaseName(r.original)
	switch {
	case r.UpdateIDs != nil && len(r.members) > 1:
		what = pg.SomeOf(pg.Each(r.members, releaseName))
	case len(r.members) > 1:
		what += ", with the other platforms of its group,"
	}
	e.Summary = fmt.Sprintf("republish %s to %s", what, strings.Join(pg.Each(r.targets, func(t target) string {
		return placeOf(models.Release{Channel: t.channel, BranchName: t.branchName})
	}), ", "))
	if r.policy.ID != 0 {
		e.Summary += ", rolled out " + byPolicy(r.policy)
		e.Basis = []any{e.Basis, r.policy.ID, r.policy.Stages, r.policy.Thresholds, r.policy.Schedule}
	}
	c.RequireApproval(e)
}

// republishMembers returns the live releases with the IDs, beginning with the original, or the original's group without
// IDs.
func republishMembers(tx *gorm.DB, original models.Release, ids []int64) ([]models.Release, error) {
	if ids == nil {
		return groupOf(tx, original)
	}
	var p models.Problems
	if !slices.Contains(ids, original.ID) {
		p.Add("updateIds", "does not have release %d, which the path names", original.ID)
		return nil, p.Err()
	}
	members := []models.Release{original}
	for i, id := range ids {
		if id == original.ID {
			continue
		}
		member, err := liveRelease(tx, original.ProjectID, id)
		if err != nil {
			return nil, err
		}
		if other := slices.IndexFunc(members, func(m models.Release) bool {
			return m.Platform == member.Platform && m.RuntimeVersion == member.RuntimeVersion
		}); other >= 0 {
			p.Add(fmt.Sprintf("updateIds[%d]", i), "release %d has the same platform and runtime version as release %d", id, members[other].ID)
		}
		members = append(members, member)
	}
	return members, p.Err()
}

// groupOf returns the live releases of r's group on its branch, including r.
func groupOf(tx *gorm.DB, r models.Release) ([]models.Release, error) {
	return pg.All[models.Release](SelectReleases(tx).
		Where("releases.project_id = ? AND releases.branch_id = ?", r.ProjectID, r.BranchID).
		Where("releases.group_id = ? AND releases.deleted_at IS NULL", r.GroupID).
		Order("releases.id"))
}

// republishTargets returns the branches of the channels, each one once. Without channels, it returns the branch of the
// original's channel, or the branch that the original was published to directly.
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
		c, err := ChannelNamed(tx, original.ProjectID, name)
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
