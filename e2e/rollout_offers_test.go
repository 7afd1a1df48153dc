package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestApprovalsCoverWhatDevicesReceive makes calls that wait, changes their effects, and then has them approved.
func TestApprovalsCoverWhatDevicesReceive(t *testing.T) {
	t.Parallel()
	together(t, map[string]func(*testing.T, installation){
		"an approval covers what devices receive":       anApprovalCoversWhatDevicesReceive,
		"an approval holds while other things change":   anApprovalHoldsWhileOtherThingsChange,
		"steps of an approved rollout keep an approval": stepsOfAnApprovedRolloutKeepAnApproval,
		"an unapproved rollout makes an approval stale": anUnapprovedRolloutMakesAnApprovalStale,
		"an override covers later releases":             anOverrideCoversLaterReleases,
		"a republish covers what it repeats":            aRepublishCoversWhatItRepeats,
		"an approved rule covers its segment":           anApprovedRuleCoversItsSegment,
	})
}

// together runs tests in parallel on one server, each with its own project.
func together(t *testing.T, tests map[string]func(*testing.T, installation)) {
	t.Helper()
	env := settings(t)
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	t.Run("together", func(t *testing.T) {
		for name, test := range tests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, server)
			})
		}
	})
}

// onDev publishes a new build to the unprotected channel dev.
func (p *tenant) onDev(more ...func(object)) object {
	p.t.Helper()
	body := object{"channel": "dev"}
	for _, add := range more {
		add(body)
	}
	return p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), body)
}

// withDev returns a tenant that has a release on the branch and channel dev, while its channel production serves
// another release. A call for production requires one approval.
func withDev(t *testing.T, server installation) (p *tenant, colleague human, good object) {
	t.Helper()
	p = server.tenant(t)
	p.release()
	p.create("/v1/ota/channels", object{"name": "dev", "branchName": "dev"})
	good = p.onDev()
	p.protect("production", 1)
	return p, p.person(models.RoleEditor), good
}

// byEditor returns the call with the key of an editor.
func (p *tenant) byEditor(method string, call request) request {
	call.method, call.key = method, p.keys[models.RoleEditor]
	return call
}

// repoint returns an editor's call that changes the channel production.
func (p *tenant) repoint(change object) request {
	return p.byEditor(http.MethodPatch, to(change, "/v1/ota/channels/production"))
}

// requireStale lets a colleague approve a call whose effect has changed, and returns the reason why it was not applied.
func (p *tenant) requireStale(id int64, colleague human) string {
	p.t.Helper()
	p.verdict(id, "approve", colleague).problem(http.StatusConflict, models.CodeInvalidTransition)
	a := p.approval(id)
	require.Equal(p.t, "stale", a["status"])
	return a["error"].(string)
}

func receives(approval object) []any { return approval["receives"].([]any) }

// anApprovalCoversWhatDevicesReceive points a protected channel to an unprotected branch. Before a colleague approves,
// a bad release is published on that branch.
func anApprovalCoversWhatDevicesReceive(t *testing.T, server installation) {
	for name, change := range map[string]object{
		"the branch of a channel": {"branchName": "dev"},
		"a branch rollout":        {"rolloutBranchName": "dev", "rolloutPercentage": 100},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, colleague, good := withDev(t, server)
			before := p.gets("d", "production")
			asked := p.pending(p.repoint(change))
			require.Len(t, receives(asked), 1)
			list := receives(asked)[0].(map[string]any)
			require.Equal(t, "production", list["channel"])
			require.Equal(t, "ios", list["platform"])
			require.Equal(t, good["id"], list["after"].([]any)[0].(map[string]any)["updateId"])
			require.Equal(t, before, p.gets("d", "production"))
			bad := p.onDev()

			why := p.requireStale(asked.id("id"), colleague)
			require.Contains(t, why, `channel "production" (iOS, runtime version 1.0.0) would now offer: release `)
			require.Contains(t, why, bad.phrase())
			require.Contains(t, why, good.phrase())
			require.Equal(t, before, p.gets("d", "production"))

			again := p.pending(p.repoint(change))
			p.carriedOut(again.id("id"), colleague)
			p.awaitServed([]string{"d"}, is(bad["updateUuid"]))
		})
	}
}

// anApprovalHoldsWhileOtherThingsChange checks that an approval stays valid while other platforms and channels get
// something else.
func anApprovalHoldsWhileOtherThingsChange(t *testing.T, server installation) {
	p, colleague, _ := withDev(t, server)
	asked := p.pending(p.byEditor(http.MethodPost, p.publishCall()))
	p.onDev()
	p.carriedOut(asked.id("id"), colleague)
	require.Len(t, receives(p.approval(asked.id("id"))), 1)
}

