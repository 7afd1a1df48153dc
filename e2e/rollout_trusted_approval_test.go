package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/identity/idtoken/idtokentest"
	"github.com/waft-ota/waft/models"
)

// TestAJobsCallWaitsForApproval lets a CI job publish to a protected channel with a key that is valid for 15 minutes.
// The waiting call stays valid after the key has expired, but not after the trust in its publisher ends or its effect
// exceeds the channels of the key.
func TestAJobsCallWaitsForApproval(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_ISSUER_ALLOWED_NETWORKS"] = "127.0.0.1"
	server := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	p := &ci{server.tenant(t), idtokentest.New(t)}
	p.trust(p.entry(object{"channels": []string{"staging"}}))
	colleague := p.person(models.RoleEditor)
	p.protect("staging", 1)
	p.protect("production", 1)
	ask := func(key, channel string) answer {
		t.Helper()
		call := to(object{"channel": channel}, "/v1/ota/builds/%d/publish", p.build().id("id")).by(http.MethodPost)
		call.key = key
		return p.do(call)
	}
	waiting := func(a answer) int64 {
		t.Helper()
		return object(a.record(http.StatusAccepted)["approval"].(map[string]any)).id("id")
	}

	ask(p.key(), "production").problem(http.StatusForbidden, models.CodeForbidden)
	require.Empty(t, p.list("/v1/ota/approvals"), "a call outside the key's channels is refused and does not wait")

	expired := waiting(ask(p.key(), "staging"))
	p.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE publisher_id IS NOT NULL")
	done := p.carriedOut(expired, colleague)
	require.Contains(t, done["requestedBy"].(map[string]any)["name"], "acme/app@refs/heads/main via ")

	// Production now uses the same branch, so the channels of the key are no longer sufficient.
	wider := waiting(ask(p.key(), "staging"))
	moved := to(object{"branchName": "staging"}, "/v1/ota/channels/production").by(http.MethodPatch)
	p.protect("production", 0)
	p.do(moved).record(200)
	p.verdict(wider, "approve", colleague).problem(409, models.CodeInvalidTransition)
	require.Equal(t, "stale", p.approval(wider)["status"])
	p.do(to(object{"branchName": "production"}, "/v1/ota/channels/production").by(http.MethodPatch)).record(200)

	// The last person who changed the entry counts as the requester of its jobs' calls.
	changer := p.person(models.RoleAdmin)
	change := request{method: http.MethodPut, path: "/v1/ota/trusted-publishers", body: []object{
		p.entry(object{"channels": []string{"staging", "production"}}),
	}}
	p.do(change.in(changer.session)).list()
	own := waiting(ask(p.key(), "staging"))
	p.verdict(own, "approve", changer).problem(http.StatusForbidden, models.CodeForbidden)
	p.carriedOut(own, colleague)

	removed := waiting(ask(p.key(), "staging"))
	p.sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE publisher_id IS NOT NULL AND revoked_at IS NULL")
	p.trust()
	p.verdict(removed, "approve", colleague).problem(409, models.CodeInvalidTransition)
	require.Contains(t, p.approval(removed)["error"], "has no access to the project any more")
}
