package unit

import "github.com/waft-ota/waft/models"

// counted describes the rows of a table that count towards a quota.
type counted struct{ table, what, live string }

// countedBy lists the record quotas. Each has an index that begins with the project and contains only the rows that
// count, so that 100,000 rows are counted within milliseconds.
var countedBy = map[models.Quota]counted{
	models.QuotaFlags:    {"flags", "flags of the project", "true"},
	models.QuotaSegments: {"segments", "segments of the project", "true"},
	models.QuotaChannels: {"channels", "channels of the project", "true"},
	models.QuotaBranches: {"branches", "branches of the project", "deleted_at IS NULL"},
	models.QuotaReleases: {"releases", "releases of the project", "deleted_at IS NULL"},
	models.QuotaLinkedFlags: {
		"release_flags", "flags linked by releases of the project",
		"EXISTS (SELECT FROM releases WHERE releases.id = release_flags.release_id AND deleted_at IS NULL)",
	},
	models.QuotaPolicies:  {"rollout_policies", "rollout policies of the project", "true"},
	models.QuotaWebhooks:  {"webhooks", "webhooks of the project", "true"},
	models.QuotaAPIKeys:   {"api_keys", "API keys of the project that are not revoked", "revoked_at IS NULL AND publisher_id IS NULL"},
	models.QuotaOverrides: {"user_overrides", "user overrides of the project", "true"},
	models.QuotaApprovals: {"approvals", "pending approvals of the project", "status = 'pending'"},
}

// MakeRoom fails if one more record would exceed the quota. Until the transaction ends, no other transaction can add
// one.
func (c *Change) MakeRoom(quota models.Quota) { c.MakeRoomFor(quota, 1) }

// MakeRoomFor fails if more records would exceed the quota, like MakeRoom.
func (c *Change) MakeRoomFor(quota models.Quota, more int) {
	limit, bound := c.Quotas[quota]
	if !bound || more <= 0 {
		return
	}
	c.Alone(Records(quota))
	c.Do(func() error {
		of, has := countedBy[quota], int64(0)
		err := c.Tx.Raw("SELECT count(*) FROM (SELECT FROM "+of.table+" WHERE project_id = ? AND "+of.live+" LIMIT ?) AS held",
			c.Project.ID, limit).Scan(&has).Error
		if err != nil {
			return err
		}
		return c.Quotas.Check(quota, of.what, has, int64(more))
	})
}