// stepsOfAnApprovedRolloutKeepAnApproval advances a rollout on production while a call waits. The rollout's release
// stays in the list of releases that the call's approval covers, so the approval stays valid.
func stepsOfAnApprovedRolloutKeepAnApproval(t *testing.T, server installation) {
	p := server.tenant(t)
	colleague := p.person(models.RoleEditor)
	old := p.release()
	_, id := p.rollOut(p.inStages(0, 0, 10, 50, 100))
	p.awaitRollout(id, hasHappened("started"))
	p.protect("production", 1)
	call := p.publishCall()
	call.body = object{"channel": "production", "rolloutPercentage": 20}
	asked := p.pending(call)
	after := receives(asked)[0].(map[string]any)["after"].([]any)
	require.Len(t, after, 3, "the new release, the release that is rolling out, and the old release")
	require.Nil(t, after[0].(map[string]any)["updateId"])
	require.EqualValues(t, id, after[1].(map[string]any)["rolloutExecutionId"])
	require.Equal(t, old["id"], after[2].(map[string]any)["updateId"])
	for range 2 {
		advance := p.pending(to(nil, "/v1/ota/rollout-executions/%d/advance", id).by(http.MethodPost))
		p.carriedOut(advance.id("id"), colleague)
	}
	p.carriedOut(asked.id("id"), colleague)
}

// anUnapprovedRolloutMakesAnApprovalStale changes the rollout percentage of a release on an unprotected branch.
func anUnapprovedRolloutMakesAnApprovalStale(t *testing.T, server installation) {
	p, colleague, _ := withDev(t, server)
	fresh := p.onDev(func(body object) { body["rolloutPercentage"] = 10 })
	asked := p.pending(p.repoint(object{"branchName": "dev"}))
	p.do(to(object{"rolloutPercentage": 60}, "/v1/ota/updates/%d", fresh.id("id")).by(http.MethodPatch)).record(http.StatusOK)
	why := p.requireStale(asked.id("id"), colleague)
	require.Contains(t, why, fresh.phrase()+" to 60%")
}

// anOverrideCoversLaterReleases checks that an override covers later releases, because its user gets every release of
// the branch.
func anOverrideCoversLaterReleases(t *testing.T, server installation) {
	p, colleague, _ := withDev(t, server)
	asked := p.pending(p.byEditor(http.MethodPost, to(object{"userId": "jo", "branchName": "dev"}, "/v1/ota/user-overrides")))
	require.Contains(t, asked["summary"], "including later releases on the branch")
	p.onDev()
	p.carriedOut(asked.id("id"), colleague)

	// A new branch with the same name is a different branch.
	p.create("/v1/ota/branches", object{"name": "beta"})
	other := p.pending(p.byEditor(http.MethodPost, to(object{"userId": "max", "branchName": "beta"}, "/v1/ota/user-overrides")))
	p.do(at("/v1/ota/branches/beta").by(http.MethodDelete))
	p.create("/v1/ota/branches", object{"name": "beta"})
	p.requireStale(other.id("id"), colleague)
}

// aRepublishCoversWhatItRepeats changes the original release, on an unprotected branch, before the approval.
func aRepublishCoversWhatItRepeats(t *testing.T, server installation) {
	p, colleague, good := withDev(t, server)
	call := to(object{"channels": []string{"production"}}, "/v1/ota/updates/%d/republish", good.id("id"))
	asked := p.pending(p.byEditor(http.MethodPost, call))
	p.do(to(object{"isCritical": true}, "/v1/ota/updates/%d", good.id("id")).by(http.MethodPatch)).record(http.StatusOK)
	p.requireStale(asked.id("id"), colleague)
}

// anApprovedRuleCoversItsSegment widens a segment that only a waiting rule uses.
func anApprovedRuleCoversItsSegment(t *testing.T, server installation) {
	p, colleague, _ := withDev(t, server)
	p.protect("production", 0)
	segment := p.create("/v1/ota/segments", object{"name": "Testers", "matchType": "all", "conditions": []object{
		{"attribute": "plan", "operator": "eq", "valuesJson": []string{"internal"}},
	}})
	flag := p.create("/v1/ota/flags", p.flagBody().with("enabled", true)).id("id")
	p.protect("production", 1)
	asked := p.pending(p.byEditor(http.MethodPost, to(object{
		"ruleType": "segment", "ruleConfig": object{"segmentKey": segment["key"]}, "variantValue": "true",
	}, "/v1/ota/flags/%d/rules", flag)))
	require.Contains(t, asked["summary"], `devices in segment "testers" (where plan is "internal") get true`)
	wider := p.byEditor(http.MethodPatch, to(object{"conditions": []object{
		{"attribute": "plan", "operator": "exists", "valuesJson": []string{}},
	}}, "/v1/ota/segments/%d", segment.id("id")))
	p.do(wider).record(http.StatusOK) // no rule uses the segment yet
	p.requireStale(asked.id("id"), colleague)
	require.Empty(t, p.read(path("/v1/ota/flags/%d", flag))["rules"])
	split := p.pending(p.byEditor(http.MethodPost, to(object{"ruleType": "segment", "ruleConfig": object{
		"segmentKey": segment["key"], "rollout": []object{{"variantValue": "true", "weight": 10}}, "bucketBy": "team",
	}}, "/v1/ota/flags/%d/rules", flag)))
	require.Contains(t, split["summary"], `devices in segment "testers" (where plan is given) get true for 10% (split by the attribute team)`)
}
