package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// stories are what has to be on the timeline of a rollout that ended.
var stories = map[models.ExecutionStatus][]string{
	models.ExecutionCompleted:  {"started", "stage_advanced", "stage_advanced", "completed"},
	models.ExecutionRolledBack: {"started", "rolled_back"},
	models.ExecutionCancelled:  {"started", "cancelled"},
}

// requireFates holds how the rollouts ended against how they had to, in the record,
// the audit log, Postgres, what devices are served, and the workflow.
func (p *tenant) requireFates(env map[string]string, rollouts []fated) {
	p.t.Helper()
	tc := dialTemporal(p.t, env)
	for _, r := range rollouts {
		e := p.rolloutNow(r.id)
		require.EqualValues(p.t, r.fate, e["status"], "%v", e)
		require.Equal(p.t, stories[r.fate], happened(e), "%v", e["timeline"])
		shares := map[string]int{}
		for _, kind := range happened(e)[1:] {
			shares[kind]++
		}
		for kind, times := range shares {
			require.Equal(p.t, times, p.audited("rollout."+kind, r.id), kind)
		}
		release := p.read(path("/v1/ota/updates/%d", r.release.id("id")))
		require.Equal(p.t, e["percentage"], release["rolloutPercentage"])
		require.Equal(p.t, r.fate == models.ExecutionCompleted, release["isEnabled"])
		require.Nil(p.t, release["rolloutExecutionId"])
		p.requireOneSuccessor(r)

		for _, device := range append([]string{r.outsider}, r.devices...) {
			require.Eventually(p.t, func() bool {
				return (p.gets(device, r.channel) == r.release["updateUuid"]) == (r.fate == models.ExecutionCompleted)
			}, waitLimit, pollEvery, "device %s of %s", device, r.channel)
		}
		state := queried(p.t, tc, e["workflowId"])
		require.Equal(p.t, r.fate, state.Status)
		require.Equal(p.t, e["percentage"], state.Percentage)
		require.EqualValues(p.t, e["stageIndex"], state.StageIndex)
	}
}

// requireOneSuccessor checks that a release that was taken back has one successor,
// with its share, and one that was not has none.
func (p *tenant) requireOneSuccessor(r fated) {
	p.t.Helper()
	releases := p.list("/v1/ota/updates?channel=" + r.channel)
	if r.fate == models.ExecutionCompleted {
		require.Len(p.t, releases, 2)
		return
	}
	require.Len(p.t, releases, 3, "the stable one, the one taken back, and its successor")
	require.Equal(p.t, 10.0, releases[0]["rolloutPercentage"])
	require.Equal(p.t, releases[2]["buildId"], releases[0]["buildId"])
}

// answerOf sends a request and reads the answer's JSON into out, unless that is nil.
func answerOf(client *http.Client, req *http.Request, out any) error {
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return err
	case res.StatusCode >= http.StatusMultipleChoices:
		return fmt.Errorf("status %d: %s", res.StatusCode, body)
	case out == nil || len(body) == 0:
		return nil
	default:
		return json.Unmarshal(body, out)
	}
}
