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

// CreateSegment creates a segment.
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
		c.ExemptFromApproval(unit.NoChannel) // flags do not refer to a new segment
		c.Audit("segment.created", "segment", g.ID, segmentDetails(g))
		return g, nil
	})
}

var segmentList = pg.List{
	Table: "segments", Owner: "project_id",
	Sorts: map[string]pg.SortBy{
		"createdAt": pg.ByTime("segments.created_at"), "key": pg.ByText("segments.key"), "name": pg.ByText("segments.name"),
		"updatedAt": pg.ByTime("segments.updated_at"),
	},
	Matches: "search_words(project_id, '{}', key, name, description) @@ search_query(?, ?)",
	Texts:   []string{"segments.key", "segments.name"},
}

// ListSegments returns a page of the project's segments, newest first.
func (s *Flags) ListSegments(ctx context.Context, projectID int64, page models.Page) ([]models.Segment, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) ([]models.Segment, error) {
		return pg.RowsWith(tx, tx, segmentList, projectID, page, loadReferences)
	})
}

// Segment returns one segment.
func (s *Flags) Segment(ctx context.Context, projectID, id int64) (models.Segment, error) {
	return pg.Reading(ctx, s.db.Read, func(tx *gorm.DB) (models.Segment, error) {
		return segmentByID(tx, projectID, id)
	})
}

// UpdateSegment changes the set fields of a segment. Conditions with known IDs keep them.
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

// askForSegment requires approval for a change of a segment. Devices notice the change on the channels of the rules
// that refer to the segment.
func askForSegment(c *unit.Change, before, g models.Segment) {
	changes := unit.MapDiff(segmentMatch(before), segmentMatch(g))
	if len(changes) == 0 {
		c.ExemptFromApproval(unit.NoChannel) // devices get neither the name nor the description
		return
	}
	flags := slices.Compact(slices.Sorted(slices.Values(pg.Each(g.ReferencedBy, func(r models.SegmentReference) string { return r.FlagKey }))))
	c.RequireApproval(unit.Effect{
		On: segmentReach(g.ID), Basis: []any{g.ID, flags, changes},
		Summary: fmt.Sprintf("change segment %q, which is used by the flags %s: from devices where %s to devices where %s", g.Key,
			pg.SomeOf(flags), segmentSummary(before), segmentSummary(g)),
	})
}

// segmentMatch returns the properties that determine which devices are in a segment. It leaves out the IDs of
// conditions, because they change if a call is applied later.
func segmentMatch(g models.Segment) map[string]any {
	conditions := slices.Clone(g.Conditions)
	for i := range conditions {
		conditions[i].ID = 0
	}
	return map[string]any{"matchType": g.MatchType, "conditions": conditions}
}

// segmentReach returns a reach of the channels of the rules that refer to a segment.
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

// withIDs returns the listed conditions with IDs. A condition keeps its ID if a present condition has that ID and no
// earlier condition in the list took it. Otherwise it gets a new ID.
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

// DeleteSegment deletes a segment unless a rule refers to it.
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
		c.ExemptFromApproval(unit.NoChannel) // flags do not refer to the segment
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

// segmentDetails returns the audit log's representation of a segment.
func segmentDetails(g models.Segment) map[string]any {
	return map[string]any{
		"key": g.Key, "name": g.Name, "description": g.Description, "matchType": g.MatchType, "conditions": g.Conditions,
	}
}
