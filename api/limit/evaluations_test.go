package limit

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// costly returns a set whose only flag takes 60,000 steps for the attribute of costlyContext.
func costly(t *testing.T) *flags.Set {
	t.Helper()
	on := "true"
	set, err := flags.NewSet(models.ProjectSnapshot{Flags: []models.Flag{{
		Key: "costly", FlagType: models.FlagBoolean, DefaultValue: "false", Enabled: true,
		Variations: []models.Variation{{ID: 1, Name: "On", Value: on}},
		Rules: []models.FlagRule{{RuleType: models.RuleAttribute, VariantValue: &on, Config: models.RuleConfig{
			Conditions: []models.Condition{{Attribute: "text", Operator: models.OpMatches, Values: []string{"^x{55}"}}},
		}}},
	}}}, nil)
	require.NoError(t, err)
	return set
}

func costlyContext() *flags.Context {
	return &flags.Context{Attributes: map[string]any{"text": strings.Repeat("x", 1024)}}
}

// A costly evaluation waits for another one in the same project, but an ordinary one does not. The evaluation of a
// client that disconnects ends.
func TestSlowEvaluationsTakeTurns(t *testing.T) {
	t.Parallel()
	set := costly(t)
	synctest.Test(t, func(t *testing.T) {
		e := newEvaluations(prometheus.NewRegistry(), slog.New(slog.DiscardHandler), time.Now)
		evaluate := func(ctx context.Context, of *flags.Context) (outcomes []*flags.Outcome, err error) {
			err = e.Run(ctx, 1, of, func() { outcomes = set.Evaluate(of, nil) })
			return outcomes, err
		}
		done, err := e.turns.Take(t.Context(), 1)
		require.NoError(t, err)
		answered := make(chan flags.Reason, 1)
		go func() {
			outcomes, err := evaluate(t.Context(), costlyContext())
			if err == nil {
				answered <- outcomes[0].Reason
			}
		}()
		left, leave := context.WithCancel(t.Context())
		gone := make(chan error, 1)
		go func() {
			_, err := evaluate(left, costlyContext())
			gone <- err
		}()
		synctest.Wait()
		require.Empty(t, answered, "it waits for its turn")
		outcomes, err := evaluate(t.Context(), &flags.Context{})
		require.NoError(t, err)
		require.Equal(t, flags.ReasonDefault, outcomes[0].Reason, "an ordinary one does not wait")
		leave()
		require.ErrorIs(t, <-gone, context.Canceled)
		done()
		require.Equal(t, flags.ReasonTargetingMatch, <-answered)

		done, err = e.turns.Take(t.Context(), 1)
		require.NoError(t, err)
		defer done()
		_, err = evaluate(t.Context(), costlyContext())
		require.Equal(t, models.CodeRateLimited, models.CodeOf(err), "after five seconds")
		require.InDelta(t, 3, testutil.ToFloat64(e.waited), 0)
		require.Zero(t, testutil.ToFloat64(e.refused))
	})
}
