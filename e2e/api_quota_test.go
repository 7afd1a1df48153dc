package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// quotaCase describes how a project gets another record that counts toward a quota.
type quotaCase struct {
	quota models.Quota
	// limit is the value of the setting. has is the count in a new project.
	limit, has int
	// more returns a request for another record. Each request is different.
	more func(p *tenant) request
	// fewer returns the request that deletes a record, or is nil.
	fewer func(p *tenant, made object) request
	// change returns a PATCH that does not add a record, or is nil.
	change func(p *tenant, made object) request
}

func posting(path string, body func(p *tenant) object) func(p *tenant) request {
	return func(p *tenant) request { return request{method: http.MethodPost, path: path, body: body(p)} }
}

// deletingBy returns a function for the request that deletes a record. The field identifies the record below the path.
func deletingBy(path, field string) func(p *tenant, made object) request {
	return func(_ *tenant, made object) request {
		key := made[field]
		if field == "id" {
			key = made.id("id")
		}
		return request{method: http.MethodDelete, path: fmt.Sprintf("%s/%v", path, key)}
	}
}

func patchingBy(path, field string, body object) func(p *tenant, made object) request {
	return func(p *tenant, made object) request {
		r := deletingBy(path, field)(p, made)
		r.method, r.body = http.MethodPatch, body
		return r
	}
}

var quotaCases = []quotaCase{
	{
		quota: models.QuotaFlags, limit: 4,
		more:   posting("/v1/ota/flags", (*tenant).flagBody),
		fewer:  deletingBy("/v1/ota/flags", "id"),
		change: patchingBy("/v1/ota/flags", "id", object{"description": "changed"}),
	},
	{
		quota: models.QuotaSegments, limit: 3,
		more:   posting("/v1/ota/segments", (*tenant).segmentBody),
		fewer:  deletingBy("/v1/ota/segments", "id"),
		change: patchingBy("/v1/ota/segments", "id", object{"description": "changed"}),
	},
	{
		quota: models.QuotaChannels, limit: len(models.DefaultStreams) + 2, has: len(models.DefaultStreams),
		more:   posting("/v1/ota/channels", func(p *tenant) object { return object{"name": p.name(), "branchName": "production"} }),
		fewer:  deletingBy("/v1/ota/channels", "name"),
		change: patchingBy("/v1/ota/channels", "name", object{"isPaused": true}),
	},
	{
		quota: models.QuotaBranches, limit: len(models.DefaultStreams) + 3, has: len(models.DefaultStreams),
		more:  posting("/v1/ota/branches", func(p *tenant) object { return object{"name": p.name()} }),
		fewer: deletingBy("/v1/ota/branches", "name"),
	},
	{
		quota: models.QuotaPolicies, limit: 3,
		more:   posting("/v1/ota/rollout-policies", (*tenant).policyBody),
		fewer:  deletingBy("/v1/ota/rollout-policies", "id"),
		change: patchingBy("/v1/ota/rollout-policies", "id", object{"description": "changed"}),
	},
	{
		quota: models.QuotaWebhooks, limit: 2,
		more: posting("/v1/ota/webhooks", func(p *tenant) object {
			return object{"url": "https://example.com/" + p.name(), "events": []string{"build.uploaded"}}
		}),
		fewer:  deletingBy("/v1/ota/webhooks", "id"),
		change: patchingBy("/v1/ota/webhooks", "id", object{"description": "changed"}),
	},
	{
		quota: models.QuotaAPIKeys, limit: 5, has: 3, // the keys of a tenant
		more:  posting("/v1/ota/api-keys", func(p *tenant) object { return object{"name": p.name(), "role": "viewer"} }),
		fewer: deletingBy("/v1/ota/api-keys", "id"),
	},
	{
		quota: models.QuotaOverrides, limit: 4,
		more:  posting("/v1/ota/user-overrides", func(p *tenant) object { return object{"userId": p.name(), "branchName": "staging"} }),
		fewer: deletingBy("/v1/ota/user-overrides", "id"),
	},
	{
		quota: models.QuotaBuildBytes, limit: 3,
		more: func(p *tenant) request {
			r := p.upload()
			r.method = http.MethodPost
			return r
		},
	},
}

// bytesOfUpload is the size of the file that tenant.upload sends.
const bytesOfUpload = 13

// withSmallQuotas runs a server with very small quotas.
func withSmallQuotas(t *testing.T) installation {
	t.Helper()
	env := settings(t)
	for _, c := range quotaCases {
		limit := c.limit
		if c.quota == models.QuotaBuildBytes {
			limit = limit*bytesOfUpload + bytesOfUpload/2
		}
		env[string(c.quota)] = strconv.Itoa(limit)
	}
	env[string(models.QuotaFlagRules)], env[string(models.QuotaRuleUsers)] = "3", "5"
	return installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
}

