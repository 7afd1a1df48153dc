package store

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreatePolicy makes a rollout policy. A channel that it names must exist.
func (s *Store) CreatePolicy(ctx context.Context, projectID int64, actor models.Actor, n models.NewRolloutPolicy) (p models.RolloutPolicy, err error) {
	n.Normalize()
	if err := n.Validate(); err != nil {
		return models.RolloutPolicy{}, err
	}
	err = s.write(ctx, func(tx *gorm.DB) error {
		project, err := lockProject(tx, projectID)
		if err != nil {
			return err
		}
		if err := checkHashing(project, n.Stages, n.Thresholds); err != nil {
			return err
		}
		if n.Channel != nil {
			if _, err := channelNamed(tx, projectID, *n.Channel); err != nil {
				return err
			}
		}
		now := tx.NowFunc()
		p = models.RolloutPolicy{
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
		if err := tx.Create(&p).Error; err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionPolicyCreated, entityPolicy, p.ID, policyDetails(p))
	})
	return p, err
}

// ListPolicies returns a page of the project's policies, newest first.
func (s *Store) ListPolicies(ctx context.Context, projectID int64, page models.Page) ([]models.RolloutPolicy, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.RolloutPolicy, error) {
		return allWith(tx, pageOf(tx, "rollout_policies", projectID, page), loadRunningExecutions)
	})
}

// Policy returns one policy.
func (s *Store) Policy(ctx context.Context, projectID, id int64) (models.RolloutPolicy, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.RolloutPolicy, error) {
		return policyWithExecutions(tx, projectID, id)
	})
}

func policyWithExecutions(tx *gorm.DB, projectID, id int64) (models.RolloutPolicy, error) {
	return oneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadRunningExecutions, "rollout policy %d", id)
}

// loadRunningExecutions fills in the open executions of all policies with one
// query.
func loadRunningExecutions(tx *gorm.DB, policies []models.RolloutPolicy) error {
	at, ids := indexed(policies, func(p *models.RolloutPolicy) int64 { return p.ID })
	for i := range policies {
		policies[i].RunningExecutions = []int64{}
	}
	var open []struct{ ID, PolicyID int64 }
	err := tx.Table("rollout_executions").Select("id, policy_id").
		Where("policy_id IN ? AND status IN ?", ids, openStatuses).Order("id").Find(&open).Error
	if err != nil {
		return err
	}
	for _, e := range open {
		p := at[e.PolicyID]
		p.RunningExecutions = append(p.RunningExecutions, e.ID)
	}
	return nil
}

func policyByID(tx *gorm.DB, projectID, id int64) (models.RolloutPolicy, error) {
	return one[models.RolloutPolicy](tx.Where("project_id = ? AND id = ?", projectID, id), "rollout policy %d", id)
}

// usablePolicy reads a policy and reports, as an error of the given field, why it
// cannot roll out r.
func usablePolicy(tx *gorm.DB, r models.Release, id int64, field string) (*models.RolloutPolicy, error) {
	policy, err := policyByID(tx, r.ProjectID, id)
	if err != nil {
		return nil, err
	}
	var p models.Problems
	switch {
	case !policy.IsActive:
		p.Add(field, "the policy %q is not active", policy.Name)
	case policy.Channel != nil && r.Channel == nil:
		p.Add(field, "the policy %q is for releases of channel %q, this one has no channel", policy.Name, *policy.Channel)
	case policy.Channel != nil && *policy.Channel != *r.Channel:
		p.Add(field, "the policy %q is for releases of channel %q, this one is of %q", policy.Name, *policy.Channel, *r.Channel)
	}
	return &policy, p.Err()
}
