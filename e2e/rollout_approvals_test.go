package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// protect protects a channel, so that changes for its devices wait for approvals.
func (p *tenant) protect(channel string, approvals int) {
	p.t.Helper()
	p.do(to(object{"isProtected": true, "requiredApprovals": approvals}, "/v1/ota/channels/%s", channel).by(http.MethodPatch)).record(http.StatusOK)
}

func (r request) by(method string) request {
	r.method = method
	return r
}

func (r request) in(session string) request {
	r.session = session
	return r
}

// pending sends a call that must wait, and returns the approval.
func (p *tenant) pending(call request) object {
	p.t.Helper()
	return p.do(call).record(http.StatusAccepted)["approval"].(map[string]any)
}

// rejected inserts a rejected approval of a call by the root key, and returns its ID. It does not protect a channel,
// because that would change what other calls to the project do.
func (p *tenant) rejected() (id int64) {
	p.t.Helper()
	require.NoError(p.t, p.postgres().QueryRow(p.t.Context(), `INSERT INTO approvals (project_id, status, action, summary, channels,
			required_approvals, basis, receives, input_version, input, call_hash, author_type, author_id, author_name, request_id, error, workflow_id,
			created_at, expires_at, ended_at)
		VALUES ($1, 'rejected', 'channel.update', $2, '["production"]', 1, sha256('x'), '[]', 1, '{"channel": "production", "change": {}}',
			sha256('x'), 'api_key', 'root', 'root', 'r', '', 'approval/' || $2::text, now(), now(), now()) RETURNING id`, p.id, p.marker).Scan(&id))
	return id
}

func (p *tenant) approval(id int64) object { return p.read(path("/v1/ota/approvals/%d", id)) }

func verdictCall(id int64, verdict string, by human) request {
	return to(object{"comment": verdict + " by " + by.email}, "/v1/ota/approvals/%d/%s", id, verdict).by(http.MethodPost).in(by.session)
}

func (p *tenant) verdict(id int64, verdict string, by human) answer {
	p.t.Helper()
	return p.do(verdictCall(id, verdict, by))
}

// carriedOut gives the last approval of a call, and returns the approval once the call is applied. The response to the
// approval waits for that for only ten seconds.
func (p *tenant) carriedOut(id int64, by human) (approval object) {
	p.t.Helper()
	approval = p.verdict(id, "approve", by).record(http.StatusOK)
	require.Contains(p.t, []any{"approved", "carried_out"}, approval["status"])
	await(p.t, waitLimit, atLeisure, func() bool {
		approval = p.approval(id)
		return approval["status"] != "approved"
	})
	require.Equal(p.t, "carried_out", approval["status"], approval)
	return approval
}

// publishCall returns the call that publishes a new build to production.
func (p *tenant) publishCall() request {
	p.t.Helper()
	return to(object{"channel": "production", "releaseMessage": p.marker}, "/v1/ota/builds/%d/publish", p.build().id("id")).by(http.MethodPost)
}

