package unit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/waft-ota/waft/internal/decide/offer"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// selectHeads reads the releases that devices of channels can get: one row per channel and release, with the release
// that it originally repeats. It finds the platforms and runtime versions of a branch step by step in an index, so that
// its cost does not depend on the number of releases. %s stands for the condition on channels.
const selectHeads = `
	WITH RECURSIVE offering AS (SELECT * FROM channels WHERE project_id = @project AND %s),
	streams AS (
		SELECT branches.id AS branch_id, branches.name AS branch_name, first.platform, first.runtime_version
		FROM branches CROSS JOIN LATERAL (
			SELECT platform, runtime_version FROM releases WHERE branch_id = branches.id AND deleted_at IS NULL
			ORDER BY platform DESC, runtime_version DESC LIMIT 1) AS first
		WHERE branches.id IN (SELECT branch_id FROM offering UNION SELECT rollout_branch_id FROM offering)
		UNION ALL
		SELECT streams.branch_id, streams.branch_name, next.platform, next.runtime_version
		FROM streams CROSS JOIN LATERAL (
			SELECT platform, runtime_version FROM releases WHERE branch_id = streams.branch_id AND deleted_at IS NULL
				AND (platform, runtime_version) < (streams.platform, streams.runtime_version)
			ORDER BY platform DESC, runtime_version DESC LIMIT 1) AS next)
	SELECT releases.*, streams.branch_name, rollout_executions.id AS rollout_execution_id, origin.id AS origin_id,
		offering.id AS by_id, offering.name AS by_name, offering.branch_id AS by_branch_id,
		offering.rollout_branch_id AS by_rollout_branch_id, offering.rollout_percentage AS by_rollout_percentage,
		offering.min_runtime_version AS by_min_runtime_version, offering.is_paused AS by_is_paused, ` + LinkedFlagsColumn + `
	FROM streams LEFT JOIN LATERAL (
		SELECT coalesce(place_at, created_at) AS place, created_at FROM releases
		WHERE releases.branch_id = streams.branch_id AND releases.platform = streams.platform
			AND releases.runtime_version = streams.runtime_version
			AND deleted_at IS NULL AND is_enabled AND rollout_percentage = 100
		ORDER BY coalesce(place_at, created_at) DESC, created_at DESC LIMIT 1) AS everybody ON true
	JOIN releases ON releases.branch_id = streams.branch_id AND releases.platform = streams.platform
		AND releases.runtime_version = streams.runtime_version AND releases.deleted_at IS NULL
		AND (coalesce(releases.place_at, releases.created_at), releases.created_at)
			>= (coalesce(everybody.place, '-infinity'), coalesce(everybody.created_at, '-infinity'))
	JOIN offering ON releases.branch_id IN (offering.branch_id, offering.rollout_branch_id)
	LEFT JOIN rollout_executions ON rollout_executions.update_id = releases.id AND rollout_executions.status IN ('running', 'paused')
	CROSS JOIN LATERAL (
		WITH RECURSIVE repeated AS (
			SELECT releases.id, releases.republished_from_id
			UNION ALL
			SELECT earlier.id, earlier.republished_from_id FROM repeated JOIN releases AS earlier ON earlier.id = repeated.republished_from_id)
		SELECT id FROM repeated WHERE republished_from_id IS NULL) AS origin
	WHERE releases.is_enabled AND (releases.rollout_percentage > 0 OR rollout_executions.id IS NOT NULL) OR releases.id IN @made
	ORDER BY offering.id, coalesce(releases.place_at, releases.created_at) DESC, releases.created_at DESC`

// offered is a release that devices of a channel can get, together with the channel.
type offered struct {
	offer.Head
	By models.Channel `gorm:"embedded;embeddedPrefix:by_"`
}

// offers returns the offers of the project's channels that satisfy a condition, including paused channels. It sees the
// effects of the change.
func (c *Change) offers(which string, args map[string]any) (offers []models.Offer) {
	call := offer.Call{Made: c.made, Guarded: c.guarded}
	params := map[string]any{"project": c.Project.ID, "made": append([]int64{0}, c.made...)}
	maps.Copy(params, args)
	c.Do(func() error {
		var rows []offered
		err := c.Tx.Raw(fmt.Sprintf(selectHeads, which), params).Scan(&rows).Error
		for len(rows) > 0 {
			by := rows[0].By
			var heads []offer.Head
			for len(rows) > 0 && rows[0].By.ID == by.ID {
				heads, rows = append(heads, rows[0].Head), rows[1:]
			}
			offers = append(offers, call.Of(by, heads)...)
		}
		return err
	})
	return offers
}

// offersOf returns the offers of the channels after the change.
func (c *Change) offersOf(channels []models.Channel) []models.Offer {
	if len(channels) == 0 {
		return nil
	}
	return c.offers("channels.id IN @channels", map[string]any{"channels": idsOf(channels)})
}

