package temporalclient

import (
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
)

// maxReconnectDelay is the maximum wait between two attempts to connect to an unavailable Temporal. The SDK would wait up to ten
// seconds, but the dashboard should show within five seconds that Temporal is back.
const maxReconnectDelay = time.Second

func reconnecting() grpc.DialOption {
	params := grpc.ConnectParams{Backoff: backoff.DefaultConfig, MinConnectTimeout: 5 * time.Second}
	params.Backoff.BaseDelay = 200 * time.Millisecond
	params.Backoff.MaxDelay = maxReconnectDelay
	return grpc.WithConnectParams(params)
}
