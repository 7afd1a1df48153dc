package access

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
)

// Shared is what the API has once and gives to each package of endpoints, which takes what it uses.
type Shared struct {
	Gate        *Gate
	Limits      *limit.Set
	Idempotency rest.Idempotency
	Metrics     prometheus.Registerer
	Log         *slog.Logger
	Now         func() time.Time
}
