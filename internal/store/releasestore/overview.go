package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// OverviewRecords returns the project's releases with the given IDs and the rules of their rollouts, and its broken releases.
// It also returns the open rollouts with their timelines, the approvals that they wait for, and the number of open incidents. All
// are read at the same moment.
func (s *Releases) OverviewRecords(ctx context.Context, projectID int64, releaseIDs []int64) (models.OverviewRecords, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.OverviewRecords, error) {
		found := models.OverviewRecords{
			Releases: map[int64]models.Release{}, Rollouts: map[int64]models.RolloutExecution{}, Rules: map[int64]models.RolloutRule{},
		}
		releases, err := pg.All[models.Release](SelectReleases(tx).
			Where("releases.project_id = ? AND releases.id IN ?", projectID, append([]int64{0}, releaseIDs...)))
		if err != nil {
			return found, err
		}
		for _, r := range releases {
			found.Releases[r.ID] = r
		}
		rollouts, err := pg.AllWith(tx, tx.Where("project_id = ? AND status IN ?", projectID, OpenStatuses), completeExecutions)
		if err != nil {
			return found, err
		}
		for _, e := range rollouts {
			found.Rollouts[e.UpdateID] = e
		}
		if found.Incidents, found.Broken, err = brokenReleases(tx, projectID); err != nil {
			return found, err
		}
		if err := addRules(tx, projectID, releaseIDs, &found); err != nil {
			return found, err
		}
		found.Waiting, err = waitingCalls(tx, projectID)
		return found, err
	})
}

// addRules adds the rules of the releases' last rollouts, and the IDs of these rollouts to the broken releases.
func addRules(tx *gorm.DB, projectID int64, releaseIDs []int64, found *models.OverviewRecords) error {
	ids := append([]int64{0}, releaseIDs...)
	for _, broken := range found.Broken {
		for _, b := range broken {
			ids = append(ids, b.ReleaseID)
		}
	}
	rules, err := pg.All[struct {
		ID, UpdateID int64
		models.RolloutRule
	}](tx.Table("rollout_executions").Select("DISTINCT ON (update_id) id, update_id, stage_index, stages, thresholds").
		Where("project_id = ? AND update_id IN ? AND status <> ?", projectID, ids, models.ExecutionCancelled).Order("update_id, id DESC"))
	rollouts := map[int64]int64{}
	for _, r := range rules {
		found.Rules[r.UpdateID], rollouts[r.UpdateID] = r.RolloutRule, r.ID
	}
	for _, broken := range found.Broken {
		for i, b := range broken {
			if id, ok := rollouts[b.ReleaseID]; ok {
				broken[i].RolloutID = &id
			}
		}
	}
	return err
}
