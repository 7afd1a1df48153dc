package projectstore

import (
	"cmp"
	"context"
	"maps"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// errorActor is the actor that finds regressions.
var errorActor = models.SystemActor("errors")

const selectedStatus = `error_group_statuses.*,
	(SELECT users.name FROM users WHERE users.id = assignee_id) AS assignee_name,
	(SELECT users.email FROM users WHERE users.id = assignee_id) AS assignee_email`

func statusesOf(tx *gorm.DB, projectID int64, fingerprints []string) *gorm.DB {
	return tx.Table("error_group_statuses").Select(selectedStatus).
		Where("project_id = ? AND fingerprint = ANY (?::text[])", projectID, pg.ArrayOf(fingerprints))
}

// ErrorGroupStatuses returns the statuses of the groups that people have changed, by fingerprint.
func (s *Projects) ErrorGroupStatuses(
	ctx context.Context, projectID int64, fingerprints []string,
) (map[string]models.ErrorGroupStatus, error) {
	if len(fingerprints) == 0 {
		return nil, nil
	}
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (map[string]models.ErrorGroupStatus, error) {
		rows, err := pg.All[models.ErrorGroupStatus](statusesOf(tx, projectID, fingerprints))
		found := make(map[string]models.ErrorGroupStatus, len(rows))
		for _, r := range rows {
			found[r.Fingerprint] = r
		}
		return found, err
	})
}

// UpdateErrorGroup assigns, resolves or reopens an error group, or sets its note.
func (s *Projects) UpdateErrorGroup(
	ctx context.Context, projectID int64, actor models.Actor, g models.GroupToChange, patch models.ErrorGroupPatch,
) (models.ErrorGroupStatus, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, patch, func(c *unit.Change) (models.ErrorGroupStatus, error) {
		after, stored, err := changeStatus(c, g, patch)
		if err == nil && !stored { // another call has just stored the first status of the group
			after, _, err = changeStatus(c, g, patch)
		}
		if err != nil || c.Err != nil || after.ID == 0 {
			return after, cmp.Or(err, c.Err)
		}
		return pg.One[models.ErrorGroupStatus](statusesOf(c.Tx, projectID, []string{after.Fingerprint}), "error group %s", after.Fingerprint)
	})
}

// changeStatus changes the status of a group and audits the change. stored is false if another call has just stored
// the group's first status.
func changeStatus(
	c *unit.Change, g models.GroupToChange, patch models.ErrorGroupPatch,
) (after models.ErrorGroupStatus, stored bool, err error) {
	before, err := lockStatus(c, g)
	if err != nil {
		return before, true, err
	}
	c.Match(before.ID, before)
	after = before
	patch.Assignee.Apply(&after.AssigneeID)
	models.Assign(&after.Note, patch.Note)
	action := resolve(&after, patch.Resolved, g, c)
	changes := unit.MapDiff(statusFields(before), statusFields(after))
	if len(changes) == 0 && action == "" {
		return before, true, nil
	}
	if err := checkAssignee(c, before, after); err != nil {
		return before, true, err
	}
	if after.ID == 0 {
		after.Version, after.SeenAt = 1, g.LastAt
		created := c.Tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&after)
		if created.Error != nil || created.RowsAffected == 0 {
			return after, false, created.Error
		}
	} else {
		c.Update(&after, "AssigneeID", "Note", "ResolvedAt", "ResolvedBy", "ResolvedAfter", "RegressedAt", "RegressedUpdate")
	}
	if action != "" {
		c.Audit(action, "error_group", after.ID, statusDetails(after))
	}
	if len(changes) > 0 {
		details := statusDetails(after)
		maps.Copy(details, changes)
		if _, ok := changes["assigneeId"]; ok {
			assignee, err := assigneeChange(c, before, after)
			if err != nil {
				return after, true, err
			}
			details["assignee"] = assignee
		}
		c.Audit("error_group.updated", "error_group", after.ID, details)
	}
	return after, true, nil
}

// resolve resolves or reopens the group, and returns the action for the audit log, "" if the group stays as it is.
func resolve(s *models.ErrorGroupStatus, resolved *bool, g models.GroupToChange, c *unit.Change) (action string) {
	switch {
	case resolved == nil, *resolved && s.Status() == models.ErrorResolved, !*resolved && s.Status() == models.ErrorOpen:
		return ""
	case *resolved:
		s.ResolvedAt, s.ResolvedBy, s.ResolvedAfter = new(c.Now()), new(c.Actor.Shown()), g.Newest
		action = "error_group.resolved"
	default:
		s.ResolvedAt, s.ResolvedBy, s.ResolvedAfter = nil, nil, map[models.Platform]time.Time{}
		action = "error_group.reopened"
	}
	s.RegressedAt, s.RegressedUpdate = nil, nil
	return action
}

// lockStatus returns the status of the group, locked, or a new status that is not stored.
func lockStatus(c *unit.Change, g models.GroupToChange) (models.ErrorGroupStatus, error) {
	rows, err := pg.All[models.ErrorGroupStatus](c.Tx.Clauses(pg.ForUpdate).
		Where("project_id = ? AND fingerprint = ?", c.Project.ID, g.Fingerprint.String()))
	if err != nil || len(rows) == 1 {
		return append(rows, models.ErrorGroupStatus{})[0], err
	}
	return models.ErrorGroupStatus{
		ProjectID: c.Project.ID, Fingerprint: g.Fingerprint.String(), ErrorName: g.ErrorName, Message: g.Message,
		ResolvedAfter: map[models.Platform]time.Time{},
	}, nil
}

