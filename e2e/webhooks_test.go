package e2e

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A webhook gets the events to which it subscribes, as they are in the audit log.
func TestWebhooksGetChangesRolloutsAndIncidents(t *testing.T) {
	t.Parallel()
	env := hooked(t)
	env["WAFT_RATE_PER_ADDRESS"], env["WAFT_RATE_PER_DEVICE"], env["WAFT_INCIDENT_INTERVAL"] = "0", "0", "200ms"
	p := installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	s := spiking{tenant: p, books: openBooks(t, env["CLICKHOUSE_URL"]), other: p}
	p.known()
	everything, some, silent, off := newReceiver(t, nil), newReceiver(t, nil), newReceiver(t, nil), newReceiver(t, nil)
	all := p.hook(everything, "*")
	of := p.hook(some, "build.published", "rollout.rolled_back", "incident.opened")
	p.hook(silent, "channel.deleted")
	disabled := p.create("/v1/ota/webhooks", object{"url": off.URL, "events": []string{"*"}, "isActive": false}).id("id")
	neighbour := s.installation.tenant(t)
	theirs := newReceiver(t, nil)
	neighbour.hook(theirs, "build.published", "rollout.rolled_back", "incident.opened")

	release := p.release()
	p.eventually(func() bool { return len(some.got("build.published")) == 1 })
	rollout := p.execution().id("id")
	p.awaitCommand(rollout, "rollback", object{"scope": "release", "reason": "it hurts"})
	s.report(count(0, 50), "", "default", "app_launch", nil)
	s.report(count(0, 12), "", "default", "crash", nil)

	p.eventually(func() bool { return len(some.got("incident.opened")) == 1 && len(some.got("rollout.rolled_back")) == 1 })
	published := some.got("build.published")[0]
	require.Equal(t, "/hook", published.path)
	require.Equal(t, strconv.FormatInt(release.id("id"), 10), published.data["entityId"])
	require.Equal(t, p.slug, published.data["projectSlug"])
	details := published.data["details"].(map[string]any)
	require.Equal(t, release["updateUuid"], details["updateUuid"])
	require.Equal(t, strconv.FormatInt(rollout, 10), some.got("rollout.rolled_back")[0].data["entityId"])
	require.Equal(t, "default", some.got("incident.opened")[0].data["details"].(map[string]any)["channel"])

	// The data is the entry of the audit log. The first entry is the creation of the webhook.
	var log []object
	p.eventually(func() bool {
		log = p.list("/v1/ota/audit-log?limit=200")
		own := slices.IndexFunc(log, func(e object) bool {
			return e["action"] == "webhook.created" && e["entityId"] == strconv.FormatInt(all, 10)
		})
		log = log[:own+1]
		return len(everything.got("")) == len(log)
	})
	told := map[any]object{}
	for _, m := range everything.got("") {
		require.Equal(t, m.kind, m.data["action"])
		told[m.data["id"]] = m.data
	}
	for _, entry := range log {
		// The message is stored with the change, before the change has an ID. The subject is read with the log.
		require.Equal(t, without(entry, "changeId", "subject"), without(told[entry["id"]], "projectSlug"))
	}
	for _, d := range append(p.settled(all, len(log)), p.settled(of, 3)...) {
		require.Equal(t, "delivered", d["status"])
		require.Len(t, attempts(d), 1)
	}
	require.Empty(t, silent.got(""))
	require.Empty(t, off.got(""))
	require.Empty(t, p.deliveries(disabled))
	require.Empty(t, theirs.got(""))
}

func TestAWebhookIsTriedAgainUnderTheSameID(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	r := newReceiver(t, statuses(500, 429, 204))
	hook := p.hook(r, "branch.created")
	name := p.branch()
	d := p.settled(hook, 1)[0]
	require.Equal(t, "delivered", d["status"])
	require.Nil(t, d["nextAttemptAt"])
	made := attempts(d)
	require.Len(t, made, 3)
	for i, status := range []float64{500, 429, 204} {
		require.Equal(t, status, made[i]["responseStatus"])
	}
	require.Equal(t, "answer 0", made[0]["responseSnippet"])
	messages := r.got("")
	require.Len(t, messages, 3)
	for _, m := range messages {
		require.Equal(t, d["messageId"], m.id)
		require.Equal(t, messages[0].body, m.body)
	}
	require.Contains(t, messages[0].body, name)
	record := p.hookRecord(hook)
	require.Equal(t, d["id"], record["lastDelivery"].(map[string]any)["id"])
	require.Nil(t, record["failingSince"], "a delivery has succeeded since")
}

