package accountstore

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// TrustedPublishers returns the project's trusted publishers in the order of their list.
func (s *Accounts) TrustedPublishers(ctx context.Context, projectID int64) ([]models.TrustedPublisher, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.TrustedPublisher, error) { return publishersOf(db, projectID) })
}

func publishersOf(tx *gorm.DB, projectID int64) ([]models.TrustedPublisher, error) {
	return pg.All[models.TrustedPublisher](tx.Where("project_id = ?", projectID).Order("position"))
}

// PublishersOfIssuer returns the trusted publishers for the issuer in the project with the slug, in the order of their
// list. For a project that does not exist, it returns an empty list.
func (s *Accounts) PublishersOfIssuer(ctx context.Context, slug, issuer string) ([]models.TrustedPublisher, error) {
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) ([]models.TrustedPublisher, error) {
		return pg.All[models.TrustedPublisher](db.
			Where("project_id = (SELECT id FROM projects WHERE slug = ?) AND issuer = ?", slug, issuer).Order("position"))
	})
}

// PutTrustedPublishers replaces the project's trusted publishers. An unchanged publisher keeps its ID and its keys; the
// keys of all others are revoked.
func (s *Accounts) PutTrustedPublishers(
	ctx context.Context, projectID int64, actor models.Actor, n models.NewTrustedPublishers,
) ([]models.TrustedPublisher, error) {
	return unit.Apply(ctx, s.units.Edit, projectID, actor, n, func(c *unit.Change) ([]models.TrustedPublisher, error) {
		if err := c.ReadProject(); err != nil {
			return nil, err
		}
		c.Alone(unit.Publishers) // channels cannot be deleted until the transaction ends
		if err := checkPublisherChannels(c, n); err != nil {
			return nil, err
		}
		before, err := publishersOf(c.Tx, projectID)
		if err != nil {
			return nil, err
		}
		maker, err := makerOf(c.Tx, projectID, actor)
		if err != nil {
			return nil, err
		}
		after, kept := placePublishers(c, n, before, maker)
		changed := len(after) != len(before) || len(kept) != len(before)
		for _, p := range before {
			if !kept[p.ID] {
				c.Exec("DELETE FROM trusted_publishers WHERE id = ?", p.ID)
				c.Do(func() error { return revokeKeysOf(c, p.ID) })
			}
		}
		for i := range after {
			switch {
			case after[i].ID == 0:
				c.Create(&after[i])
			case after[i].Position != i:
				after[i].Position, changed = i, true
				c.Update(&after[i], "Position")
			}
		}
		if changed {
			c.Audit("trusted_publishers.updated", "project", projectID, map[string]any{
				"before": pg.Each(before, publisherDetails), "after": pg.Each(after, publisherDetails),
			})
		}
		return after, nil
	})
}

// placePublishers returns the new list of publishers. Publishers that already exist keep their ID and position; kept
// contains their IDs.
func placePublishers(
	c *unit.Change, n models.NewTrustedPublishers, before []models.TrustedPublisher, maker *int64,
) (after []models.TrustedPublisher, kept map[int64]bool) {
	kept = map[int64]bool{}
	after = make([]models.TrustedPublisher, len(n))
	for i, one := range n {
		after[i] = one.Publisher(c.Project.ID, i, c.Now())
		after[i].MadeBy = maker
		if at := slices.IndexFunc(before, after[i].Equal); at >= 0 {
			after[i] = before[at]
			kept[after[i].ID] = true
		}
	}
	return after, kept
}

func publisherDetails(p models.TrustedPublisher) map[string]any {
	return map[string]any{
		"id": p.ID, "issuer": p.Issuer, "audience": p.Audience, "claims": p.Claims, "role": p.Role, "channels": p.Channels,
	}
}

// checkPublisherChannels refuses channels that the project does not have.
func checkPublisherChannels(c *unit.Change, n models.NewTrustedPublishers) error {
	var named []string
	for _, one := range n {
		named = append(named, one.Channels...)
	}
	if len(named) == 0 {
		return nil
	}
	var exist []string
	err := c.Tx.Table("channels").Where("project_id = ? AND name IN ?", c.Project.ID, named).Pluck("name", &exist).Error
	if err != nil {
		return err
	}
	var p models.Problems
	for i, one := range n {
		for j, channel := range one.Channels {
			if !slices.Contains(exist, channel) {
				p.Add(fmt.Sprintf("[%d].channels[%d]", i, j), "channel %q does not exist in this project", channel)
			}
		}
	}
	return p.Err()
}

// revokeKeysOf revokes all keys of a publisher. It includes expired keys, because a call of theirs may be waiting for
// approval and must not be applied any more.
func revokeKeysOf(c *unit.Change, publisherID int64) error {
	working, err := pg.All[models.APIKey](c.Tx.Clauses(pg.ForUpdate).
		Where("publisher_id = ? AND revoked_at IS NULL AND expires_at > ?", publisherID, c.Now()).Order("id"))
	for _, k := range working {
		revokeKey(c, k)
	}
	c.Exec("UPDATE api_keys SET revoked_at = ? WHERE publisher_id = ? AND revoked_at IS NULL", c.Now(), publisherID)
	return err
}

// CheckNoPublisher refuses to delete a channel that a trusted publisher is limited to. Otherwise the publisher would
// get access to a later channel of the same name.
func CheckNoPublisher(tx *gorm.DB, channel models.Channel) error {
	publishers, err := publishersOf(tx, channel.ProjectID)
	if err != nil {
		return err
	}
	var limited []int64
	for _, p := range publishers {
		if slices.Contains(p.Channels, channel.Name) {
			limited = append(limited, p.ID)
		}
	}
	if len(limited) == 0 {
		return nil
	}
	return models.Errorf(models.CodeInUse, "channel %q is used by %s", channel.Name, pg.NamedIDs("trusted publisher", limited))
}
