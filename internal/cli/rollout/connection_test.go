package rollout

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestALostConnectionIsToldOnce(t *testing.T) {
	t.Parallel()
	var c connectionTeller
	ended, refused := errors.New("the server ended the stream"), errors.New("connection refused")
	require.Empty(t, c.works())
	require.Empty(t, c.broke(ended), "the server ends each stream from time to time")
	require.Empty(t, c.works())
	require.Empty(t, c.broke(ended))
	require.Equal(t, "connection lost, reconnecting: connection refused", c.broke(refused))
	require.Empty(t, c.broke(refused))
	require.Equal(t, "connected again", c.works())
	require.Empty(t, c.works())
}
