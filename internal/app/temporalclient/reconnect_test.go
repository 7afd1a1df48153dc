package temporalclient

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	temporal "go.temporal.io/sdk/client"
	"google.golang.org/grpc"

	"github.com/waft-ota/waft/internal/config"
)

// The SDK's own delays grow to ten seconds. By the clock of the test none is longer than maxReconnectDelay, and a fifth of it
// at random.
func TestATemporalThatWasAwayForLongIsFoundSoon(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		options, err := optionsOf(config.Config{TemporalAddress: "passthrough:///temporal"}, nil, nil, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		attempted := make(chan time.Time)
		options.ConnectionOptions.DialOptions = append(options.ConnectionOptions.DialOptions,
			grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) {
				select {
				case attempted <- time.Now():
				case <-ctx.Done():
				}
				return nil, errors.New("Temporal is unavailable")
			}))
		c, err := temporal.NewLazyClient(options)
		require.NoError(t, err)
		connecting, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			for connecting.Err() == nil {
				ctx, cancel := context.WithTimeout(connecting, 100*time.Millisecond)
				_, _ = c.CheckHealth(ctx, &temporal.CheckHealthRequest{}) // it fails; it makes the client connect
				<-ctx.Done()
				cancel()
			}
		}()
		defer func() {
			stop()
			<-ended
			c.Close()
		}()
		last := <-attempted
		for range 20 {
			at := <-attempted
			require.InDelta(t, 0, at.Sub(last), 1.2*float64(maxReconnectDelay)+float64(100*time.Millisecond))
			last = at
		}
	})
}
