package temporalclient

import (
	"context"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	temporal "go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/internal/config"
)

// The SDK's own delays grow to ten seconds: between its last two attempts here it would wait for more than four.
func TestATemporalThatWasAwayForLongIsFoundSoon(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	const attempts = 9
	attempted := make(chan time.Time, attempts)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			conn.Close()
			attempted <- time.Now()
		}
	}()
	c, err := New(config.Config{TemporalAddress: listener.Addr().String()}, nil, nil, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(c.Close)
	go func() {
		for t.Context().Err() == nil {
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			_, _ = c.CheckHealth(ctx, &temporal.CheckHealthRequest{}) // it fails; it makes the client connect
			<-ctx.Done()
			cancel()
		}
	}()
	var before, last time.Time
	for range attempts {
		before, last = last, <-attempted
	}
	require.Less(t, last.Sub(before), 3500*time.Millisecond)
}
