package e2e

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// chat receives webhook messages as Slack and Teams do, without checking the signature.
func chat(t *testing.T) (url string, bodies chan string) {
	t.Helper()
	bodies = make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err == nil {
			bodies <- string(body)
		}
		w.WriteHeader(http.StatusOK)
	}))
	t.Cleanup(server.Close)
	return server.URL, bodies
}

// A rollback of a rollout is sent to both chats, with a link to the rollout. A change of the format applies to later
// messages.
func TestWebhooksTellChats(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t, func(env map[string]string) { env["WAFT_BASE_URL"] = "https://waft.example.com" }).tenant(t)
	hooks := map[string]int64{}
	told := map[string]chan string{}
	for _, format := range []string{"slack", "teams"} {
		var url string
		url, told[format] = chat(t)
		made := p.create("/v1/ota/webhooks", object{"url": url, "events": []string{"rollout.rolled_back"}, "format": format})
		require.Equal(t, format, made["format"])
		hooks[format] = made.id("id")
	}
	rollout := p.execution().id("id")
	p.awaitCommand(rollout, "rollback", object{"scope": "release", "reason": "<!channel> it hurts"})
	for _, hook := range hooks {
		require.Equal(t, "delivered", p.settled(hook, 1)[0]["status"])
	}
	link := path("https://waft.example.com/app/%s/rollouts/%d", p.slug, rollout)
	slack := decodedObject(t, <-told["slack"])
	require.Contains(t, slack["text"], "%: &lt;!channel&gt; it hurts")
	require.Contains(t, slack["blocks"].([]any)[2].(map[string]any)["elements"].([]any)[0].(map[string]any)["text"], "<"+link+"|")
	attachment := decodedObject(t, <-told["teams"])["attachments"].([]any)[0].(map[string]any)
	require.Equal(t, "application/vnd.microsoft.card.adaptive", attachment["contentType"])
	card := attachment["content"].(map[string]any)
	require.Contains(t, card["fallbackText"], "<!channel> it hurts")
	require.Equal(t, link, card["actions"].([]any)[0].(map[string]any)["url"])

	change := to(object{"format": "standard"}, "/v1/ota/webhooks/%d", hooks["slack"])
	change.method = http.MethodPatch
	require.Equal(t, "standard", p.do(change).record(200)["format"])
	p.create(path("/v1/ota/webhooks/%d/deliveries/%d/redeliver", hooks["slack"], p.deliveries(hooks["slack"])[0].id("id")), nil)
	require.Equal(t, "rollout.rolled_back", decodedObject(t, <-told["slack"])["type"])
}

func decodedObject(t *testing.T, text string) (o object) {
	t.Helper()
	require.NoError(t, json.NewDecoder(strings.NewReader(text)).Decode(&o), text)
	return o
}

// TestRecoverAWebhook resends failed messages. Repeated requests do not resend them again.
func TestRecoverAWebhook(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	r := newReceiver(t, statuses(503))
	hook := p.hook(r, "branch.created")
	first, second := p.branch(), p.branch()
	failed := p.settled(hook, 2)
	for _, d := range failed {
		require.Equal(t, "failed", d["status"])
	}
	redeliver := func(since any, key string) answer {
		c := to(object{"since": since}, "/v1/ota/webhooks/%d/recover", hook).with("Idempotency-Key", key)
		c.method = http.MethodPost
		return p.do(c)
	}
	require.Equal(t, object{"redelivered": 0.0, "remaining": 0.0}, redeliver("2999-01-01T00:00:00Z", "later").record(200))
	r.answer = nil
	require.Equal(t, object{"redelivered": 2.0, "remaining": 0.0}, redeliver(failed[0]["createdAt"], "once").record(200))
	again := redeliver(failed[0]["createdAt"], "once")
	require.Equal(t, 2.0, again.record(200)["redelivered"])
	require.Equal(t, "true", again.header.Get("Idempotency-Replayed"))
	require.Equal(t, 0.0, redeliver(failed[0]["createdAt"], "another click").record(200)["redelivered"], "they are pending or delivered")
	all := p.settled(hook, 4)
	for i, d := range all[2:] {
		require.Equal(t, [3]any{"delivered", failed[i]["messageId"], failed[i]["id"]}, [3]any{d["status"], d["messageId"], d["redeliveryOf"]})
	}
	require.Equal(t, 0.0, redeliver(failed[0]["createdAt"], "when all is well").record(200)["redelivered"])
	sent := r.got("")
	require.Len(t, sent, 10, "each of the two messages has four attempts and one redelivery")
	require.Contains(t, sent[8].body+sent[9].body, first)
	require.Contains(t, sent[8].body+sent[9].body, second)
	require.Len(t, p.list("/v1/ota/audit-log?action=webhook.recovered"), 1)
}
