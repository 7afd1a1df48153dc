package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// stories gives the status in which a rollout of each fate ends, and the events that must be on its timeline.
var stories = map[fatedTo]struct {
	status models.ExecutionStatus
	events []string
}{
	fateCompleted:  {models.ExecutionCompleted, []string{"started", "stage_advanced", "stage_advanced", "completed"}},
	fateRolledBack: {models.ExecutionRolledBack, []string{"started", "rolled_back"}},
	fateCancelled:  {models.ExecutionCancelled, []string{"started", "cancelled"}},
	fatePaused:     {models.ExecutionPaused, []string{"started", "paused"}},
}

// commandTimeout is the time for which the API waits for a command; see package workflows.
const commandTimeout = 5 * time.Second

// requireFates checks that every rollout ended as planned: in its record, the audit log, Postgres, the devices'
// manifests, and the workflow.
func (p *tenant) requireFates(env map[string]string, rollouts []fated) {
	p.t.Helper()
	tc := dialTemporal(p.t, env)
	for _, r := range rollouts {
		e := p.rolloutNow(r.id)
		if r.fate == fateAsked {
			p.requireAsked(r, e)
		} else {
			require.EqualValues(p.t, stories[r.fate].status, e["status"], "%v", e)
			require.Equal(p.t, stories[r.fate].events, happened(e), "%v", e["timeline"])
		}
		times := map[string]int{}
		for _, kind := range happened(e)[1:] {
			times[kind]++
		}
		for kind, n := range times {
			require.Equal(p.t, n, p.audited("rollout."+kind, r.id), kind)
		}
		release := p.read(path("/v1/ota/updates/%d", r.release.id("id")))
		require.Equal(p.t, e["percentage"], release["rolloutPercentage"])
		require.Equal(p.t, r.fate == fateCompleted || !r.ends(), release["isEnabled"])
		require.Equal(p.t, r.ends(), release["rolloutExecutionId"] == nil)
		p.requireOneSuccessor(r)
		p.requireServed(r)

		if r.ends() {
			require.NoError(p.t, tc.GetWorkflow(p.t.Context(), e["workflowId"].(string), "").Get(p.t.Context(), nil))
		}
		state := queried(p.t, tc, e["workflowId"]).Execution
		require.EqualValues(p.t, e["status"], state.Status)
		require.Equal(p.t, e["percentage"], state.Percentage)
		require.EqualValues(p.t, e["stageIndex"], state.StageIndex)
		if !r.ends() {
			require.Equal(p.t, string(models.ExecutionCancelled), p.awaitCommand(r.id, "cancel", object{})["status"], "it still takes commands")
		}
	}
	p.requireNothingPromised()
}

// requireNothingPromised waits until the outbox is empty.
func (p *tenant) requireNothingPromised() {
	p.t.Helper()
	postgres := p.postgres()
	p.eventually(func() bool {
		var messages int
		require.NoError(p.t, postgres.QueryRow(p.t.Context(), "SELECT count(*) FROM outbox").Scan(&messages))
		return messages == 0
	})
}

// requireServed checks that only the right devices get the release.
func (p *tenant) requireServed(r fated) {
	p.t.Helper()
	gets := func(device string, want bool) {
		p.t.Helper()
		eventually(p.t, func() bool { return (p.gets(device, r.channel) == r.release["updateUuid"]) == want }, "device %s of %s", device, r.channel)
	}
	for _, device := range r.devices {
		gets(device, r.fate == fateCompleted || !r.ends())
	}
	for _, device := range r.outsiders {
		gets(device, r.fate == fateCompleted)
	}
}

// requireOneSuccessor checks that a release that was rolled back has one successor, with its rollout percentage, and
// that other releases do not have a successor.
func (p *tenant) requireOneSuccessor(r fated) {
	p.t.Helper()
	releases := p.list("/v1/ota/updates?channel=" + r.channel)
	if r.fate == fateCompleted || !r.ends() {
		require.Len(p.t, releases, 2)
		return
	}
	require.Len(p.t, releases, 3, "the stable release, the release that was rolled back, and its successor")
	require.Equal(p.t, 10.0, releases[0]["rolloutPercentage"])
	require.Equal(p.t, releases[2]["buildId"], releases[0]["buildId"])
}

// requireAsked compares the effects of commands that were sent once with the responses to them.
func (p *tenant) requireAsked(r fated, e object) {
	p.t.Helper()
	require.NotEmpty(p.t, r.asked)
	written := map[string]time.Time{}
	for _, action := range []string{"rollout.paused", "rollout.resumed"} {
		for _, entry := range p.list(path("/v1/ota/audit-log?action=%s&entity_id=%d", action, r.id)) {
			reason := entry["details"].(map[string]any)["reason"].(string)
			require.NotContains(p.t, written, reason)
			at, err := time.Parse(time.RFC3339Nano, entry["createdAt"].(string))
			require.NoError(p.t, err)
			written[reason] = at
		}
	}
	status := models.ExecutionRunning
	for _, c := range r.asked {
		at, done := written[c.reason]
		delete(written, c.reason)
		outcome := fmt.Sprintf("%s of rollout %d, sent %s, ended %s: %d %s %v; written %s", c.name, r.id, c.sent, c.over, c.answer.status, c.answer.body, c.err, at)
		switch {
		case c.answer.status == http.StatusOK:
			require.True(p.t, done, outcome)
		case c.answer.status == http.StatusConflict, strings.Contains(c.answer.body, "nothing was changed"):
			require.False(p.t, done, outcome)
		case c.err == nil && done:
			require.False(p.t, at.After(c.over), outcome)
		case done:
			require.False(p.t, at.After(c.over.Add(commandTimeout)), outcome) // the server had the command by then
		}
		if done {
			status = map[string]models.ExecutionStatus{"pause": models.ExecutionPaused, "resume": models.ExecutionRunning}[c.name]
		}
	}
	require.Empty(p.t, written, "changes without a command")
	require.EqualValues(p.t, status, e["status"])
	require.Equal(p.t, 10.0, e["percentage"])
}
