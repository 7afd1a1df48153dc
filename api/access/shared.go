package access

import (
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
)

// Shared holds the parts that several packages of endpoints use. The API gives it to all of them.
type Shared struct {
	Gate        *Gate
	Limits      *limit.Set
	Operations  *operations.Operations
	Idempotency rest.Idempotency
	Metrics     prometheus.Registerer
	Log         *slog.Logger
	Now         func() time.Time
}