// checkAssignee returns an error if the group is newly assigned to a user who is not a member of the project.
func checkAssignee(c *unit.Change, before, after models.ErrorGroupStatus) error {
	if after.AssigneeID == nil || before.AssigneeID != nil && *before.AssigneeID == *after.AssigneeID {
		return nil
	}
	members, err := pg.All[models.Member](c.Tx.Clauses(pg.ForReference).
		Where("project_id = ? AND user_id = ?", c.Project.ID, *after.AssigneeID))
	if err == nil && len(members) == 0 {
		var p models.Problems
		p.Add("assigneeId", "must be the user ID of a member of the project")
		err = p.Err()
	}
	return err
}

// assigneeChange returns the change of the assignee by email address, because people do not know the IDs of users.
func assigneeChange(c *unit.Change, before, after models.ErrorGroupStatus) (map[string]any, error) {
	var users []models.User
	err := c.Tx.Select("id", "email").Where("id IN ?", []*int64{before.AssigneeID, after.AssigneeID}).Find(&users).Error
	email := func(id *int64) any {
		for _, user := range users {
			if id != nil && user.ID == *id {
				return user.Email
			}
		}
		return nil
	}
	return map[string]any{"before": email(before.AssigneeID), "after": email(after.AssigneeID)}, err
}

func statusFields(s models.ErrorGroupStatus) map[string]any {
	return map[string]any{"assigneeId": s.AssigneeID, "note": s.Note}
}

func statusDetails(s models.ErrorGroupStatus) map[string]any {
	return map[string]any{"fingerprint": s.Fingerprint, "errorName": s.ErrorName, "message": s.Message}
}

// RegressErrorGroups marks the resolved groups of the reports that were on a newer release than the groups were resolved
// for. created returns the creation times of releases by update ID; it is called only if a resolved group was reported.
func (s *Projects) RegressErrorGroups(
	ctx context.Context, projectID int64, reports []models.ErrorReport, created func(context.Context) (map[string]time.Time, error),
) (regressed int, err error) {
	byGroup := map[string][]models.ErrorReport{}
	for _, r := range reports {
		byGroup[r.Fingerprint] = append(byGroup[r.Fingerprint], r)
	}
	fingerprints := make([]string, 0, len(byGroup))
	for f := range byGroup {
		fingerprints = append(fingerprints, f)
	}
	resolved, err := pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.ErrorGroupStatus, error) {
		return pg.All[models.ErrorGroupStatus](statusesOf(tx, projectID, fingerprints).Where("resolved_at IS NOT NULL AND regressed_at IS NULL"))
	})
	if err != nil || len(resolved) == 0 {
		return 0, err
	}
	releases, err := created(ctx)
	if err != nil {
		return 0, err
	}
	for _, group := range resolved {
		for _, r := range byGroup[group.Fingerprint] {
			at, known := releases[r.UpdateUUID]
			if !known || !group.IsNewer(r.Platform, at) {
				continue
			}
			marked, err := s.regress(ctx, projectID, group.ID, r, at)
			if err != nil {
				return regressed, err
			}
			if marked {
				regressed++
				break
			}
		}
	}
	return regressed, nil
}

// regress marks a group as regressed on a release, unless a person has just changed the group.
func (s *Projects) regress(ctx context.Context, projectID, id int64, r models.ErrorReport, created time.Time) (marked bool, err error) {
	err = s.units.Edit(ctx, projectID, errorActor, func(c *unit.Change) error {
		rows, err := pg.All[models.ErrorGroupStatus](c.Tx.Clauses(pg.ForUpdate).
			Where("project_id = ? AND id = ? AND resolved_at IS NOT NULL AND regressed_at IS NULL", projectID, id))
		if err != nil || len(rows) == 0 || !rows[0].IsNewer(r.Platform, created) {
			return err
		}
		group := rows[0]
		group.RegressedAt, group.RegressedUpdate, marked = new(c.Now()), &r.UpdateUUID, true
		c.Update(&group, "RegressedAt", "RegressedUpdate")
		details := statusDetails(group)
		details["updateUuid"], details["platform"], details["resolvedBy"] = r.UpdateUUID, r.Platform, *group.ResolvedBy
		c.Audit("error_group.regressed", "error_group", group.ID, details)
		return nil
	})
	return marked && err == nil, err
}

// OldErrorGroups returns some statuses of groups that were not seen since a time, the oldest first.
func (s *Projects) OldErrorGroups(ctx context.Context, before time.Time, most int) ([]models.ErrorGroupStatus, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.ErrorGroupStatus, error) {
		return pg.All[models.ErrorGroupStatus](tx.Where("seen_at < ?", before).Order("seen_at").Limit(most))
	})
}

// SawErrorGroup records that a group still existed at a time.
func (s *Projects) SawErrorGroup(ctx context.Context, id int64, at time.Time) error {
	return s.db.Exec(ctx, "UPDATE error_group_statuses SET seen_at = ? WHERE id = ?", at, id)
}

// ForgetErrorGroup deletes the status of a group that telemetry has deleted, unless a person has changed it since a time.
func (s *Projects) ForgetErrorGroup(ctx context.Context, id int64, seenBefore time.Time) error {
	return s.db.Exec(ctx, "DELETE FROM error_group_statuses WHERE id = ? AND seen_at < ?", id, seenBefore)
}
