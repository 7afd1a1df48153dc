package accountstore

import (
	"context"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/unit"
	"github.com/waft-ota/waft/models"
)

// KnownAccounts returns models.User.EmailKey of the accounts that have signed in from any of the networks during
// models.KnownNetworkLife. It returns at most models.MaxKnownAccounts, the most recent sign-ins first.
func (s *Accounts) KnownAccounts(ctx context.Context, networks []models.NetworkHash) ([]string, error) {
	since := s.db.Clock().Add(-models.KnownNetworkLife)
	return pg.Reading(ctx, s.db.ReadOne, func(db *gorm.DB) (keys []string, err error) {
		err = db.Table("known_networks").Joins("JOIN users ON users.id = known_networks.user_id").
			Where("known_networks.network IN ? AND known_networks.signed_in_at > ?", pg.Each(networks, storedNetwork), since).
			Order("known_networks.signed_in_at DESC").Limit(models.MaxKnownAccounts).Pluck("users.email_key", &keys).Error
		return keys, err
	})
}

// learnNetwork marks the network of a sign-in as known for the user. It deletes known networks that are too old or
// exceed the maximum.
func learnNetwork(c *unit.Change, u models.User, network models.NetworkHash) {
	if network == 0 {
		return
	}
	c.Exec(`INSERT INTO known_networks (user_id, network, signed_in_at) SELECT ?::bigint, ?::bigint, ?::timestamptz
		ON CONFLICT (user_id, network) DO UPDATE SET signed_in_at = excluded.signed_in_at`, u.ID, storedNetwork(network), c.Now())
	c.Exec(`DELETE FROM known_networks WHERE user_id = ? AND (signed_in_at <= ? OR network IN (
			SELECT network FROM known_networks WHERE user_id = ? ORDER BY signed_in_at DESC, network OFFSET ?))`,
		u.ID, c.Now().Add(-models.KnownNetworkLife), u.ID, models.MaxKnownNetworks)
}

// forgetNetworks deletes all known networks of the user.
func forgetNetworks(c *unit.Change, u models.User) {
	c.Exec("DELETE FROM known_networks WHERE user_id = ?", u.ID)
}

// storedNetwork returns the hash as a signed integer, because Postgres does not have unsigned ones.
func storedNetwork(network models.NetworkHash) int64 { return int64(network) }
