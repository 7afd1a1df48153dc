package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// The people who approve a call see the reason that its requester gave.
func TestAnApprovalShowsTheReasonOfItsCall(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	release := p.create("/v1/ota/updates", object{"buildId": p.build()["id"], "channel": "production", "rolloutPercentage": 10})
	p.protect("production", 1)
	change := func(more object) request {
		return to(more.with("rolloutPercentage", 50), "/v1/ota/updates/%d", release.id("id")).by(http.MethodPatch)
	}
	waiting := p.pending(change(object{"reason": "support asked for it"}))
	require.Equal(t, "support asked for it", waiting["reason"])
	require.Equal(t, "support asked for it", p.approval(waiting.id("id"))["reason"])
	require.Equal(t, "support asked for it", p.list("/v1/ota/approvals")[0]["reason"])
	require.Empty(t, p.pending(change(object{"isCritical": true}))["reason"])
}
