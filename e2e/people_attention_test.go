package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// TestAttentionCountsWhatWaitsForAPerson counts an approval only for people who may still give it, and shows the
// emergency stop to everyone.
func TestAttentionCountsWhatWaitsForAPerson(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	author, colleague, viewer := p.person(models.RoleEditor), p.person(models.RoleEditor), p.person(models.RoleViewer)
	attention := func(who human) object {
		t.Helper()
		return p.do(at("/v1/ota/attention").get().in(who.session)).record(200)
	}
	approvals := func() (counts [3]any) {
		t.Helper()
		for i, who := range []human{author, colleague, viewer} {
			counts[i] = attention(who)["approvals"]
		}
		return counts
	}
	require.Equal(t, [3]any{0.0, 0.0, 0.0}, approvals())
	setup := func() any { return attention(viewer)["setup"] }
	require.Equal(t, map[string]any{"hasApiKey": true, "hasRelease": false, "signingKeyId": nil}, setup())
	p.protect("production", 2)
	asked := p.pending(p.publishCall().in(author.session)).id("id")
	require.Equal(t, [3]any{0.0, 1.0, 0.0}, approvals(), "neither the requester nor a viewer may approve")
	require.Equal(t, 0.0, p.read("/v1/ota/attention")["approvals"], "keys cannot approve")
	p.verdict(asked, "approve", colleague).record(200)
	require.Equal(t, [3]any{0.0, 0.0, 0.0}, approvals(), "one person approves once")
	p.create(path("/v1/ota/builds/%d/publish", p.build().id("id")), object{"channel": "staging"})
	require.Equal(t, true, setup().(map[string]any)["hasRelease"])

	require.Equal(t, false, attention(viewer)["emergencyStop"].(map[string]any)["active"])
	p.do(to(object{"reason": "it hurts"}, "/v1/ota/emergency-stop").by(http.MethodPost).in(author.session)).record(200)
	stopped := attention(viewer)["emergencyStop"].(map[string]any)
	require.Equal(t, []any{true, "it hurts", author.email}, []any{stopped["active"], stopped["reason"], stopped["stoppedBy"]})
	require.Equal(t, map[string]any(p.read("/v1/ota/emergency-stop")), stopped)

	entries := p.do(at("/v1/ota/audit-log?limit=10").get()).list()
	require.Equal(t, "project.stopped", entries[0]["action"])
	require.Equal(t, "channel.updated", entries[1]["action"])
	require.Equal(t, entries[0]["changeId"], entries[1]["changeId"], "all entries of a change have its ID")
	require.NotEqual(t, entries[0]["changeId"], entries[len(entries)-1]["changeId"])
}

// TestNoChangeIsMissedAfterThePositionOfMe opens an event stream at the position of the response about the caller.
func TestNoChangeIsMissedAfterThePositionOfMe(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.channel()
	position := p.read("/v1/me")["position"].(string)
	require.NotEmpty(t, position)
	name := p.channel()
	stream, err := p.followProject(p.url, position)
	require.NoError(t, err)
	defer stream.close()
	event, data, err := stream.next()
	require.NoError(t, err)
	require.Equal(t, "changed", event)
	require.Contains(t, []any{"branches", "channels"}, data["resource"], name)
}
