package activities_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"

	"github.com/waft-ota/waft/activities"
	"github.com/waft-ota/waft/models"
)

// A slow step sends heartbeats, so that Temporal can distinguish it from a step whose worker was killed.
func TestALongStepSendsHeartbeats(t *testing.T) {
	t.Parallel()
	beaten := make(chan struct{})
	a := &activities.Activities{Rollouts: fakeRollouts{
		apply: func(c models.ExecutionChange) (models.RolloutExecution, error) {
			<-beaten
			return models.RolloutExecution{Version: c.Seq}, nil
		},
	}}
	env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
	once := sync.OnceFunc(func() { close(beaten) })
	env.SetOnActivityHeartbeatListener(func(*activity.Info, converter.EncodedValues) { once() })
	env.RegisterActivity(a.ApplyRolloutChange)
	value, err := env.ExecuteActivity(a.ApplyRolloutChange, models.ExecutionChange{Seq: 3})
	require.NoError(t, err)
	var applied models.AppliedChange
	require.NoError(t, value.Get(&applied))
	require.EqualValues(t, 3, applied.Version)
}
