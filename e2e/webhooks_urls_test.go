package e2e

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	commonpb "go.temporal.io/api/common/v1"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/temporalproto"

	"github.com/waft-ota/waft/models"
)

// The URL of a webhook has secrets, like the URLs of Slack and Discord. Only admins ever see them. The masked URL that
// others see never replaces the stored URL.
func TestOnlyAdminsSeeTheSecretsOfAWebhooksURL(t *testing.T) {
	t.Parallel()
	env := hooked(t)
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	const pathSecret, querySecret = "B00000000XXXXXXXXXXXXXXXXXXXXXXXX", "hunter2hunter2"
	var got atomic.Int64
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, pathSecret) {
			got.Add(1)
		}
		http.Error(w, "Cannot POST "+r.URL.String(), http.StatusNotFound) // some frameworks respond like this
	}))
	t.Cleanup(receiver.Close)
	whole := receiver.URL + "/services/" + pathSecret + "?token=" + querySecret
	masked := receiver.URL + "/services/…?token=…"
	hook := p.create("/v1/ota/webhooks", object{"url": whole, "events": []string{"webhook.updated", "branch.created"}}).id("id")
	one := path("/v1/ota/webhooks/%d", hook)
	as := func(role models.Role, method, path string, body any) answer {
		return p.do(request{method: method, path: path, key: p.keys[role], body: body})
	}
	shown := func(role models.Role) string {
		for _, w := range as(role, http.MethodGet, "/v1/ota/webhooks", nil).list() {
			if w.id("id") == hook {
				return w["url"].(string)
			}
		}
		return ""
	}
	require.Equal(t, whole, shown(models.RoleAdmin))
	require.Equal(t, masked, shown(models.RoleEditor))
	require.Equal(t, masked, shown(models.RoleViewer))
	require.Equal(t, whole, as(models.RoleAdmin, http.MethodGet, one, nil).record(http.StatusOK)["url"])
	require.Equal(t, masked, as(models.RoleViewer, http.MethodGet, one, nil).record(http.StatusOK)["url"])

	// An editor sends the masked URL back together with another change. The stored URL stays.
	patched := as(models.RoleEditor, http.MethodPatch, one, object{"url": masked, "description": "chat"}).record(http.StatusOK)
	require.Equal(t, masked, patched["url"])
	require.Equal(t, whole, shown(models.RoleAdmin))
	refused := as(models.RoleEditor, http.MethodPatch, one, object{"url": strings.Replace(masked, "services", "elsewhere", 1)})
	require.Contains(t, refused.problem(http.StatusBadRequest, models.CodeInvalid)["errors"].([]any)[0].(map[string]any)["field"], "url")
	as(models.RoleEditor, http.MethodPost, "/v1/ota/webhooks", object{"url": masked, "events": []string{"*"}}).
		problem(http.StatusBadRequest, models.CodeInvalid)
	rotated := as(models.RoleEditor, http.MethodPost, one+"/rotate-secret", nil).record(http.StatusOK)
	require.Equal(t, masked, rotated["url"])
	moved := as(models.RoleEditor, http.MethodPatch, one, object{"url": whole + "1"}).record(http.StatusOK)
	require.Equal(t, masked, moved["url"])
	require.Equal(t, whole+"1", shown(models.RoleAdmin))

	// Deliveries, the audit log, other webhooks' messages and Temporal must not show the secrets either.
	p.branch()
	deliveries := p.settled(hook, 4)
	require.Positive(t, got.Load(), "Waft must send to the whole URL")
	secretsIn := func(where, text string) {
		t.Helper()
		for _, secret := range []string{pathSecret, querySecret} {
			require.NotContains(t, text, secret, where)
		}
	}
	secretsIn("deliveries", jsonOf(t, deliveries))
	require.Contains(t, attempts(deliveries[0])[0]["responseSnippet"], "Cannot POST /services/…?token=…")
	log := p.list("/v1/ota/audit-log?limit=200&entity_type=webhook")
	secretsIn("the audit log", jsonOf(t, log))
	require.Equal(t, map[string]any{"before": masked, "after": masked}, log[0]["details"].(map[string]any)["url"])
	tc := dialTemporal(t, env)
	for _, d := range deliveries {
		history := tc.GetWorkflowHistory(t.Context(), d["workflowId"].(string), "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for history.HasNext() {
			event, err := history.Next()
			require.NoError(t, err)
			text, err := temporalproto.CustomJSONMarshalOptions{
				Metadata: map[string]any{commonpb.EnablePayloadShorthandMetadataKey: true}, // shows payloads as they are, not in base64
			}.Marshal(event)
			require.NoError(t, err)
			secretsIn("the history of a workflow", string(text))
		}
	}
}

// On a development machine a setting may allow every port of loopback, but the ports of the engines are always refused.
func TestWebhooksNeverReachAnEngine(t *testing.T) {
	t.Parallel()
	env := hooked(t)
	env["WAFT_WEBHOOK_ALLOWED_NETWORKS"] = "127.0.0.0/8,::1"
	other := freeAddress(t) // the admin address of another process
	env["WAFT_OTHER_ADMIN_ADDRS"] = other
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	postgres, err := url.Parse(env["DATABASE_URL"])
	require.NoError(t, err)
	clickHouse, err := url.Parse(env["CLICKHOUSE_URL"])
	require.NoError(t, err)
	type delivery struct{ hook, test int64 }
	tested := map[string]delivery{}
	for _, address := range []string{postgres.Host, clickHouse.Host, env["TEMPORAL_ADDRESS"], "localhost:" + clickHouse.Port(), "127.0.0.2:" + clickHouse.Port(), other} {
		hook := p.create("/v1/ota/webhooks", object{"url": "http://" + address + "/?query=SELECT+1", "events": []string{"branch.deleted"}}).id("id")
		tested[address] = delivery{hook, p.create(path("/v1/ota/webhooks/%d/test", hook), nil).id("id")}
	}
	for address, d := range tested {
		p.eventually(func() bool { return p.delivery(d.hook, d.test)["status"] == "failed" })
		for _, a := range attempts(p.delivery(d.hook, d.test)) {
			require.Nil(t, a["responseStatus"], address)
			require.Contains(t, a["error"], "an engine of Waft", address)
		}
	}
}

func TestWebhooksReachAListedPortOnly(t *testing.T) {
	t.Parallel()
	r, other := newReceiver(t, nil), newReceiver(t, nil)
	listed, err := url.Parse(r.URL)
	require.NoError(t, err)
	env := hooked(t)
	env["WAFT_WEBHOOK_ALLOWED_NETWORKS"] = "127.0.0.1:" + listed.Port()
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	reached, refused := p.hook(r, "branch.created"), p.hook(other, "branch.created")
	p.branch()
	require.Equal(t, "delivered", p.settled(reached, 1)[0]["status"])
	require.Contains(t, attempts(p.settled(refused, 1)[0])[0]["error"], "WAFT_WEBHOOK_ALLOWED_NETWORKS")
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	return string(text)
}
