package api

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// LimitSet has the limits of requests that several packages of the API share.
type LimitSet struct {
	requests rateLimits
	// management limits every request to management, unknownKeys the keys that are looked up.
	management, unknownKeys networkLimits
	newDevices              newDevices
	peers                   *peers
	streams                 *openStreams
}

// LimitSettings are the settings of a LimitSet.
type LimitSettings struct {
	Rates Rates
	// Streams is how many event streams may be open at once for a key, and for an IPv4 /24 or IPv6 /48; 0 is no limit.
	Streams int
	// TrustedProxies are the addresses and networks whose X-Forwarded-For is trusted.
	TrustedProxies []string
}

func NewLimitSet(s LimitSettings, known KnownDevices, metrics prometheus.Registerer, log *slog.Logger, now func() time.Time) *LimitSet {
	l := newLimits(metrics)
	return &LimitSet{
		requests: newRateLimits(l, s.Rates, now), management: newManagementLimits(l, s.Rates, now),
		unknownKeys: newUnknownKeyLimits(l, s.Rates, now), newDevices: newNewDevices(l, known, s.Rates, metrics, now),
		peers: newPeers(s.TrustedProxies, log, now), streams: newOpenStreams(l, s.Streams, metrics),
	}
}
