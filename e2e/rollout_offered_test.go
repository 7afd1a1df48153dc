package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestWhatChannelsHaveOffered withdraws releases from devices, and changes and withdraws approvals.
func TestWhatChannelsHaveOffered(t *testing.T) {
	t.Parallel()
	together(t, map[string]func(*testing.T, installation){
		"what a channel never offered takes approval":           whatAChannelNeverOfferedTakesApproval,
		"a larger share than ever offered takes approval":       aLargerShareThanEverOfferedTakesApproval,
		"a rollback by itself goes to what the channel offered": aRollbackByItselfGoesToWhatTheChannelOffered,
		"required approvals apply to what waits":                requiredApprovalsApplyToWhatWaits,
		"an approval is taken back":                             anApprovalIsTakenBack,
	})
}

// uncovered returns a project whose channel production serves the branch dev since an approved change. On dev a good
// release is newer than a bad release, which production has never offered.
func uncovered(t *testing.T, server installation) (p *tenant, colleague human, first, bad, good object) {
	t.Helper()
	p = server.tenant(t)
	colleague = p.person(models.RoleEditor)
	first = p.release()
	p.create("/v1/ota/channels", object{"name": "dev", "branchName": "dev"})
	bad = p.onDev()
	good = p.onDev()
	p.protect("production", 1)
	p.carriedOut(p.pending(p.repoint(object{"branchName": "dev"})).id("id"), colleague)
	p.awaitServed([]string{"d"}, is(good["updateUuid"]))
	return p, colleague, first, bad, good
}

// whatAChannelNeverOfferedTakesApproval tries to serve a release that a protected channel has never offered, by
// withdrawing the newer release in every possible way.
func whatAChannelNeverOfferedTakesApproval(t *testing.T, server installation) {
	p, colleague, _, bad, good := uncovered(t, server)
	back := func(goal any) request {
		return p.byEditor(http.MethodPost, to(object{
			"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": goal,
		}, "/v1/ota/rollback"))
	}
	change := func(body object) request {
		return p.byEditor(http.MethodPatch, to(body, "/v1/ota/updates/%d", good.id("id")))
	}
	for name, call := range map[string]request{
		"a rollback":      back(bad["id"]),
		"disabling":       change(object{"isEnabled": false}),
		"a smaller share": change(object{"rolloutPercentage": 10}),
		"deleting":        p.byEditor(http.MethodDelete, at("/v1/ota/updates/%d", good.id("id"))),
	} {
		asked := p.pending(call)
		require.Contains(t, asked["summary"], bad.phrase(), name)
		require.Contains(t, asked["summary"], "the channel has never offered this", name)
	}
	require.Equal(t, good["updateUuid"], p.gets("d", "production"))

	// A release that was approved once never waits again.
	newer := p.pending(p.byEditor(http.MethodPost, p.publishCall()))
	p.carriedOut(newer.id("id"), colleague)
	p.awaitServed([]string{"d"}, isNot(good["updateUuid"]))
	again := p.do(back(good["id"])).record(http.StatusCreated)
	p.awaitServed([]string{"d"}, is(again["updateUuid"]))
	p.do(back(nil)).record(http.StatusCreated) // returns to the embedded update
}

// aLargerShareThanEverOfferedTakesApproval checks that a release offered to 10% of devices cannot be offered to all of
// them without approval.
func aLargerShareThanEverOfferedTakesApproval(t *testing.T, server installation) {
	p := server.tenant(t)
	p.release()
	build := p.build().id("id")
	tried := p.create(path("/v1/ota/builds/%d/publish", build), object{"channel": "production", "rolloutPercentage": 10})
	p.release()
	p.protect("production", 1)
	asked := p.pending(p.byEditor(http.MethodPost, to(object{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "rollbackToUpdateId": tried["id"],
	}, "/v1/ota/rollback")))
	require.Contains(t, asked["summary"], "to 100% of the devices")
}