func TestASecondPersonHasToAgree(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	author, colleague, viewer := p.person(models.RoleEditor), p.person(models.RoleEditor), p.person(models.RoleViewer)
	before := p.release()
	p.awaitServed([]string{"d"}, is(before["updateUuid"]))
	p.protect("production", 1)

	call := p.publishCall().in(author.session).with("Idempotency-Key", "once")
	asked := p.pending(call)
	require.Equal(t, "pending", asked["status"])
	require.Equal(t, "update.publish", asked["action"])
	require.Contains(t, asked["summary"], `to channel "production" (branch "production"), for 100% of the devices`)
	require.Equal(t, []any{}, asked["approvals"])
	require.EqualValues(t, 1, asked["requiredApprovals"])
	require.Equal(t, author.email, asked["requestedBy"].(map[string]any)["name"])
	expires, err := time.Parse(time.RFC3339, asked["expiresAt"].(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(72*time.Hour), expires, time.Hour)
	id := asked.id("id")
	again := p.do(call)
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	require.Equal(t, id, object(again.record(202)["approval"].(map[string]any)).id("id"))
	delete(call.header, "Idempotency-Key")
	require.Equal(t, id, p.pending(call).id("id"), "the same call must wait only once")
	require.Equal(t, before["updateUuid"], p.gets("d", "production"))

	p.verdict(id, "approve", author).problem(403, models.CodeForbidden)
	p.verdict(id, "approve", viewer).problem(403, models.CodeForbidden)
	byKey := to(nil, "/v1/ota/approvals/%d/approve", id).by(http.MethodPost)
	p.do(byKey).problem(403, models.CodeForbidden)
	require.Len(t, p.list("/v1/ota/approvals?status=pending"), 1)

	done := p.verdict(id, "approve", colleague).record(200)
	require.Equal(t, "carried_out", done["status"], done)
	require.Equal(t, colleague.email, object(done["approvals"].([]any)[0].(map[string]any))["by"].(map[string]any)["name"])
	served := p.gets("d", "production")
	require.NotEqual(t, before["updateUuid"], served, "devices must get the release once the approval returns")
	story := p.list("/v1/ota/audit-log?limit=3")
	var actions, actors []any
	for _, e := range story {
		actions, actors = append(actions, e["action"]), append(actors, e["actorName"])
	}
	require.Equal(t, []any{"approval.carried_out", "build.published", "approval.approved"}, actions)
	require.Equal(t, []any{"approvals", author.email, colleague.email}, actors)
	require.Equal(t, 1, p.audited("approval.requested", id))

	p.verdict(id, "approve", p.person(models.RoleAdmin)).problem(409, models.CodeInvalidTransition)

	ui := dialTemporal(t, env)
	described, err := ui.DescribeWorkflowExecution(t.Context(), asked["workflowId"].(string), "")
	require.NoError(t, err)
	require.Equal(t, "Approval", described.GetWorkflowExecutionInfo().GetType().GetName())
}

func TestRejectedWithdrawnAndStale(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	author, colleague := p.person(models.RoleEditor), p.person(models.RoleAdmin)
	release := p.release()
	p.protect("production", 1)

	rejected := p.pending(p.publishCall().in(author.session)).id("id")
	require.Equal(t, "rejected", p.verdict(rejected, "reject", colleague).record(200)["status"])
	p.verdict(rejected, "approve", colleague).problem(409, models.CodeInvalidTransition)
	withdrawn := p.pending(p.publishCall()).id("id") // requested with a key
	require.Equal(t, "rejected", p.do(to(nil, "/v1/ota/approvals/%d/reject", withdrawn).by(http.MethodPost)).record(200)["status"])

	// The effect must be the approved one. Here the release changes before the approval.
	enable := to(object{"isCritical": true}, "/v1/ota/updates/%d", release.id("id")).by(http.MethodPatch)
	stale := p.pending(enable.in(author.session)).id("id")
	disable := to(object{"isEnabled": false}, "/v1/ota/updates/%d", release.id("id")).by(http.MethodPatch)
	p.do(disable).record(200) // never waits
	problem := p.verdict(stale, "approve", colleague).problem(409, models.CodeInvalidTransition)
	require.Contains(t, problem["detail"], "is out of date: the call was approved with other effects on devices")
	require.Equal(t, "stale", p.approval(stale)["status"])
	require.Equal(t, false, p.read(path("/v1/ota/updates/%d", release.id("id")))["isCritical"])

	// The call is applied with the requester's current rights.
	gone := p.pending(p.publishCall().in(author.session)).id("id")
	p.do(to(nil, "/v1/ota/members/%d", p.member(author)).by(http.MethodDelete))
	problem = p.verdict(gone, "approve", colleague).problem(409, models.CodeInvalidTransition)
	require.Contains(t, problem["detail"], "no longer has access to the project")
	key := p.create("/v1/ota/api-keys", object{"name": "ci", "role": "editor"})
	call := p.publishCall()
	call.key = key["key"].(string)
	revoked := p.pending(call).id("id")
	p.do(to(nil, "/v1/ota/api-keys/%d", key.id("id")).by(http.MethodDelete))
	p.verdict(revoked, "approve", colleague).problem(409, models.CodeInvalidTransition)
	require.Equal(t, "stale", p.approval(revoked)["status"])

	// A person who created a key cannot approve the calls of that key.
	made := p.do(to(object{"name": "mine", "role": "admin"}, "/v1/ota/api-keys").by(http.MethodPost).in(colleague.session)).record(201)
	byKey := to(object{"name": "mine too", "role": "editor"}, "/v1/ota/api-keys").by(http.MethodPost)
	byKey.key = made["key"].(string)
	call = p.publishCall()
	call.key = p.do(byKey).record(201)["key"].(string)
	p.verdict(p.pending(call).id("id"), "approve", colleague).problem(403, models.CodeForbidden)
}

// A key for one channel can withdraw its own call, but not another one.
func TestAKeyForAChannelWithdrawsItsCall(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	p.protect("production", 1)
	made := p.create("/v1/ota/api-keys", object{"name": "ci", "role": "editor"})
	p.sql(`UPDATE api_keys SET channels = '["production"]' WHERE id = $1`, made.id("id")) // as for a trusted publisher's key
	key := made["key"].(string)
	byKey := func(call request) request {
		call.key = key
		return call
	}
	own, other := p.pending(byKey(p.publishCall())).id("id"), p.pending(p.publishCall()).id("id")
	withdraw := func(id int64) answer {
		return p.do(byKey(to(object{"comment": "too early"}, "/v1/ota/approvals/%d/reject", id).by(http.MethodPost)))
	}
	require.Equal(t, "rejected", withdraw(own).record(http.StatusOK)["status"])
	withdraw(other).problem(http.StatusForbidden, models.CodeForbidden)
	require.Equal(t, "pending", p.approval(other)["status"])
}

func TestApprovalsCountWhileTheirGiversMayGiveThem(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	first, second, third := p.person(models.RoleEditor), p.person(models.RoleEditor), p.person(models.RoleEditor)
	p.protect("production", 2)
	id := p.pending(p.publishCall()).id("id")
	require.Equal(t, "pending", p.verdict(id, "approve", first).record(200)["status"])
	p.verdict(id, "approve", first).problem(409, models.CodeAlreadyExists)
	p.do(to(nil, "/v1/ota/members/%d", p.member(first)).by(http.MethodDelete))
	require.Equal(t, "pending", p.verdict(id, "approve", second).record(200)["status"], "the approval of a former member no longer counts")
	p.carriedOut(id, third)
}

func TestAnApprovalExpires(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_APPROVAL_LIFE"] = "2s"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	colleague := p.person(models.RoleEditor)
	p.protect("production", 1)
	id := p.pending(p.publishCall()).id("id")
	p.eventually(func() bool { return p.approval(id)["status"] == "expired" })
	p.verdict(id, "approve", colleague).problem(409, models.CodeInvalidTransition)
	require.Equal(t, 1, p.audited("approval.expired", id))
	require.Empty(t, p.list("/v1/ota/updates"))
}

// Processes are killed at various moments. An approved call is applied exactly once.
func TestAnApprovedCallIsCarriedOutOnceWhateverIsKilled(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	api := waftd(t, "api", env)
	worker := waftd(t, "worker", env)
	p := installation{url: api.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	colleague := p.person(models.RoleEditor)
	before := p.release()
	p.protect("production", 1)

	asked := p.pending(p.publishCall())
	worker.kill() // before the decision
	answers := make(chan answer, 1)
	approve := func(id int64) {
		a, _ := p.send(http.DefaultClient, verdictCall(id, "approve", colleague)) // without a response its status is 0
		answers <- a
	}
	go approve(asked.id("id"))
	p.eventually(func() bool { return p.approval(asked.id("id"))["status"] == "approved" })
	worker = waftd(t, "worker", env) // after the decision
	// The response has the outcome, or after ten seconds the unchanged approval.
	require.Contains(t, []any{"approved", "carried_out"}, (<-answers).record(200)["status"])
	p.eventually(func() bool { return p.approval(asked.id("id"))["status"] == "carried_out" })

	// In the middle: the call's transaction waits for a lock while its worker is killed.
	patch := to(object{"isCritical": true}, "/v1/ota/updates/%d", before.id("id")).by(http.MethodPatch)
	inTheMiddle := p.pending(patch).id("id")
	lock := lockRelease(t, env["DATABASE_URL"], before.id("id"))
	go approve(inTheMiddle)
	lock.waitForWaiter(t)
	worker.kill()
	lock.release(t)
	worker = waftd(t, "worker", env)
	require.Contains(t, []any{"approved", "carried_out"}, (<-answers).record(200)["status"])
	p.eventually(func() bool { return p.approval(inTheMiddle)["status"] == "carried_out" })
	require.Equal(t, 1, p.audited("update.patched", before.id("id")))
	require.Equal(t, 1, p.audited("approval.carried_out", inTheMiddle))

	// The API is killed while the last approval waits for the outcome.
	patch = to(object{"isCritical": false}, "/v1/ota/updates/%d", before.id("id")).by(http.MethodPatch)
	unheard := p.pending(patch).id("id")
	worker.kill()
	cutOff, err := http.NewRequestWithContext(t.Context(), http.MethodPost, p.url+path("/v1/ota/approvals/%d/approve", unheard), nil)
	require.NoError(t, err)
	cutOff.Header.Set("X-Project", p.slug)
	cutOff.AddCookie(&http.Cookie{Name: "waft_session", Value: colleague.session})
	cut := make(chan error, 1)
	go func() {
		res, err := http.DefaultClient.Do(cutOff)
		if err == nil {
			err = res.Body.Close()
		}
		cut <- err
	}()
	p.eventually(func() bool { return p.approval(unheard)["status"] == "approved" })
	api.kill()
	require.Error(t, <-cut)
	api = waftd(t, "api", env)
	p.url = api.url()
	waftd(t, "worker", env)
	p.eventually(func() bool { return p.approval(unheard)["status"] == "carried_out" })
	require.Equal(t, 2, p.audited("update.patched", before.id("id")))
	require.Equal(t, 1, p.audited("approval.carried_out", unheard))
	require.Len(t, p.list("/v1/ota/updates"), 2)
}

// A rollback on a protected channel works immediately, even without a worker and while a call waits.
func TestARollbackNeverWaits(t *testing.T) {
	t.Parallel()
	env := settings(t)
	address, _ := startRole(t, env, app.Role{API: true, Worker: true})
	p := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	good, bad := p.release(), p.release()
	p.protect("production", 1)
	waits := p.pending(p.publishCall())
	back := to(object{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": good.id("id"),
	}, "/v1/ota/rollback").by(http.MethodPost)
	back.key = p.keys[models.RoleEditor]
	successor := p.do(back).record(http.StatusCreated)
	p.awaitServed([]string{"d"}, is(successor["updateUuid"]))
	require.Equal(t, false, p.read(path("/v1/ota/updates/%d", bad.id("id")))["isEnabled"])
	require.Equal(t, "pending", p.approval(waits.id("id"))["status"])
}

// Starting and advancing a rollout on a protected channel requires approval. Its own steps, a pause and its end never
// wait.
func TestARolloutOnAProtectedChannel(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	colleague := p.person(models.RoleEditor)
	_, id := p.rollOut(p.inStages(0, 0, 10, 50, 100))
	p.awaitRollout(id, hasHappened("started"))
	p.protect("production", 1)
	advance := to(nil, "/v1/ota/rollout-executions/%d/advance", id).by(http.MethodPost)
	asked := p.pending(advance)
	require.Contains(t, asked["summary"], "from 10% to 50% of the devices")
	require.Equal(t, 10.0, p.rolloutNow(id)["percentage"])
	p.carriedOut(asked.id("id"), colleague)
	require.Equal(t, 50.0, p.rolloutNow(id)["percentage"])
	p.awaitCommand(id, "pause", nil)
	resume := to(nil, "/v1/ota/rollout-executions/%d/resume", id).by(http.MethodPost)
	asked = p.pending(resume)
	p.carriedOut(asked.id("id"), colleague)
	require.Equal(t, "running", p.rolloutNow(id)["status"])
	p.awaitCommand(id, "cancel", nil)
}
