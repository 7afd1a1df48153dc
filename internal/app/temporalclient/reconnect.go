package temporalclient

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
)

// maxReconnectDelay is how long the client waits at most before it tries to connect to a Temporal that
// is away again; the SDK waits ten seconds. People see on the dashboard within five that it is back.
const maxReconnectDelay = time.Second

func reconnecting() grpc.DialOption {
	params := grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: 5 * time.Second}
	params.Backoff.BaseDelay = 200 * time.Millisecond
	params.Backoff.MaxDelay = maxReconnectDelay
	return grpc.WithConnectParams(params)
}