// aRollbackByItselfGoesToWhatTheChannelOffered ends a rollout badly on a branch whose older release production has
// never offered. Production returns to the newest release that it did offer, from the branch that it served before.
func aRollbackByItselfGoesToWhatTheChannelOffered(t *testing.T, server installation) {
	for name, end := range map[string]func(p *tenant, id int64){
		"a cancel": func(p *tenant, id int64) { p.awaitCommand(id, "cancel", object{"revert": true}) },
		"a rollback": func(p *tenant, id int64) {
			p.do(to(object{"scope": "release"}, "/v1/ota/rollout-executions/%d/rollback", id).by(http.MethodPost)).record(http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			colleague := p.person(models.RoleEditor)
			first := p.release()
			p.create("/v1/ota/channels", object{"name": "dev", "branchName": "dev"})
			p.onDev() // bad
			_, id := p.rollOut(p.inStages(3600, 0, 100), func(body object) { body["channel"] = "dev" })
			p.awaitRollout(id, hasHappened("started"))
			rolling := p.rolloutNow(id)
			p.protect("production", 1)
			p.carriedOut(p.pending(p.repoint(object{"branchName": "dev"})).id("id"), colleague)
			p.awaitServed([]string{"d"}, is(rolling["updateUuid"]))

			end(p, id)
			p.awaitServed([]string{"d"}, isNot(rolling["updateUuid"]))
			newest := p.list("/v1/ota/updates?limit=1")[0]
			require.Equal(t, newest["updateUuid"], p.gets("d", "production"))
			require.Equal(t, first["id"], newest["republishedFromId"])
		})
	}
}

// TestAnApprovedCallThatFailsEnds breaks the data that an approved call writes, so that the call fails each time.
func TestAnApprovedCallThatFailsEnds(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	colleague := p.person(models.RoleEditor)
	p.protect("production", 1)
	call := p.repoint(object{"minRuntimeVersion": "2.0.0"})
	id := p.pending(call).id("id")
	alter := func(what string) {
		_, err := p.postgres().Exec(t.Context(), "ALTER TABLE channels "+what)
		require.NoError(t, err)
	}
	alter("ADD CONSTRAINT broken CHECK (min_runtime_version IS NULL)")
	problem := p.verdict(id, "approve", colleague).problem(http.StatusConflict, models.CodeInvalidTransition)
	require.Contains(t, problem["detail"], "has failed: the call failed repeatedly")
	a := p.approval(id)
	require.Equal(t, "failed", a["status"])
	require.NotNil(t, a["endedAt"])
	require.Equal(t, 1, p.audited("approval.failed", id))

	alter("DROP CONSTRAINT broken")
	again := p.pending(call).id("id")
	require.NotEqual(t, id, again)
	p.carriedOut(again, colleague)
}

// requiredApprovalsApplyToWhatWaits changes the number of required approvals of a channel while calls wait.
func requiredApprovalsApplyToWhatWaits(t *testing.T, server installation) {
	p := server.tenant(t)
	first, second := p.person(models.RoleEditor), p.person(models.RoleEditor)
	p.protect("production", 2)
	enough := p.pending(p.byEditor(http.MethodPost, p.publishCall())).id("id")
	none := p.pending(p.byEditor(http.MethodPost, p.publishCall())).id("id")
	p.verdict(enough, "approve", first).record(http.StatusOK)
	p.protect("production", 1)
	p.eventually(func() bool { return p.approval(enough)["status"] == "carried_out" })
	require.EqualValues(t, 1, p.approval(none)["requiredApprovals"])
	require.Equal(t, "pending", p.approval(none)["status"])
	require.Equal(t, 1, p.audited("approval.updated", enough))
	p.protect("production", 2)
	p.verdict(none, "approve", second).record(http.StatusOK)
	require.Equal(t, "pending", p.approval(none)["status"])
}

// anApprovalIsTakenBack withdraws the first of two approvals, which then no longer counts.
func anApprovalIsTakenBack(t *testing.T, server installation) {
	p := server.tenant(t)
	first, second := p.person(models.RoleEditor), p.person(models.RoleEditor)
	p.protect("production", 2)
	id := p.pending(p.byEditor(http.MethodPost, p.publishCall())).id("id")
	withdraw := func() answer {
		return p.do(at("/v1/ota/approvals/%d/withdraw", id).by(http.MethodPost).in(first.session))
	}
	withdraw().problem(http.StatusConflict, models.CodeInvalidTransition)
	p.verdict(id, "approve", first).record(http.StatusOK)
	require.Empty(t, withdraw().record(http.StatusOK)["approvals"])
	require.Equal(t, 1, p.audited("approval.withdrawn", id))
	p.verdict(id, "approve", second).record(http.StatusOK)
	require.Equal(t, "pending", p.approval(id)["status"])
	p.carriedOut(id, first)
	withdraw().problem(http.StatusConflict, models.CodeInvalidTransition)
}
