package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// broken returns the broken releases of a row of the overview.
func (o object) broken() (broken []object) {
	for _, b := range o["broken"].([]any) {
		broken = append(broken, b.(map[string]any))
	}
	return broken
}

func (o object) health() object { return o["health"].(map[string]any) }

// A release that Waft rolled back is in the overview for an hour, even without an incident, with its figures and the reason.
func TestTheOverviewShowsAReleaseThatWaftRolledBack(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	p.release()
	bad, run := p.rollOut(p.inStages(0, 0, 20, 100).with("thresholds", object{"crashRate": 2.0, "action": "auto-rollback"}))
	p.awaitRollout(run, hasHappened("started"))
	require.Empty(t, p.stream("production").broken())
	p.run(p.inShareOf(bad, 20, true, 12), bad["updateUuid"], "app_launch", "crash")
	p.awaitRollout(run, has("status", "rolled_back"))
	var broken []object
	p.eventually(func() bool { // the metrics are at most a second old
		broken = p.stream("production").broken()
		return len(broken) == 1 && broken[0].health()["devices"] == 12.0
	})
	require.Equal(t, object{
		"release": nameOf(bad), "updateId": bad["id"], "updateUuid": bad["updateUuid"], "devices": 12.0, "crashFreePercentage": 0.0, "crashRate": 100.0,
		"errorRate": 100.0, "crashLimit": map[string]any{"rate": 2.0, "source": "policy"}, "errorLimit": map[string]any{"rate": 2.0, "source": "incidents"},
	}, broken[0].health())
	require.Equal(t, false, broken[0]["isServed"])
	require.EqualValues(t, run, broken[0]["rolloutExecutionId"])
	require.Equal(t, "system", broken[0]["disabledBy"].(map[string]any)["type"])
	require.NotEmpty(t, broken[0]["disabledAt"])
	require.Contains(t, broken[0]["disabledReason"], "crash rate")
	require.Empty(t, p.tenant(t).list("/v1/ota/overview"), "another project has its own")
	_, err := p.postgres().Exec(t.Context(), "UPDATE rollout_executions SET ended_at = ended_at - interval '1 hour' WHERE id = $1", run)
	require.NoError(t, err)
	p.eventually(func() bool {
		return len(p.stream("production").broken()) == 0 || p.stream("production").broken()[0]["incident"] != nil
	})
}

// The overview names the approval that a rollout waits for, until the call is decided.
func TestTheOverviewShowsTheApprovalThatARolloutWaitsFor(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	p.release()
	release, run := p.rollOut(p.inStages(0, 0, 10, 100))
	p.awaitRollout(run, has("percentage", 10.0))
	p.protect("production", 1)
	require.Nil(t, p.stream("production")["waitingCall"])
	asked := p.pending(to(object{"reason": "it looks good"}, "/v1/ota/rollout-executions/%d/advance", run).by(http.MethodPost))
	require.Equal(t, map[string]any{"approvalId": asked["id"], "action": "rollout.advance", "summary": asked["summary"]}, p.stream("production")["waitingCall"])
	require.Contains(t, asked["summary"], `advance the rollout of release "`+release["releaseMessage"].(string)+`" (iOS, runtime version 1.0.0`)
	p.verdict(asked.id("id"), "reject", p.person(models.RoleEditor)).record(http.StatusOK)
	require.Nil(t, p.stream("production")["waitingCall"])
}