// requireQuota checks that a response refuses to exceed the quota.
func requireQuota(t *testing.T, a answer, quota models.Quota) {
	t.Helper()
	require.Contains(t, a.problem(http.StatusConflict, models.CodeQuotaExceeded)["detail"], string(quota))
}

// If many requests arrive at the same time, exactly as many succeed as the quota has room for. A request that does not
// add a record is not refused, and deleting a record makes room.
func TestQuotasHoldAgainstRequestsAtOnce(t *testing.T) {
	t.Parallel()
	server := withSmallQuotas(t)
	for _, c := range quotaCases {
		t.Run(string(c.quota), func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			requests := make([]request, c.limit+8)
			for i := range requests {
				requests[i] = c.more(p)
			}
			answers := p.together(requests...)
			var made []object
			first := -1
			for i, a := range answers {
				if a.status == http.StatusCreated {
					made, first = append(made, a.record(http.StatusCreated)), i
					continue
				}
				requireQuota(t, a, c.quota)
			}
			require.Len(t, made, c.limit-c.has)
			if c.change != nil {
				p.do(c.change(p, made[0])).record(http.StatusOK)
			}
			if c.fewer == nil { // a build: the same files again do not add bytes
				p.do(requests[first]).record(http.StatusCreated)
				return
			}
			require.Equal(t, http.StatusNoContent, p.do(c.fewer(p, made[0])).status)
			p.do(c.more(p)).record(http.StatusCreated)
			requireQuota(t, p.do(c.more(p)), c.quota)
		})
	}
}

// A channel that creates its branch counts toward both quotas.
func TestAChannelMakesABranchOnlyWhereOneMoreIsAllowed(t *testing.T) {
	t.Parallel()
	p := withSmallQuotas(t).tenant(t)
	for range 3 {
		p.branch()
	}
	requireQuota(t, p.do(request{method: http.MethodPost, path: "/v1/ota/channels", body: object{"name": p.name()}}), models.QuotaBranches)
	p.create("/v1/ota/channels", object{"name": p.name(), "branchName": "production"})
}

// Rules are counted per flag, and user IDs per rule. A rule that exceeds a lowered quota can still be changed, but it
// cannot get more user IDs.
func TestQuotasOfRules(t *testing.T) {
	t.Parallel()
	server := withSmallQuotas(t)
	p := server.tenant(t)
	flag := p.create("/v1/ota/flags", p.flagBody())
	users := func(n int) []string {
		ids := make([]string, n)
		for i := range ids {
			ids[i] = fmt.Sprint("user-", i)
		}
		return ids
	}
	rule := func(n int) object {
		return object{"ruleType": "user_list", "variantValue": "true", "ruleConfig": object{"userIds": users(n)}}
	}
	rules := fmt.Sprintf("/v1/ota/flags/%d/rules", flag.id("id"))
	add := func(body object) request { return request{method: http.MethodPost, path: rules, body: body} }
	requireQuota(t, p.do(add(rule(6))), models.QuotaRuleUsers)
	answers := p.together(slices.Repeat([]request{add(rule(5))}, 9)...)
	i := slices.IndexFunc(answers, func(a answer) bool { return a.status == http.StatusCreated })
	require.GreaterOrEqual(t, i, 0)
	made := 0
	for _, a := range answers {
		if a.status == http.StatusCreated {
			made++
			continue
		}
		requireQuota(t, a, models.QuotaFlagRules)
	}
	require.Equal(t, 3, made)

	change := func(body object) answer {
		id := answers[i].record(http.StatusCreated).id("id")
		return p.do(request{method: http.MethodPatch, path: fmt.Sprintf("%s/%d", rules, id), body: body})
	}
	change(object{"priority": 7}).record(http.StatusOK)
	change(object{"ruleConfig": object{"userIds": users(4)}}).record(http.StatusOK)
	requireQuota(t, change(object{"ruleConfig": object{"userIds": users(6)}}), models.QuotaRuleUsers)
	// The rule now has more user IDs than the quota allows, as after the quota was lowered.
	_, err := p.postgres().Exec(t.Context(), `UPDATE flag_rules
		SET rule_config = jsonb_set(rule_config, '{userIds}', '["a","b","c","d","e","f","g"]') WHERE flag_id = $1`, flag.id("id"))
	require.NoError(t, err)
	change(object{"priority": 8}).record(http.StatusOK)
	change(object{"ruleConfig": object{"userIds": users(6)}}).record(http.StatusOK)
}
