package limit

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/models"
)

// limitLogInterval is the minimum time between two log lines about a limit.
const limitLogInterval = time.Minute

// limit is a limit above which requests get 429.
type limit struct {
	// name is the limit's label in metrics and the log.
	name string
	// detail explains the limit to the caller, and names its setting.
	detail  string
	refused prometheus.Counter
	// logged protects the log from a flood.
	logged rate.Sometimes
}

// limits creates the limits of a process.
type limits struct{ refused *prometheus.CounterVec }

func newLimits(metrics prometheus.Registerer) limits {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_rate_limited_total", Help: "Requests that were refused with 429, by the limit that they exceeded.",
	}, []string{"limit"})
	metrics.MustRegister(refused)
	return limits{refused}
}

func (l limits) named(name, detail string) *limit {
	return &limit{
		name: name, detail: detail, refused: l.refused.WithLabelValues(name), logged: rate.Sometimes{Interval: limitLogInterval},
	}
}

// reached returns the error for a caller that exceeds the limit.
func (l *limit) reached(from netip.Addr, retryAfter time.Duration) error {
	return &limitReached{
		limit: l, from: from, answer: &models.Error{Code: models.CodeRateLimited, Message: l.detail, RetryAfter: retryAfter},
	}
}

// limitReached is the error returned to a caller that exceeds a limit.
type limitReached struct {
	limit  *limit
	from   netip.Addr // the caller's IPv4 address, or the network of its IPv6 address
	answer *models.Error
}

func (e *limitReached) Error() string { return e.answer.Error() }
func (e *limitReached) Unwrap() error { return e.answer }

// Note counts a request that exceeded a limit, and logs at most one per minute for each limit.
func (e *limitReached) Note(ctx context.Context, log *slog.Logger) {
	e.limit.refused.Inc()
	e.limit.logged.Do(func() {
		log.LogAttrs(ctx, slog.LevelWarn, "requests are refused, because a limit is reached; logged at most once per minute",
			slog.String("limit", e.limit.name), slog.String("detail", e.limit.detail), slog.String("from", e.from.String()))
	})
}
