package unit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store/pg"
)

func TestARelayedMessageHasItsTime(t *testing.T) {
	t.Parallel()
	require.Greater(t, pg.IdleTransactionLimit, RelayTimeout+pg.CheckTimeout, "Postgres does not end a relay's transaction")
}
