// Package limit bounds what callers may send: by address, network, device and key.
package limit

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/guard/origins"
)

// Set has the limits of requests that several packages of the API share.
type Set struct {
	Requests rateLimits
	// management limits every request to management, unknownKeys the keys that are looked up.
	management, UnknownKeys networkLimits
	devices                 newDevices
	Peers                   *peers
	Streams                 *openStreams
	Evaluations             *Evaluations
	// Estimates bounds the estimates of segments, each of which has queries of ClickHouse.
	Estimates *Paced
	origins   *origins.Table
	limits    limits
}

// Settings are the settings of a LimitSet.
type Settings struct {
	Rates Rates
	// Streams is how many event streams may be open at once for a key, and for an IPv4 /24 or IPv6 /48; 0 is no limit.
	Streams int
	// TrustedProxies are the addresses and networks whose X-Forwarded-For is trusted.
	TrustedProxies []string
	// Origins says which AS announces an address; nil for a server without such a table.
	Origins *origins.Table
}

// New makes the limits. known remembers devices for Device, nil in a process that serves none.
func New(s Settings, known KnownDevices, metrics prometheus.Registerer, log *slog.Logger, now func() time.Time) *Set {
	l := newLimits(metrics)
	return &Set{
		Requests: newRateLimits(l, s.Rates, now), management: newManagementLimits(l, s.Rates, now),
		UnknownKeys: newUnknownKeyLimits(l, s.Rates, now), devices: newNewDevices(l, known, s.Rates, metrics, now),
		Peers: newPeers(s.TrustedProxies, log, now), Streams: newOpenStreams(l, s.Streams, metrics),
		Evaluations: newEvaluations(metrics, log, now), origins: s.Origins, limits: l,
		Estimates: newEstimates(now),
	}
}
