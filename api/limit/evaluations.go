package limit

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/time/rate"

	"github.com/waft-ota/waft/internal/decide/flags"
)

// Evaluations limits the cost of evaluating flags. Evaluations that take longer than a moment run one after the other
// in each project, on at most half of the processors, so that they do not delay other projects.
type Evaluations struct {
	Paced
	refused prometheus.Counter
	waited  prometheus.Counter
	log     *slog.Logger
	// logged protects the log from a flood.
	logged rate.Sometimes
}

func newEvaluations(metrics prometheus.Registerer, log *slog.Logger, now func() time.Time) *Evaluations {
	e := &Evaluations{
		Paced: Paced{NewTurns("too many costly evaluations of this project's flags are waiting; try again in a moment",
			max(1, int64(runtime.GOMAXPROCS(0)/2))), now, 0},
		refused: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "waft_flag_evaluations_over_budget_total",
			Help: "Flags and segments that were not evaluated, because they need more steps than one evaluation or request may take.",
		}),
		waited: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "waft_flag_evaluations_slow_total",
			Help: "Requests whose evaluation of flags took so many steps that it waited for its turn.",
		}),
		log: log, logged: rate.Sometimes{Interval: limitLogInterval},
	}
	metrics.MustRegister(e.refused, e.waited)
	return e
}

// Run calls evaluate, which evaluates flags or segments for the context of. If that takes many steps, Run calls it
// again when it is the project's turn. It returns rate_limited if the turn does not come in time, and the error of
// ctx once ctx ends.
func (e *Evaluations) Run(ctx context.Context, projectID int64, of *flags.Context, evaluate func()) error {
	of.Stop, of.Rest, of.IsQuick = ctx.Done(), nil, true
	of.Restart()
	evaluate()
	if of.IsSlow() {
		e.waited.Inc()
		rest, done, err := e.Turn(ctx, projectID)
		if err != nil {
			return err
		}
		defer done()
		of.IsQuick, of.Rest = false, rest
		of.Restart()
		evaluate()
	}
	if of.IsStopped() {
		return ctx.Err()
	}
	if n := of.Refused(); n > 0 {
		e.refused.Add(float64(n))
		e.logged.Do(func() {
			e.log.WarnContext(ctx, "flags have their defaults with reason ERROR, because their rules take too many steps; "+
				"logged at most once per minute",
				"projectId", projectID, "flags", n, "flagSteps", flags.MaxEvaluationSteps, "requestSteps", flags.MaxRequestSteps)
		})
	}
	return nil
}
