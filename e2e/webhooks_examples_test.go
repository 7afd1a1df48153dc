package e2e

import (
	"bufio"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

// exampleReceiver is a process that receives webhook messages.
type exampleReceiver struct {
	url string
	// lines are the lines that it prints.
	lines chan string
}

func startExample(t *testing.T, secret string, command ...string) exampleReceiver {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "WAFT_WEBHOOK_SECRET="+secret, "ADDRESS=127.0.0.1:0")
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	r := exampleReceiver{lines: make(chan string, 100)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for s := bufio.NewScanner(out); s.Scan(); {
			r.lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
	})
	r.url = strings.TrimPrefix(r.line(t), "listening on ")
	return r
}

// line returns the next line that the process prints.
func (r exampleReceiver) line(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	select {
	case line := <-r.lines:
		return line
	case <-ctx.Done():
		require.Fail(t, "the receiver did not print a line")
		return ""
	}
}

// post sends a message signed with a secret.
func (r exampleReceiver) post(t *testing.T, secret, id, body string, at time.Time) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set(webhookclient.HeaderID, id)
	req.Header.Set(webhookclient.HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	req.Header.Set(webhookclient.HeaderSignature, webhookclient.Signature(models.WebhookSecretOf(secret).Key(), id, at, []byte(body)))
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res.StatusCode
}

func TestExampleReceivers(t *testing.T) {
	t.Parallel()
	server := hookedInstallation(t)
	binary := filepath.Join(t.TempDir(), "receiver")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-o", binary, "../examples/webhooks/go").CombinedOutput()
	require.NoError(t, err, string(built))
	for name, command := range map[string][]string{"go": {binary}, "node": {"node", "../examples/webhooks/node/receiver.mjs"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := server.tenant(t)
			secret := models.NewWebhookSecret().Reveal()
			r := startExample(t, secret, command...)
			hook := p.create("/v1/ota/webhooks", object{"url": r.url, "events": []string{"branch.created"}, "secret": secret}).id("id")
			p.branch()
			d := p.settled(hook, 1)[0]
			require.Equal(t, "delivered", d["status"])
			handled := "handled " + d["messageId"].(string) + " branch.created "
			require.Contains(t, r.line(t), handled)

			// If the message is sent again, the receiver accepts it but does not handle it twice. During the rotation
			// of a secret the old secret is still valid.
			p.do(request{method: http.MethodPost, path: path("/v1/ota/webhooks/%d/rotate-secret", hook)}).record(200)
			p.create(path("/v1/ota/webhooks/%d/deliveries/%d/redeliver", hook, d.id("id")), nil)
			p.branch()
			for _, d := range p.settled(hook, 3) {
				require.Equal(t, "delivered", d["status"])
				require.Len(t, attempts(d), 1)
			}
			require.NotContains(t, r.line(t), handled)

			const forged = `{"type":"branch.created","data":{"entityId":"1"}}`
			now := time.Now()
			require.Equal(t, 401, r.post(t, models.NewWebhookSecret().Reveal(), "msg_1", forged, now), "another secret")
			require.Equal(t, 401, r.post(t, secret, "msg_1", forged, now.Add(-6*time.Minute)), "the message is too old")
			require.Equal(t, 401, r.post(t, secret, "msg_1", forged, now.Add(6*time.Minute)), "the message is from the future")
			require.Equal(t, 204, r.post(t, secret, "msg_1", forged, now))
			require.Equal(t, "handled msg_1 branch.created 1", r.line(t))
			require.Empty(t, r.lines)
		})
	}
}
