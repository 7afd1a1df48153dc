package releasestore

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// recentRollbacksSQL selects the releases that rollouts rolled back automatically in the last models.BrokenFor.
const recentRollbacksSQL = `
	SELECT e.update_id FROM rollout_executions AS e
	WHERE e.project_id = @project AND e.status = 'rolled_back' AND e.ended_at > @since AND EXISTS (
		SELECT FROM rollout_events AS event WHERE event.execution_id = e.id AND event.event = 'rolled_back' AND event.actor = 'system')`

// brokenReleases returns the number of open incidents and the broken releases, per target.
func brokenReleases(tx *gorm.DB, projectID int64) (map[models.Stream]int64, map[models.Stream][]models.BrokenRelease, error) {
	counts, broken := map[models.Stream]int64{}, map[models.Stream][]models.BrokenRelease{}
	incidents, err := pg.All[models.Incident](tx.Where("project_id = ? AND resolved_at IS NULL", projectID).Order("id DESC"))
	if err != nil {
		return nil, nil, err
	}
	recent, err := pg.All[struct{ UpdateID int64 }](tx.Raw(recentRollbacksSQL, map[string]any{
		"project": projectID, "since": tx.NowFunc().Add(-models.BrokenFor),
	}))
	if err != nil || len(incidents)+len(recent) == 0 {
		return counts, broken, err
	}
	ids, uuids := []int64{0}, []uuid.UUID{uuid.Nil}
	for _, r := range recent {
		ids = append(ids, r.UpdateID)
	}
	for _, i := range incidents {
		counts[i.Stream()]++
		if id, err := uuid.Parse(i.UpdateUUID); err == nil { // a device may report an update ID that is not a UUID
			uuids = append(uuids, id)
		}
	}
	releases, err := pg.All[models.Release](selectShown(tx).
		Where("releases.project_id = ? AND (releases.id IN ? OR releases.update_uuid IN ?)", projectID, ids, uuids))
	if err != nil {
		return nil, nil, err
	}
	at := map[string]*models.Release{}
	for i := range releases {
		at[releases[i].UpdateUUID.String()] = &releases[i]
	}
	for _, i := range incidents {
		b := models.BrokenRelease{ServedUpdate: models.ServedUpdate{UpdateUUID: i.UpdateUUID}, Release: at[i.UpdateUUID], Incident: &i}
		if b.Release != nil {
			b.ReleaseID = b.Release.ID
		}
		broken[i.Stream()] = append(broken[i.Stream()], b)
	}
	for _, r := range releases {
		if slices.Contains(ids, r.ID) && !r.IsEnabled && r.Channel != nil {
			target := models.Stream{Channel: *r.Channel, Platform: r.Platform, RuntimeVersion: r.RuntimeVersion}
			if !slices.ContainsFunc(broken[target], func(b models.BrokenRelease) bool { return b.ReleaseID == r.ID }) {
				broken[target] = append(broken[target], models.BrokenRelease{
					ServedUpdate: models.ServedUpdate{ReleaseID: r.ID, UpdateUUID: r.UpdateUUID.String()}, Release: &r,
				})
			}
		}
	}
	for _, all := range broken {
		slices.SortStableFunc(all, func(a, b models.BrokenRelease) int { return cmp.Compare(b.ReleaseID, a.ReleaseID) })
	}
	return counts, broken, nil
}

// rolloutCalls are the calls that may wait for approval and that give a release to more devices by a rollout.
var rolloutCalls = []string{"rollout.start", "rollout.advance", "rollout.resume"}

// waitingCalls returns the newest pending approval of such a call for each release.
func waitingCalls(tx *gorm.DB, projectID int64) (map[int64]models.WaitingCall, error) {
	pending, err := pg.All[struct {
		ID              int64
		Action, Summary string
		Input           json.RawMessage
	}](tx.Table("approvals").Select("id, action, summary, input").Order("id").
		Where("project_id = ? AND status = ? AND expires_at > ? AND action IN ?", projectID, models.ApprovalPending, tx.NowFunc(), rolloutCalls))
	if err != nil {
		return nil, err
	}
	waiting, rollouts := map[int64]models.WaitingCall{}, map[int64]models.WaitingCall{}
	for _, a := range pending {
		var in struct{ ID, UpdateID int64 } // an input of another version names neither
		_ = json.Unmarshal(a.Input, &in)
		call := models.WaitingCall{ApprovalID: a.ID, Action: a.Action, Summary: a.Summary}
		if in.UpdateID != 0 {
			waiting[in.UpdateID] = call
		} else {
			rollouts[in.ID] = call
		}
	}
	if len(rollouts) == 0 {
		return waiting, nil
	}
	ids := []int64{}
	for id := range rollouts {
		ids = append(ids, id)
	}
	executions, err := pg.All[struct{ ID, UpdateID int64 }](tx.Table("rollout_executions").Select("id, update_id").
		Where("project_id = ? AND id IN ?", projectID, ids))
	for _, e := range executions {
		waiting[e.UpdateID] = rollouts[e.ID]
	}
	return waiting, err
}
