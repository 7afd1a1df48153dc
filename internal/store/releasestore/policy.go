package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreatePolicy creates a rollout policy. If the policy is for one channel, that channel must exist.
func (s *Releases) CreatePolicy(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewRolloutPolicy,
) (models.RolloutPolicy, error) {
	n.Normalize()
	return unit.Apply(ctx, s.units.Edit, projectID, actor, n, func(c *unit.Change) (models.RolloutPolicy, error) {
		c.MakeRoom(models.QuotaPolicies)
		now := c.Now()
		p := models.RolloutPolicy{
			ProjectID:         projectID,
			Name:              n.Name,
			Description:       n.Description,
			Channel:           n.Channel,
			IsActive:          n.IsActive,
			Stages:            n.Stages,
			Thresholds:        n.Thresholds,
			Schedule:          n.Schedule,
			CreatedAt:         now,
			UpdatedAt:         now,
			RunningExecutions: []int64{},
		}
		if err := checkPolicy(c, p, nil); err != nil {
			return p, err
		}
		c.Create(&p)
		c.Audit("policy.created", "policy", p.ID, policyDetails(p))
		return p, nil
	})
}

// checkPolicy refuses a policy that the project cannot use. It also refuses a channel that does not exist, unless it is
// the policy's previous channel. Until the transaction ends, the setting hashIds, which policies must suit, cannot
// change.
func checkPolicy(c *unit.Change, p models.RolloutPolicy, hadChannel *string) error {
	c.Alone(unit.Policies)
	if err := c.ReadProject(); err != nil {
		return err
	}
	if err := unit.CheckHashing(c.Project, p.Stages, p.Thresholds); err != nil || p.Channel == nil {
		return err
	}
	if hadChannel != nil && *hadChannel == *p.Channel {
		return nil
	}
	_, err := ChannelNamed(c.Tx, p.ProjectID, *p.Channel)
	return err
}

// UpdatePolicy changes the set fields of a policy without open rollouts. It and the start of a rollout wait for each
// other.
func (s *Releases) UpdatePolicy(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.PolicyPatch,
) (models.RolloutPolicy, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, patch, func(c *unit.Change) (models.RolloutPolicy, error) {
		before, err := unlockedPolicy(c, id)
		if err != nil {
			return before, err
		}
		p := patch.Apply(before)
		if err := checkPolicy(c, p, before.Channel); err != nil {
			return p, err
		}
		was, is := policyDetails(before), policyDetails(p)
		was["description"], is["description"] = before.Description, p.Description
		changes := unit.MapDiff(was, is)
		if len(changes) == 0 {
			return p, nil
		}
		p.UpdatedAt = c.Now()
		c.Update(&p, "Name", "Description", "Channel", "IsActive", "Stages", "Thresholds", "Schedule", "UpdatedAt")
		c.Audit("policy.updated", "policy", id, changes)
		return p, nil
	})
}

// DeletePolicy deletes a policy without open rollouts. Ended rollouts keep its name, stages and thresholds.
func (s *Releases) DeletePolicy(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.units.Edit(ctx, projectID, actor, func(c *unit.Change) error {
		p, err := unlockedPolicy(c, id)
		if err != nil {
			return err
		}
		c.ExecEach(id,
			"UPDATE rollout_executions SET policy_id = NULL WHERE policy_id = ?",
			"DELETE FROM rollout_policies WHERE id = ?")
		c.Audit("policy.deleted", "policy", id, policyDetails(p))
		return nil
	})
}

// unlockedPolicy returns a policy that is to be changed, and refuses a policy with open rollouts. Until the transaction
// ends, rollouts cannot start under it.
func unlockedPolicy(c *unit.Change, id int64) (models.RolloutPolicy, error) {
	p, err := pg.OneWith(c.Tx, c.Tx.Clauses(pg.ForUpdate).Where("project_id = ? AND id = ?", c.Project.ID, id), loadRunningExecutions,
		"rollout policy %d", id)
	if err != nil {
		return p, err
	}
	c.Match(id, p)
	if len(p.RunningExecutions) > 0 {
		err = models.Errorf(models.CodePolicyLocked, "policy %q cannot be changed while it has open rollouts: %s",
			p.Name, pg.NamedIDs("rollout", p.RunningExecutions))
	}
	return p, err
}

var policyList = pg.List{
	Table: "rollout_policies", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"channel": pg.ByText("coalesce(rollout_policies.channel, '')"), "createdAt": pg.ByTime("rollout_policies.created_at"),
		"isActive": pg.ByBool("rollout_policies.is_active"), "name": pg.ByText("rollout_policies.name"),
		"stages": pg.ByNumber("jsonb_array_length(rollout_policies.stages)"), "updatedAt": pg.ByTime("rollout_policies.updated_at"),
	},
	Matches: "search_words(project_id, '{}', name, description, channel) @@ search_query(?, ?)",
	Texts:   []string{"rollout_policies.name"},
}

// ListPolicies returns a page of the project's policies, newest first.
func (s *Releases) ListPolicies(ctx context.Context, projectID int64, page models.Page) ([]models.RolloutPolicy, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.RolloutPolicy, error) {
		return pg.RowsWith(tx, tx, policyList, projectID, page, loadRunningExecutions)
	})
}

// Policy returns one policy.
func (s *Releases) Policy(ctx context.Context, projectID, id int64) (models.RolloutPolicy, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.RolloutPolicy, error) {
		return pg.OneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadRunningExecutions, "rollout policy %d", id)
	})
}

// loadRunningExecutions fills in the open rollouts of all policies with one query.
func loadRunningExecutions(tx *gorm.DB, policies []models.RolloutPolicy) error {
	at, ids := pg.Indexed(policies, func(p *models.RolloutPolicy) int64 { return p.ID })
	for i := range policies {
		policies[i].RunningExecutions = []int64{}
	}
	var open []struct{ ID, PolicyID int64 }
	err := tx.Table("rollout_executions").Select("id, policy_id").
		Where("policy_id IN ? AND status IN ?", ids, OpenStatuses).Order("id").Find(&open).Error
	if err != nil {
		return err
	}
	for _, e := range open {
		p := at[e.PolicyID]
		p.RunningExecutions = append(p.RunningExecutions, e.ID)
	}
	return nil
}

// usablePolicy returns a policy for rolling out r. If the policy cannot roll out r, it returns a validation error for
// field. The policy cannot change until the transaction ends.
func usablePolicy(tx *gorm.DB, r models.Release, id int64, field string) (models.RolloutPolicy, error) {
	policy, err := pg.One[models.RolloutPolicy](
		tx.Clauses(pg.ForReference).Where("project_id = ? AND id = ?", r.ProjectID, id), "rollout policy %d", id)
	if err != nil {
		return policy, err
	}
	var p models.Problems
	switch {
	case !policy.IsActive:
		p.Add(field, "policy %q is not active", policy.Name)
	case policy.Channel != nil && r.Channel == nil:
		p.Add(field, "policy %q is for releases of channel %q, but this release has no channel", policy.Name, *policy.Channel)
	case policy.Channel != nil && *policy.Channel != *r.Channel:
		p.Add(field, "policy %q is for releases of channel %q, but this release was published to channel %q",
			policy.Name, *policy.Channel, *r.Channel)
	}
	return policy, p.Err()
}

// policyDetails returns the audit log's representation of a created or deleted policy.
func policyDetails(p models.RolloutPolicy) map[string]any {
	return map[string]any{
		"name": p.Name, "channel": p.Channel, "isActive": p.IsActive, "stages": p.Stages, "thresholds": p.Thresholds,
		"schedule": p.Schedule,
	}
}
