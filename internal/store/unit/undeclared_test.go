package unit

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

// A method that is added later cannot forget to declare its effect: its transaction fails.
func TestAChangeThatSaysNothingOfDevicesFails(t *testing.T) {
	t.Parallel()
	databaseURL := enginetest.Postgres(t)
	require.NoError(t, pg.Migrate(t.Context(), databaseURL))
	db, err := pg.Open(t.Context(), databaseURL, pg.Config{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	s := New(db, Config{})
	id := int64(1)
	require.NoError(t, db.Exec(t.Context(), `INSERT INTO projects (id, uuid, name, slug, created_at, snapshot_version, last_release_millis,
			sealed_hash_key)
		VALUES (?, gen_random_uuid(), 'demo', 'demo', now(), 0, 0, '')`, id))
	rename := func(say func(c *Change)) error {
		return s.ChangeServed(t.Context(), id, models.SystemActor("test"), func(c *Change) error {
			c.Exec("UPDATE projects SET name = 'renamed' WHERE id = ?", id)
			say(c)
			return nil
		})
	}
	require.ErrorIs(t, rename(func(*Change) {}), errNotAsked)
	var name string
	require.NoError(t, db.Read(t.Context(), func(tx *gorm.DB) error { return tx.Raw("SELECT name FROM projects").Row().Scan(&name) }))
	require.Equal(t, "demo", name)
	require.NoError(t, rename(func(c *Change) { c.ExemptFromApproval(EveryChannel) }))
}
