package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// receiver is a server that receives a webhook's messages. It checks every signature with the standard library of
// webhook receivers.
type receiver struct {
	*httptest.Server
	t        *testing.T
	mu       sync.Mutex
	secrets  []string
	messages []message
	// under counts the messages that are being handled, by kind. most is the maximum of that count.
	under, most map[string]int
	// answer responds to message n, counted from 0. If it is nil, every message is accepted.
	answer func(w http.ResponseWriter, req *http.Request, n int)
}

type message struct {
	id, path, body string
	kind           string
	data           object
}

func newReceiver(t *testing.T, answer func(w http.ResponseWriter, req *http.Request, n int)) *receiver {
	t.Helper()
	r := &receiver{t: t, answer: answer, under: map[string]int{}, most: map[string]int{}}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

// statuses returns a handler that responds with each status in turn, and then with the last one for ever.
func statuses(all ...int) func(http.ResponseWriter, *http.Request, int) {
	return func(w http.ResponseWriter, _ *http.Request, n int) {
		w.WriteHeader(all[min(n, len(all)-1)])
		fmt.Fprintf(w, "answer %d", n)
	}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // the sender was killed
	}
	m := message{id: req.Header.Get("webhook-id"), path: req.URL.Path, body: string(body)}
	var sent struct {
		Type string `json:"type"`
		Data object `json:"data"`
	}
	err = json.Unmarshal(body, &sent)
	m.kind, m.data = sent.Type, sent.Data
	r.mu.Lock()
	signed := slices.ContainsFunc(r.secrets, func(secret string) bool {
		verifier, err := standardwebhooks.NewWebhook(secret)
		return err == nil && verifier.Verify(body, req.Header) == nil
	})
	n := len(r.messages)
	r.messages = append(r.messages, m)
	r.under[m.kind]++
	r.most[m.kind] = max(r.most[m.kind], r.under[m.kind])
	r.mu.Unlock()
	defer func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.under[m.kind]--
	}()
	if err != nil || !signed || len(body) >= 20_000 || req.Method != http.MethodPost || req.Header.Get("Content-Type") != "application/json" {
		r.t.Errorf("a message that no receiver would take: %v, signed %t, %v: %s", err, signed, req.Header, body)
	}
	if r.answer != nil {
		r.answer(w, req, n)
	}
}

// got returns the messages so far, of one kind unless kind is "".
func (r *receiver) got(kind string) (messages []message) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.messages {
		if kind == "" || m.kind == kind {
			messages = append(messages, m)
		}
	}
	return messages
}

// trust lets the receiver accept messages that are signed with the secret.
func (r *receiver) trust(secret string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.secrets = append(r.secrets, secret)
}

// hook creates a webhook of the tenant that sends to the receiver.
func (p *tenant) hook(r *receiver, events ...string) (id int64) {
	p.t.Helper()
	secret := models.NewWebhookSecret().Reveal()
	r.trust(secret) // the first message may be about the webhook's own creation
	return p.create("/v1/ota/webhooks", object{"url": r.URL + "/hook", "events": events, "secret": secret}).id("id")
}

// deliveries returns the webhook's deliveries, oldest first.
func (p *tenant) deliveries(hook int64) []object {
	p.t.Helper()
	all := p.list(path("/v1/ota/webhooks/%d/deliveries", hook))
	slices.Reverse(all)
	return all
}

// delivery returns one of the webhook's deliveries.
func (p *tenant) delivery(hook, id int64) object {
	p.t.Helper()
	all := p.deliveries(hook)
	i := slices.IndexFunc(all, func(d object) bool { return d.id("id") == id })
	require.GreaterOrEqual(p.t, i, 0, "webhook %d has no delivery %d", hook, id)
	return all[i]
}

// settled waits until the webhook has n deliveries or more and none is pending. It fails the test if there are more
// than n.
func (p *tenant) settled(hook int64, n int) (all []object) {
	p.t.Helper()
	p.eventually(func() bool {
		all = p.deliveries(hook)
		return len(all) >= n && !slices.ContainsFunc(all, func(d object) bool { return d["status"] == "pending" })
	})
	require.Len(p.t, all, n)
	return all
}

// setActive enables or disables a webhook.
func (p *tenant) setActive(hook int64, active bool) object {
	p.t.Helper()
	r := to(object{"isActive": active}, "/v1/ota/webhooks/%d", hook)
	r.method = http.MethodPatch
	return p.do(r).record(http.StatusOK)
}

func (p *tenant) hookRecord(id int64) object {
	p.t.Helper()
	return p.listed("/v1/ota/webhooks", strconv.FormatInt(id, 10))
}

// attempts returns the attempts of a delivery.
func attempts(d object) (all []object) {
	for _, a := range d["attempts"].([]any) {
		all = append(all, a.(map[string]any))
	}
	return all
}

// hooked returns settings that allow webhooks to this machine and retry soon.
func hooked(t *testing.T) map[string]string {
	t.Helper()
	env := settings(t)
	env["WAFT_WEBHOOK_ALLOWED_NETWORKS"], env["WAFT_WEBHOOK_RETRIES"] = "127.0.0.1", "10ms,10ms,10ms"
	return env
}

func hookedInstallation(t *testing.T, change ...func(env map[string]string)) installation {
	t.Helper()
	env := hooked(t)
	for _, c := range change {
		c(env)
	}
	return installation{url: serve(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
}