func TestAWebhookThatFailsForEverFailsInTheEnd(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	r := newReceiver(t, statuses(503))
	hook := p.hook(r, "branch.created")
	p.branch()
	d := p.settled(hook, 1)[0]
	require.Equal(t, "failed", d["status"])
	require.Len(t, attempts(d), 4)
	require.Len(t, r.got(""), 4)
	record := p.hookRecord(hook)
	begun, err := time.Parse(time.RFC3339, attempts(d)[0]["at"].(string))
	require.NoError(t, err)
	over, err := time.Parse(time.RFC3339, attempts(d)[1]["at"].(string))
	require.NoError(t, err)
	since, err := time.Parse(time.RFC3339, record["failingSince"].(string))
	require.NoError(t, err)
	require.WithinRange(t, since, begun, over)
	require.Equal(t, true, record["isActive"])

	// A redelivery has the same message. A success ends the failing state of the webhook.
	r.answer = nil
	again := p.create(path("/v1/ota/webhooks/%d/deliveries/%d/redeliver", hook, d.id("id")), nil)
	require.Equal(t, [4]any{"pending", d["messageId"], d["id"], d["event"]}, [4]any{again["status"], again["messageId"], again["redeliveryOf"], again["event"]})
	require.NotEqual(t, d["workflowId"], again["workflowId"])
	p.eventually(func() bool { return p.delivery(hook, again.id("id"))["status"] == "delivered" })
	messages := r.got("")
	require.Len(t, messages, 5)
	require.Equal(t, [2]string{messages[0].id, messages[0].body}, [2]string{messages[4].id, messages[4].body})
	require.Nil(t, p.hookRecord(hook)["failingSince"])
	require.Equal(t, "failed", p.delivery(hook, d.id("id"))["status"], "the first delivery must stay failed")
}

func TestA410DisablesAWebhook(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	r, other := newReceiver(t, statuses(410)), newReceiver(t, nil)
	hook := p.hook(r, "branch.created")
	p.hook(other, "webhook.updated")
	p.branch()
	d := p.settled(hook, 1)[0]
	require.Equal(t, "failed", d["status"])
	require.Len(t, attempts(d), 1)
	record := p.hookRecord(hook)
	require.Equal(t, false, record["isActive"])
	require.Contains(t, record["disabledReason"], "410")
	entry := p.list("/v1/ota/audit-log?action=webhook.updated")[0]
	require.Equal(t, [2]any{"system", strconv.FormatInt(hook, 10)}, [2]any{entry["actorType"], entry["entityId"]})
	require.Contains(t, entry["details"].(map[string]any)["reason"], "410")
	p.eventually(func() bool { return len(other.got("webhook.updated")) == 1 })

	p.branch()
	require.Len(t, p.deliveries(hook), 1, "a disabled webhook must not get more messages")
	test := request{method: http.MethodPost, path: path("/v1/ota/webhooks/%d/test", hook)}
	require.Contains(t, p.do(test).problem(409, models.CodeInvalidTransition)["detail"], "isActive")
	require.Equal(t, "", p.setActive(hook, true)["disabledReason"])
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	elsewhere := newReceiver(t, nil)
	r := newReceiver(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
		w.Header().Set("Location", elsewhere.URL)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	hook := p.hook(r, "branch.created")
	p.branch()
	d := p.settled(hook, 1)[0]
	require.Equal(t, "failed", d["status"])
	require.Equal(t, 307.0, attempts(d)[0]["responseStatus"])
	require.Contains(t, attempts(d)[0]["error"], "redirect")
	require.Empty(t, elsewhere.got(""))
}

// Unless a setting allows it, no address on this machine or in its networks is reached, under whatever name or form.
func TestPrivateTargetsAreRefused(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t, func(env map[string]string) { env["WAFT_WEBHOOK_ALLOWED_NETWORKS"] = "" }).tenant(t)
	r := newReceiver(t, nil)
	port := r.URL[strings.LastIndex(r.URL, ":")+1:]
	type delivery struct{ hook, test int64 }
	tested := map[string]delivery{}
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "2130706433", "169.254.169.254"} {
		made := p.create("/v1/ota/webhooks", object{"url": "http://" + host + ":" + port + "/hook", "events": []string{"branch.deleted"}})
		hook := made.id("id")
		test := p.create(path("/v1/ota/webhooks/%d/test", hook), nil)
		require.Equal(t, "webhook.test", test["event"])
		tested[host] = delivery{hook, test.id("id")}
	}
	for host, d := range tested {
		p.eventually(func() bool { return p.delivery(d.hook, d.test)["status"] == "failed" })
		for _, a := range attempts(p.delivery(d.hook, d.test)) {
			require.Nil(t, a["responseStatus"], host)
			if host != "2130706433" { // not every resolver accepts this form
				require.Contains(t, a["error"], "WAFT_WEBHOOK_ALLOWED_NETWORKS", host)
			}
		}
		require.Equal(t, 204, p.do(request{method: http.MethodDelete, path: path("/v1/ota/webhooks/%d", d.hook)}).status)
	}
	require.Empty(t, r.got(""))
}

func TestTheTestMessageOfAWebhook(t *testing.T) {
	t.Parallel()
	p := hookedInstallation(t).tenant(t)
	r := newReceiver(t, nil)
	hook := p.hook(r, "channel.deleted")
	test := p.create(path("/v1/ota/webhooks/%d/test", hook), nil)
	require.Equal(t, [2]any{"webhook.test", "pending"}, [2]any{test["event"], test["status"]})
	d := p.settled(hook, 1)[0]
	require.Equal(t, test["id"], d["id"])
	got := r.got("webhook.test")
	require.Len(t, got, 1)
	require.Equal(t, p.slug, got[0].data["projectSlug"])
	require.Equal(t, strconv.FormatInt(hook, 10), got[0].data["entityId"])

	// From then on messages are signed only with the new secret.
	made := p.do(request{method: http.MethodPost, path: path("/v1/ota/webhooks/%d/rotate-secret", hook)}).record(200)
	r.mu.Lock()
	r.secrets = []string{made["secret"].(string)}
	r.mu.Unlock()
	p.create(path("/v1/ota/webhooks/%d/test", hook), nil)
	p.settled(hook, 2)
	require.Len(t, r.got("webhook.test"), 2)
}
