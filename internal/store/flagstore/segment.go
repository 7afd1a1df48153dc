package flagstore

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// CreateSegment makes a segment.
func (s *Flags) CreateSegment(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewSegment,
) (models.Segment, error) {
	n.Normalize()
	return unit.Apply(ctx, s.changeServed, projectID, actor, n, func(c *unit.Change) (models.Segment, error) {
		now := c.Now()
		g := models.Segment{
			ProjectID: projectID, Key: n.Key, Name: n.Name, Description: n.Description, MatchType: n.MatchType,
			Conditions: withIDs(c, nil, n.Conditions), CreatedAt: now, UpdatedAt: now, ReferencedBy: []models.SegmentReference{},
		}
		c.MakeRoom(models.QuotaSegments)
		c.Create(&g)
		checkPatterns(c, "conditions", nil, g.Conditions)
		c.ExemptFromApproval(unit.NoChannel) // no flag refers to a new segment
		c.Audit("segment.created", "segment", g.ID, segmentDetails(g))
		return g, nil
	})
}

// ListSegments returns a page of the project's segments, newest first.
func (s *Flags) ListSegments(ctx context.Context, projectID int64, page models.Page) ([]models.Segment, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Segment, error) {
		return pg.AllWith(tx, pg.PageOf(tx, "segments", projectID, page), loadReferences)
	})
}

// Segment returns one segment.
func (s *Flags) Segment(ctx context.Context, projectID, id int64) (models.Segment, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Segment, error) {
		return segmentByID(tx, projectID, id)
	})
}

// UpdateSegment changes the set fields of a segment. Conditions with known ids keep them.
func (s *Flags) UpdateSegment(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.SegmentPatch,
) (models.Segment, error) {
	return unit.Apply(ctx, s.changeServed, projectID, actor, patch, func(c *unit.Change) (models.Segment, error) {
		before, err := segmentByID(c.Tx, projectID, id)
		if err != nil {
			return before, err
		}
		c.Match(id, before)
		g := before
		models.Assign(&g.Name, patch.Name)
		models.Assign(&g.Description, patch.Description)
		models.Assign(&g.MatchType, patch.MatchType)
		if patch.Conditions != nil {
			g.Conditions = withIDs(c, g.Conditions, *patch.Conditions)
		}
		changes := unit.MapDiff(segmentDetails(before), segmentDetails(g))
		if len(changes) == 0 {
			return g, unit.ErrUnchanged
		}
		g.UpdatedAt = c.Now()
		c.Update(&g, "Name", "Description", "MatchType", "Conditions", "UpdatedAt")
		checkPatterns(c, "conditions", before.Conditions, g.Conditions)
		askForSegment(c, before, g)
		changes["key"] = g.Key
		c.Audit("segment.updated", "segment", id, changes)
		return g, nil
	})
}

// askForSegment asks for a change of a segment, which devices notice on the channels of the rules that refer to it.
func askForSegment(c *unit.Change, before, g models.Segment) {
	changes := unit.MapDiff(segmentMatch(before), segmentMatch(g))
	if len(changes) == 0 {
		c.ExemptFromApproval(unit.NoChannel) // devices get neither the name nor the description
		return
	}
	flags := slices.Compact(slices.Sorted(slices.Values(pg.Each(g.ReferencedBy, func(r models.SegmentReference) string { return r.FlagKey }))))
	c.RequireApproval(unit.Effect{
		On: segmentReach(g.ID), Basis: []any{g.ID, changes},
		Summary: fmt.Sprintf("change who is in segment %q, which the flags %s use: from devices where %s to devices where %s", g.Key,
			pg.SomeOf(flags), segmentSummary(before), segmentSummary(g)),
	})
}

// segmentMatch is what decides who is in a segment: what people wrote, without the ids of conditions, which a call that is carried out
// later gives anew.
func segmentMatch(g models.Segment) map[string]any {
	conditions := slices.Clone(g.Conditions)
	for i := range conditions {
		conditions[i].ID = 0
	}
	return map[string]any{"matchType": g.MatchType, "conditions": conditions}
}

// segmentReach is that of the rules that refer to a segment.
func segmentReach(id int64) unit.Reach {
	return func(c *unit.Change) []models.Channel {
		var rules []struct{ Name *string }
		c.Do(func() error {
			return c.Tx.Table("flag_rules").Joins("LEFT JOIN channels ON channels.id = flag_rules.channel_id").
				Select("channels.name").Where("flag_rules.segment_id = ?", id).Order("flag_rules.id").Find(&rules).Error
		})
		return unit.ChannelsNamed(pg.Each(rules, func(r struct{ Name *string }) *string { return r.Name })...)(c)
	}
}

// withIDs gives every listed condition an id: the one that it names, when that is of a
// present condition and not taken, else a new one.
func withIDs(c *unit.Change, present, listed []models.Condition) []models.Condition {
	free := map[int64]bool{}
	for _, condition := range present {
		free[condition.ID] = true
	}
	conditions := slices.Clone(listed)
	for i := range conditions {
		condition := &conditions[i]
		if condition.Values == nil {
			condition.Values = []string{}
		}
		if free[condition.ID] {
			delete(free, condition.ID)
		} else {
			condition.ID = c.NextID()
		}
	}
	return conditions
}

// DeleteSegment deletes a segment that no rule refers to.
func (s *Flags) DeleteSegment(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.changeServed(ctx, projectID, actor, func(c *unit.Change) error {
		g, err := segmentByID(c.Tx, projectID, id)
		if err != nil {
			return err
		}
		c.Match(id, g)
		if len(g.ReferencedBy) > 0 {
			rules := pg.SomeOf(pg.Each(g.ReferencedBy, func(r models.SegmentReference) string {
				return fmt.Sprintf("rule %d of flag %q", r.RuleID, r.FlagKey)
			}))
			return models.Errorf(models.CodeInUse, "segment %q is used by %s", g.Key, rules)
		}
		c.Exec("DELETE FROM segments WHERE id = ?", id)
		c.ExemptFromApproval(unit.NoChannel) // no flag refers to the segment
		c.Audit("segment.deleted", "segment", id, segmentDetails(g))
		return nil
	})
}

func segmentByID(tx *gorm.DB, projectID, id int64) (models.Segment, error) {
	return pg.OneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadReferences, "segment %d", id)
}

// loadReferences fills in the rules that refer to the segments, with one query.
func loadReferences(tx *gorm.DB, segments []models.Segment) error {
	at, ids := pg.Indexed(segments, func(g *models.Segment) int64 { return g.ID })
	for i := range segments {
		segments[i].ReferencedBy = []models.SegmentReference{}
	}
	var rules []struct {
		SegmentID int64
		models.SegmentReference
	}
	err := tx.Table("flag_rules").
		Select("flag_rules.segment_id, flag_rules.flag_id, flag_rules.id AS rule_id, "+
			"(SELECT key FROM flags WHERE flags.id = flag_rules.flag_id) AS flag_key").
		Where("flag_rules.segment_id IN ?", ids).Order("flag_rules.id").Find(&rules).Error
	for _, r := range rules {
		g := at[r.SegmentID]
		g.ReferencedBy = append(g.ReferencedBy, r.SegmentReference)
	}
	return err
}

// segmentDetails returns what the audit log records of a segment.
func segmentDetails(g models.Segment) map[string]any {
	return map[string]any{
		"key": g.Key, "name": g.Name, "description": g.Description, "matchType": g.MatchType, "conditions": g.Conditions,
	}
}
