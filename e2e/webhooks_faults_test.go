package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/temporalproto"
	temporal "go.temporal.io/sdk/client"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/workflows"
)

// Processes are killed at any moment between a commit and the receiver's response. Every change must be delivered,
// always under the ID that it got with the change, however many attempts that takes. The secret must not appear in
// anything that the delivery leaves behind.
func TestDeliveriesWithTheWorkerKilled(t *testing.T) {
	t.Parallel()
	env := hooked(t)
	migrate(t, env)
	api := waftd(t, "api", env)
	p := installation{url: "http://" + api.addr, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	arrived, release := make(chan struct{}, 100), make(chan struct{})
	r := newReceiver(t, func(_ http.ResponseWriter, _ *http.Request, n int) {
		arrived <- struct{}{}
		if n == 0 { // the worker is killed while it waits for this response
			<-release
		}
	})
	hook := p.hook(r, "branch.created")

	// The change is committed while no worker runs.
	before := p.branch()
	require.Equal(t, "pending", p.deliveries(hook)[0]["status"])
	require.Empty(t, attempts(p.deliveries(hook)[0]))
	worker := waftd(t, "worker", env)
	<-arrived
	worker.kill()
	close(release)
	require.Empty(t, attempts(p.deliveries(hook)[0]), "only the receiver knows of this attempt")
	after := p.branch()
	last := waftd(t, "worker", env)

	deliveries := p.settled(hook, 2)
	ids := map[string]string{}
	for i, name := range []string{before, after} {
		require.Equal(t, "delivered", deliveries[i]["status"])
		require.Len(t, attempts(deliveries[i]), 1)
		ids[deliveries[i]["messageId"].(string)] = name
	}
	require.Len(t, ids, 2)
	seen := map[string]int{}
	for _, m := range r.got("") {
		require.Equal(t, ids[m.id], m.data["details"].(map[string]any)["name"])
		seen[ids[m.id]]++
	}
	require.Equal(t, map[string]int{before: 2, after: 1}, seen, "every message must arrive at least once, always under the same ID")

	p.requireSecretNowhere(env, r.secrets[0], deliveries, api, worker, last)
}

// requireSecretNowhere searches for a secret in everything that deliveries leave behind.
func (p *tenant) requireSecretNowhere(env map[string]string, secret string, deliveries []object, processes ...*process) {
	p.t.Helper()
	tc := dialTemporal(p.t, env)
	key := strings.TrimPrefix(secret, "whsec_")
	for _, d := range deliveries {
		text := fmt.Sprint(d) + historyText(p.t, tc, d["workflowId"].(string))
		require.Contains(p.t, text, "branch.created")
		require.NotContains(p.t, text, key)
		require.NotContains(p.t, text, "127.0.0.1:", "the history must not contain the URL, which may have a token")
	}
	for _, process := range processes {
		require.NotContains(p.t, process.log.String(), key)
	}
	require.NotContains(p.t, fmt.Sprint(p.list("/v1/ota/webhooks"), p.list("/v1/ota/audit-log")), key)
}

// historyText returns the whole history of a workflow as a string.
func historyText(t *testing.T, tc temporal.Client, id string) string {
	t.Helper()
	var text strings.Builder
	events := tc.GetWorkflowHistory(t.Context(), id, "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for events.HasNext() {
		event, err := events.Next()
		require.NoError(t, err)
		raw, err := temporalproto.CustomJSONMarshalOptions{}.Marshal(event)
		require.NoError(t, err)
		text.Write(raw) // payloads in the history are written as JSON
	}
	return text.String()
}

// A delivery that waits for its next attempt ends immediately when its webhook is disabled or deleted, including its
// workflow in Temporal.
func TestPendingDeliveriesEndWithTheirWebhook(t *testing.T) {
	t.Parallel()
	env := hooked(t)
	env["WAFT_WEBHOOK_RETRIES"] = "24h"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	tc := dialTemporal(t, env)
	r := newReceiver(t, statuses(500))
	waiting := func(hook int64) (d object) {
		t.Helper()
		p.branch()
		p.eventually(func() bool {
			d = p.deliveries(hook)[0]
			return len(attempts(d)) == 1
		})
		require.Equal(t, "pending", d["status"])
		next, err := time.Parse(time.RFC3339, d["nextAttemptAt"].(string))
		require.NoError(t, err)
		require.WithinRange(t, next, time.Now().Add(23*time.Hour), time.Now().Add(30*time.Hour))
		return d
	}
	requireOver := func(d object) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
		defer cancel()
		var result workflows.DeliveryResult
		require.NoError(t, tc.GetWorkflow(ctx, d["workflowId"].(string), "").Get(ctx, &result))
		require.Equal(t, models.DeliveryCancelled, result.Status)
	}

	disabled := p.hook(r, "branch.created")
	d := waiting(disabled)
	p.setActive(disabled, false)
	cancelled := p.deliveries(disabled)[0]
	require.Equal(t, [2]any{"cancelled", nil}, [2]any{cancelled["status"], cancelled["nextAttemptAt"]})
	requireOver(d)

	deleted := p.hook(r, "branch.created")
	d = waiting(deleted)
	require.Equal(t, 204, p.do(request{method: http.MethodDelete, path: path("/v1/ota/webhooks/%d", deleted)}).status)
	requireOver(d)

	// A person can also cancel the delivery in Temporal's UI.
	hook := p.hook(r, "branch.created")
	d = waiting(hook)
	require.NoError(t, tc.CancelWorkflow(t.Context(), d["workflowId"].(string), ""))
	requireOver(d)
	require.Equal(t, "cancelled", p.deliveries(hook)[0]["status"])
	require.Len(t, r.got(""), 3)
}

// A receiver that never responds does not delay the messages of other webhooks.
func TestASlowReceiverHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	end, held := make(chan struct{}), make(chan struct{}, 1000)
	slow := newReceiver(t, func(_ http.ResponseWriter, req *http.Request, _ int) {
		held <- struct{}{}
		select {
		case <-end:
		case <-req.Context().Done(): // the sender has timed out
		}
	})
	t.Cleanup(func() { close(end) })
	quick := newReceiver(t, nil)
	one, other := p.hook(slow, "channel.deleted"), p.hook(quick, "channel.deleted")
	for range 40 {
		p.create(path("/v1/ota/webhooks/%d/test", one), nil)
	}
	for range 32 {
		<-held
	}
	p.create(path("/v1/ota/webhooks/%d/test", other), nil)
	require.Equal(t, "delivered", p.settled(other, 1)[0]["status"])
	slow.mu.Lock()
	defer slow.mu.Unlock()
	require.Equal(t, 32, slow.most["webhook.test"], "at most 32 messages are being sent; the others wait without using a slot")
}
