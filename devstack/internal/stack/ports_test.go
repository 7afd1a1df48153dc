package stack

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAPortIsAwaited(t *testing.T) {
	t.Parallel()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	taken := port{listener.Addr().(*net.TCPAddr).Port, "a test", "WAFT_PORT"}
	require.ErrorContains(t, taken.await(t.Context(), 0), "taken by another program")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorContains(t, taken.await(ctx, time.Hour), "taken by another program")

	claimed := make(chan error, 1)
	go func() { claimed <- taken.await(t.Context(), time.Minute) }()
	require.NoError(t, listener.Close())
	require.NoError(t, <-claimed)
}
