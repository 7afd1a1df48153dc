package releasestore

import (
	"errors"
	"slices"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/decide/offer"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// contentAfter returns the release whose content replaces the content of the reverted release bad; found is false for the
// embedded update. Normally, it is the newest earlier release on the branch that every device gets. But a channel that
// was pointed to the branch later may never have offered that release. Then contentAfter returns the newest release
// that the channel did offer, on any branch. The protected channels of the branch decide; if none is protected, the
// channel that bad was published to decides.
func contentAfter(c *unit.Change, bad models.Release) (older models.Release, found bool, err error) {
	older, found, err = newestForEverybody(c.Tx, bad, "<")
	if err != nil || !found || older.Kind == models.KindRollbackToEmbedded {
		return older, found, err
	}
	uses, err := usesOf(c, bad)
	if err != nil || len(uses) == 0 {
		return older, found, err
	}
	origin, err := originOf(c.Tx, older.ID)
	if err != nil {
		return older, found, err
	}
	ever := c.EverOffered(pg.Each(uses, func(u use) int64 { return u.channelID }), []int64{origin})
	if !slices.ContainsFunc(uses, func(u use) bool { return !offer.Offered(u.channelID, origin, u.share, ever) }) {
		return older, true, c.Err
	}
	return newestOffered(c.Tx, bad, uses)
}

// use is a channel that offers a release, or did until now, to a percentage of its devices.
type use struct {
	channelID int64
	share     float64
}

// usesOf returns the channels that decide on the successor of a release.
func usesOf(c *unit.Change, r models.Release) (uses []use, err error) {
	channels := unit.ChannelsWithBranch(r.BranchID)(c)
	protected := slices.ContainsFunc(channels, func(channel models.Channel) bool { return channel.IsProtected })
	for _, channel := range channels {
		if protected && !channel.IsProtected || !protected && (r.Channel == nil || *r.Channel != channel.Name) {
			continue
		}
		u := use{channel.ID, r.ReachedPercentage}
		if channel.BranchID != r.BranchID {
			u.share *= *channel.RolloutPercentage / everybody
		}
		uses = append(uses, u)
	}
	return uses, c.Err
}

// originOf returns the ID of the release that a release repeats, directly or through other releases. If the release
// does not repeat another one, originOf returns the release's own ID.
func originOf(tx *gorm.DB, id int64) (origin int64, err error) {
	err = tx.Raw(`WITH RECURSIVE repeated AS (
			SELECT id, republished_from_id FROM releases WHERE id = ?
			UNION ALL
			SELECT earlier.id, earlier.republished_from_id FROM repeated JOIN releases AS earlier ON earlier.id = repeated.republished_from_id)
		SELECT id FROM repeated WHERE republished_from_id IS NULL`, id).Scan(&origin).Error
	return origin, err
}

// newestOffered returns the newest live, enabled release that all channels in uses have offered to at least as many
// devices as bad reached.
func newestOffered(tx *gorm.DB, bad models.Release, uses []use) (found models.Release, ok bool, err error) {
	q := SelectReleases(tx).Joins("JOIN channel_offers AS offered ON offered.release_id = releases.id AND offered.channel_id = ?", uses[0].channelID).
		Where("releases.project_id = ? AND releases.platform = ? AND releases.runtime_version = ?", bad.ProjectID, bad.Platform, bad.RuntimeVersion).
		Where("releases.is_enabled AND releases.deleted_at IS NULL AND releases.id <> ?", bad.ID).
		Where("(releases.branch_id <> ? OR "+placeOfRelease+" < (?, ?))", bad.BranchID, bad.Place(), bad.CreatedAt)
	for _, u := range uses {
		q = q.Where("EXISTS (SELECT FROM channel_offers WHERE channel_id = ? AND origin_id = offered.origin_id AND percentage >= ?)",
			u.channelID, u.share-offer.Rounding)
	}
	err = q.Order("releases.created_at DESC").Take(&found).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return found, false, nil
	}
	return found, err == nil, err
}
