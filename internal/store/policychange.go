package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// UpdatePolicy changes the set fields of a policy without open rollouts. It and the
// start of a rollout wait for each other.
func (s *Store) UpdatePolicy(ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.PolicyPatch) (p models.RolloutPolicy, err error) {
	if err := patch.Validate(); err != nil {
		return models.RolloutPolicy{}, err
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		project, before, err := unlockedPolicy(tx, projectID, id)
		if err != nil {
			return err
		}
		p = patch.Apply(before)
		if err := checkHashing(project, p.Stages, p.Thresholds); err != nil {
			return err
		}
		changes := policyDiff(before, p)
		if len(changes) == 0 {
			return nil
		}
		if _, ok := changes["channel"]; ok && p.Channel != nil {
			if _, err := channelNamed(tx, projectID, *p.Channel); err != nil {
				return err
			}
		}
		p.UpdatedAt = tx.NowFunc()
		err = tx.Model(&p).
			Select("Name", "Description", "Channel", "IsActive", "Stages", "Thresholds", "Schedule", "UpdatedAt").
			Updates(&p).Error
		if err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionPolicyUpdated, entityPolicy, id, changes)
	})
	return p, err
}

// DeletePolicy deletes a policy without open rollouts. Rollouts that ended keep its
// name, stages and thresholds.
func (s *Store) DeletePolicy(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.write(ctx, func(tx *gorm.DB) error {
		_, p, err := unlockedPolicy(tx, projectID, id)
		if err != nil {
			return err
		}
		err = execEach(tx, id,
			"UPDATE rollout_executions SET policy_id = NULL WHERE policy_id = ?",
			"DELETE FROM rollout_policies WHERE id = ?")
		if err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionPolicyDeleted, entityPolicy, id, policyDetails(p))
	})
}

// unlockedPolicy reads a policy to change it, and refuses one with open executions.
func unlockedPolicy(tx *gorm.DB, projectID, id int64) (project models.Project, p models.RolloutPolicy, err error) {
	if project, err = lockProject(tx, projectID); err != nil {
		return project, p, err
	}
	p, err = policyWithExecutions(tx, projectID, id)
	if err == nil && len(p.RunningExecutions) > 0 {
		return project, p, models.Errorf(models.CodePolicyLocked, "the policy %q cannot be changed while rollouts by it are open: %s",
			p.Name, namedIDs("execution", p.RunningExecutions))
	}
	return project, p, err
}

func policyDiff(before, after models.RolloutPolicy) diff {
	d := diff{}
	note(d, "name", before.Name, after.Name)
	note(d, "description", before.Description, after.Description)
	note(d, "channel", before.Channel, after.Channel)
	note(d, "isActive", before.IsActive, after.IsActive)
	note(d, "stages", before.Stages, after.Stages)
	note(d, "thresholds", before.Thresholds, after.Thresholds)
	note(d, "schedule", before.Schedule, after.Schedule)
	return d
}

// policyDetails returns what the audit log records of a policy that was made or deleted.
func policyDetails(p models.RolloutPolicy) map[string]any {
	return map[string]any{
		"name": p.Name, "channel": p.Channel, "isActive": p.IsActive, "stages": p.Stages, "thresholds": p.Thresholds,
		"schedule": p.Schedule,
	}
}
