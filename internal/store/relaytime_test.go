package store

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARelayedMessageHasItsTime(t *testing.T) {
	t.Parallel()
	require.Greater(t, idleTransactionLimit, relayTimeout+checkTimeout, "Postgres ends no transaction of a relay")
}