func idsOf(channels []models.Channel) []int64 {
	return pg.Each(channels, func(ch models.Channel) int64 { return ch.ID })
}

// rememberOffers reads the protected channels' offers before the change, if the change may need approval.
func (c *Change) rememberOffers() {
	if !c.Project.HasProtected || c.Actor.Internal() || c.preview != nil {
		return
	}
	c.offered = c.offers("channels.is_protected", nil)
	c.guarded = pg.Each(c.offered, func(o models.Offer) int64 { return o.BranchID })
}

// changedOffers returns how the change has affected the channels' offers.
func (c *Change) changedOffers(channels []models.Channel) []models.OfferChange {
	ids := idsOf(channels)
	before := slices.DeleteFunc(slices.Clone(c.offered), func(o models.Offer) bool { return !slices.Contains(ids, o.ChannelID) })
	return offer.Changes(before, c.offersOf(channels))
}

// Made records that the change has created a release.
func (c *Change) Made(releaseID int64) { c.made = append(c.made, releaseID) }

// largestOffers returns the current offers of the channels affected by the change. For each channel and release, Waft
// stores the largest percentage of devices to which the channel has ever offered the release. A rollback to a release
// that a channel has already offered does not need approval.
func (c *Change) largestOffers() []models.LargestOffer {
	c.made = nil // a created release has its final ID by now
	largest := []models.LargestOffer{}
	for _, o := range c.offers(touchedChannels, nil) {
		if !o.Paused && o.Reach > 0 && o.Kind == models.KindUpdate {
			largest = append(largest, models.LargestOffer{
				ProjectID: c.Project.ID, ChannelID: o.ChannelID, ReleaseID: o.ReleaseID, OriginID: o.OriginID,
				Platform: o.Platform, RuntimeVersion: o.RuntimeVersion, Percentage: o.Reach,
			})
		}
	}
	return largest
}

// keepLargestOffers stores models.LargestOffer records, given as JSON, whose percentage is larger than the channel's
// stored percentage.
const keepLargestOffers = `
	INSERT INTO channel_offers (project_id, channel_id, release_id, origin_id, platform, runtime_version, percentage)
	SELECT "ProjectID", "ChannelID", "ReleaseID", "OriginID", "Platform", "RuntimeVersion", max("Percentage")
	FROM jsonb_to_recordset(?::jsonb) AS offers ("ProjectID" bigint, "ChannelID" bigint, "ReleaseID" bigint, "OriginID" bigint,
		"Platform" text, "RuntimeVersion" text, "Percentage" double precision)
	GROUP BY 1, 2, 3, 4, 5, 6
	ON CONFLICT (channel_id, release_id) DO UPDATE SET percentage = excluded.percentage
	WHERE channel_offers.percentage < excluded.percentage`

// touchedChannels is a condition that selects the channels that the transaction has changed, and the channels of
// branches whose releases it has changed.
const touchedChannels = `EXISTS (SELECT FROM snapshot_changes changes
	LEFT JOIN releases ON releases.id = CASE changes.part WHEN 'releases' THEN changes.key::bigint END
	WHERE changes.project_id = @project AND changes.changed_tx = pg_current_xact_id()
		AND (changes.part = 'channels' AND changes.key = channels.id::text
			OR releases.branch_id IN (channels.branch_id, channels.rollout_branch_id)))`

// newOffers returns the channels' offers after the change that a channel has never made before.
func (c *Change) newOffers(channels []models.Channel) []models.Offer {
	offers := c.offersOf(channels)
	origins := pg.Each(offers, func(o models.Offer) int64 { return o.OriginID })
	return offer.New(offers, c.EverOffered(idsOf(channels), origins))
}

// EverOffered returns the largest percentages of devices to which the channels have ever offered releases that repeat
// one of origins.
func (c *Change) EverOffered(channels, origins []int64) (ever []models.LargestOffer) {
	c.Do(func() (err error) {
		ever, err = pg.All[models.LargestOffer](c.Tx.Where("channel_id IN ? AND origin_id IN ?", channels, origins))
		return err
	})
	return ever
}

// RequireApprovalOfNew accepts a change after which devices get less, or what they had before. It requires approval
// only if a protected channel would offer a release that it has never offered, or to more devices than ever before.
func (c *Change) RequireApprovalOfNew(e Effect) {
	on := c.affects(e.On)
	if c.Actor.Internal() {
		return
	}
	found := c.newOffers(protectedOf(on))
	if len(found) == 0 {
		return
	}
	var parts []string
	for _, o := range found {
		parts = append(parts, fmt.Sprintf("%s to %g%% of the devices of channel %q (%s, runtime version %s)",
			offer.Name(o), o.Reach, o.Channel, o.Platform.Shown(), o.RuntimeVersion))
	}
	e.Summary += ", which would give " + pg.SomeOf(parts) + "; the channel has never offered this"
	c.ask(e, on)
}
