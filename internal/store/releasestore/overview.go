package releasestore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// OverviewRecords returns the project's releases with the given IDs and the rules of their rollouts, its open rollouts with
// their timelines, and the number of open incidents. All are read at the same moment.
func (s *Releases) OverviewRecords(ctx context.Context, projectID int64, releaseIDs []int64) (models.OverviewRecords, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.OverviewRecords, error) {
		found := models.OverviewRecords{
			Releases: map[int64]models.Release{}, Rollouts: map[int64]models.RolloutExecution{}, Rules: map[int64]models.RolloutRule{},
			Incidents: map[models.Stream]int64{},
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
		rules, err := pg.All[struct {
			UpdateID int64
			models.RolloutRule
		}](tx.Table("rollout_executions").Select("DISTINCT ON (update_id) update_id, stage_index, stages, thresholds").
			Where("project_id = ? AND update_id IN ? AND status <> ?", projectID, append([]int64{0}, releaseIDs...), models.ExecutionCancelled).
			Order("update_id, id DESC"))
		if err != nil {
			return found, err
		}
		for _, r := range rules {
			found.Rules[r.UpdateID] = r.RolloutRule
		}
		counts, err := pg.All[struct {
			models.Stream
			Open int64
		}](tx.Table("incidents").Select("channel, platform, runtime_version, count(*) AS open").
			Where("project_id = ? AND resolved_at IS NULL", projectID).Group("channel, platform, runtime_version"))
		for _, c := range counts {
			found.Incidents[c.Stream] = c.Open
		}
		return found, err
	})
}
