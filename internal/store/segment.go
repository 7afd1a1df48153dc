package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// CreateSegment makes a segment.
func (s *Store) CreateSegment(ctx context.Context, projectID int64, actor models.Actor, n models.NewSegment) (g models.Segment, err error) {
	n.Normalize()
	if err := n.Validate(); err != nil {
		return models.Segment{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		now := tx.NowFunc()
		g = models.Segment{
			ProjectID: projectID, Key: n.Key, Name: n.Name, Description: n.Description, MatchType: n.MatchType,
			CreatedAt: now, UpdatedAt: now, ReferencedBy: []models.SegmentReference{},
		}
		if g.Conditions, err = identified(tx, nil, n.Conditions); err != nil {
			return err
		}
		if err := tx.Create(&g).Error; err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionSegmentCreated, entitySegment, g.ID, segmentDetails(g))
	})
	return g, err
}

// ListSegments returns a page of the project's segments, newest first.
func (s *Store) ListSegments(ctx context.Context, projectID int64, page models.Page) ([]models.Segment, error) {
	return reading(ctx, s, func(tx *gorm.DB) ([]models.Segment, error) {
		return allWith(tx, pageOf(tx, "segments", projectID, page), loadReferences)
	})
}

// Segment returns one segment.
func (s *Store) Segment(ctx context.Context, projectID, id int64) (models.Segment, error) {
	return reading(ctx, s, func(tx *gorm.DB) (models.Segment, error) {
		return segmentByID(tx, projectID, id)
	})
}

// UpdateSegment changes the set fields of a segment. A condition that names the
// id of a present one keeps it.
func (s *Store) UpdateSegment(
	ctx context.Context, projectID int64, actor models.Actor, id int64, patch models.SegmentPatch,
) (g models.Segment, err error) {
	if err := patch.Validate(); err != nil {
		return models.Segment{}, err
	}
	err = s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		before, err := segmentByID(tx, projectID, id)
		if err != nil {
			return err
		}
		if g, err = patchSegment(tx, before, patch); err != nil {
			return err
		}
		changes := mapDiff(segmentDetails(before), segmentDetails(g))
		if len(changes) == 0 {
			return errUnchanged
		}
		g.UpdatedAt = tx.NowFunc()
		err = tx.Model(&g).Select("Name", "Description", "MatchType", "Conditions", "UpdatedAt").Updates(&g).Error
		if err != nil {
			return err
		}
		changes["key"] = g.Key
		return audit(tx, projectID, actor, actionSegmentUpdated, entitySegment, id, changes)
	})
	return g, err
}

// patchSegment returns the segment as the patch makes it, without writing it.
func patchSegment(tx *gorm.DB, g models.Segment, patch models.SegmentPatch) (_ models.Segment, err error) {
	models.Assign(&g.Name, patch.Name)
	models.Assign(&g.Description, patch.Description)
	models.Assign(&g.MatchType, patch.MatchType)
	if patch.Conditions != nil {
		g.Conditions, err = identified(tx, g.Conditions, *patch.Conditions)
	}
	return g, err
}

// identified gives every condition an id: the one that it names, when that is of
// a present condition and not taken, else a new one.
func identified(tx *gorm.DB, present, listed []models.Condition) (conditions []models.Condition, err error) {
	free := map[int64]bool{}
	for _, c := range present {
		free[c.ID] = true
	}
	conditions = slices.Clone(listed)
	for i := range conditions {
		c := &conditions[i]
		if c.Values == nil {
			c.Values = []string{}
		}
		if free[c.ID] {
			delete(free, c.ID)
			continue
		}
		if c.ID, err = nextID(tx); err != nil {
			return nil, err
		}
	}
	return conditions, nil
}

// DeleteSegment deletes a segment that no rule refers to.
func (s *Store) DeleteSegment(ctx context.Context, projectID int64, actor models.Actor, id int64) error {
	return s.change(ctx, projectID, func(tx *gorm.DB, _ *models.Project) error {
		g, err := segmentByID(tx, projectID, id)
		if err != nil {
			return err
		}
		if len(g.ReferencedBy) > 0 {
			return models.Errorf(models.CodeInUse, "segment %q is used by %s", g.Key, referenceList(g.ReferencedBy))
		}
		if err := tx.Exec("DELETE FROM segments WHERE id = ?", id).Error; err != nil {
			return err
		}
		return audit(tx, projectID, actor, actionSegmentDeleted, entitySegment, id, segmentDetails(g))
	})
}

func segmentByID(tx *gorm.DB, projectID, id int64) (models.Segment, error) {
	return oneWith(tx, tx.Where("project_id = ? AND id = ?", projectID, id), loadReferences, "segment %d", id)
}

// loadReferences fills in the rules that refer to the segments, with one query.
func loadReferences(tx *gorm.DB, segments []models.Segment) error {
	at, ids := indexed(segments, func(g *models.Segment) int64 { return g.ID })
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

func referenceList(references []models.SegmentReference) string {
	return someOf(each(references, func(r models.SegmentReference) string {
		return fmt.Sprintf("rule %d of flag %q", r.RuleID, r.FlagKey)
	}))
}

// segmentDetails returns what the audit log records of a segment.
func segmentDetails(g models.Segment) map[string]any {
	return map[string]any{
		"key": g.Key, "name": g.Name, "description": g.Description, "matchType": g.MatchType, "conditions": g.Conditions,
	}
}
