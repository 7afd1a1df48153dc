// Package limit limits the requests of callers: by address, network, device and key.
package limit

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/guard/origins"
)

// Set holds the limits that several packages of the API share.
type Set struct {
	Requests rateLimits
	// management limits every request to management, and UnknownKeys limits the keys that are looked up.
	management, UnknownKeys networkLimits
	devices                 newDevices
	Peers                   *peers
	Streams                 *openStreams
	Evaluations             *Evaluations
	// Estimates limits the estimates of segments, because each estimate queries ClickHouse.
	Estimates *Paced
	origins   *origins.Table
	limits    limits
}

// Settings are the settings of a Set.
type Settings struct {
	Rates Rates
	// Streams is the maximum number of open event streams per key, and per IPv4 /24 or IPv6 /48. 0 disables the
	// limit.
	Streams int
	// TrustedProxies are the addresses and networks whose X-Forwarded-For is trusted.
	TrustedProxies []string
	// Origins is the table of the AS that announces an address; nil for a server without such a table.
	Origins *origins.Table
}

// New creates the limits. known remembers devices for Device; it is nil in a process that does not serve devices.
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
