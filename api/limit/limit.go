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

// limitLogInterval is how often it is logged that a limit is reached.
const limitLogInterval = time.Minute

// limit is a limit whose excess is answered with 429.
type limit struct {
	// name is its label in metrics and the log.
	name string
	// detail says to the caller whose limit it is and which setting has it.
	detail  string
	refused prometheus.Counter
	// logged keeps a flood out of the log.
	logged rate.Sometimes
}

// limits makes the limits of a process.
type limits struct{ refused *prometheus.CounterVec }

func newLimits(metrics prometheus.Registerer) limits {
	refused := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waft_rate_limited_total", Help: "Requests that were refused until later, by the limit that they are above.",
	}, []string{"limit"})
	metrics.MustRegister(refused)
	return limits{refused}
}

func (l limits) named(name, detail string) *limit {
	return &limit{
		name: name, detail: detail, refused: l.refused.WithLabelValues(name), logged: rate.Sometimes{Interval: limitLogInterval},
	}
}

// reached is the error for a caller above the limit.
func (l *limit) reached(from netip.Addr, retryAfter time.Duration) error {
	return &limitReached{
		limit: l, from: from, answer: &models.Error{Code: models.CodeRateLimited, Message: l.detail, RetryAfter: retryAfter},
	}
}

// limitReached is what a caller above a limit is answered.
type limitReached struct {
	limit  *limit
	from   netip.Addr // the caller's address, or the network of an IPv6 address
	answer *models.Error
}

func (e *limitReached) Error() string { return e.answer.Error() }
func (e *limitReached) Unwrap() error { return e.answer }

// Note counts a request that was refused for a limit, and logs one a minute for each limit.
func (e *limitReached) Note(ctx context.Context, log *slog.Logger) {
	e.limit.refused.Inc()
	e.limit.logged.Do(func() {
		log.LogAttrs(ctx, slog.LevelWarn, "requests are refused, because a limit is reached; logged once a minute",
			slog.String("limit", e.limit.name), slog.String("detail", e.limit.detail), slog.String("from", e.from.String()))
	})
}
