package webhookclient_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/guard/outbound"
	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

const loopback = "127.0.0.0/8"

func newClient(t *testing.T, allowed ...string) *webhookclient.Client {
	t.Helper()
	return clientOf(t, outbound.Targets{Setting: "WAFT_WEBHOOK_ALLOWED_NETWORKS"}, allowed...)
}

func clientOf(t *testing.T, targets outbound.Targets, allowed ...string) *webhookclient.Client {
	t.Helper()
	var err error
	targets.Allowed, err = outbound.ParseAllowed(allowed)
	require.NoError(t, err)
	c := webhookclient.NewClient(targets)
	t.Cleanup(c.Close)
	return c
}

func messageTo(url string) webhookclient.Message {
	return webhookclient.Message{URL: url, ID: "msg_1", Secrets: []models.WebhookSecret{models.WebhookSecretOf("secret")}, Body: []byte(`{"type":"build.published"}`)}
}

func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || string(body) != `{"type":"build.published"}` || r.Header.Get("Content-Type") != "application/json" ||
			r.Header.Get("Webhook-Id") != "msg_1" || !strings.HasPrefix(r.Header.Get("Webhook-Signature"), "v1,") || r.URL.String() != "/hook?a=b" {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprint(w, "thanks\x00\xff")
	}))
	t.Cleanup(server.Close)
	r, err := newClient(t, loopback).Send(t.Context(), messageTo(server.URL+"/hook?a=b"))
	require.NoError(t, err)
	require.Positive(t, r.Duration)
	r.Duration = 0
	require.Equal(t, webhookclient.Result{Status: 202, Snippet: "thanks"}, r)
	require.True(t, r.Delivered())
}

func TestOnly2xxIsSuccess(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/elsewhere" {
			w.WriteHeader(http.StatusOK)
			return
		}
		w.Header().Set("Location", "/elsewhere")
		w.Header().Set("Retry-After", "30")
		var status int
		fmt.Sscanf(r.URL.Path, "/%d", &status)
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	client := newClient(t, loopback)
	for status, delivered := range map[int]bool{200: true, 204: true, 299: true, 301: false, 302: false, 307: false, 308: false, 400: false, 410: false, 429: false, 500: false} {
		r, err := client.Send(t.Context(), messageTo(fmt.Sprintf("%s/%d", server.URL, status)))
		require.NoError(t, err)
		require.Equal(t, status, r.Status, "and no redirect is followed")
		require.Equal(t, delivered, r.Delivered(), status)
		require.Equal(t, status == 410, r.Gone())
		require.Equal(t, "30s", r.RetryAfter.String())
	}
}

// The address of the connection matters, not the target's name.
func TestTargetsAreRefusedWhenTheyAreConnectedTo(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	client := newClient(t, "10.0.0.0/8")
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0", "[::1]", "169.254.169.254"} {
		r, err := client.Send(t.Context(), messageTo("http://"+host+":"+u.Port()+"/?token=abc"))
		require.NoError(t, err)
		require.True(t, r.Refused, host)
		require.Zero(t, r.Status, host)
		require.Contains(t, r.Error, "WAFT_WEBHOOK_ALLOWED_NETWORKS", host)
		require.NotContains(t, r.Error, "token")
	}
	require.False(t, reached)
}

func TestAnEngineIsNeverReached(t *testing.T) {
	t.Parallel()
	reached := false
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	for _, engine := range []string{u.Host, "localhost:" + u.Port(), "0.0.0.0:" + u.Port()} {
		client := clientOf(t, outbound.Targets{Engines: []string{"127.0.0.1:1", engine}}, loopback, "0.0.0.0/8")
		for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "0.0.0.0"} {
			r, err := client.Send(t.Context(), messageTo("http://"+host+":"+u.Port()+"/?query=DROP"))
			require.NoError(t, err)
			require.True(t, r.Refused, "%s as %s", engine, host)
			require.Contains(t, r.Error, "an engine of Waft", "%s as %s", engine, host)
		}
	}
	require.False(t, reached)
	client := clientOf(t, outbound.Targets{Engines: []string{"127.0.0.1:1"}}, loopback)
	r, err := client.Send(t.Context(), messageTo(server.URL))
	require.NoError(t, err)
	require.True(t, r.Delivered(), "another port is no engine")
}

// Receivers quote the path in their responses, which people may read who must not read the URL.
func TestSecretsOfTheURLAreNotStored(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "Cannot POST "+r.URL.String(), http.StatusNotFound)
	}))
	t.Cleanup(server.Close)
	r, err := newClient(t, loopback).Send(t.Context(), messageTo(server.URL+"/services/T00000000/abcdef?token=s3cr3t-t0k3n"))
	require.NoError(t, err)
	require.Equal(t, "Cannot POST /services/…/abcdef?token=…\n", r.Snippet)
}

// A proxy would connect to whatever it is asked for.
func TestNoProxyIsUsed(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	server := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	// Go's own proxy setting leaves loopback addresses out, but not this one of it.
	r, err := newClient(t, loopback).Send(t.Context(), messageTo(server.URL))
	require.NoError(t, err)
	require.Equal(t, 404, r.Status)
	r, err = newClient(t, loopback).Send(t.Context(), messageTo("http://192.0.2.1/"))
	require.NoError(t, err)
	require.True(t, r.Refused, "the proxy was asked: %s", r.Error)
}

func TestCertificatesAreVerified(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(server.Close)
	r, err := newClient(t, loopback).Send(t.Context(), messageTo(server.URL+"/?token=abc"))
	require.NoError(t, err)
	require.Zero(t, r.Status)
	require.Contains(t, r.Error, "certificate")
	require.NotContains(t, r.Error, "token")
}

func TestAnswersAreReadInPart(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil { // it never ends
			if _, err := w.Write([]byte(strings.Repeat("é", 1000))); err != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	r, err := newClient(t, loopback).Send(t.Context(), messageTo(server.URL))
	require.NoError(t, err)
	require.True(t, r.Delivered())
	require.Equal(t, strings.Repeat("é", 512), r.Snippet)
}

func TestWhatHasNoAnswerSaysWhy(t *testing.T) {
	t.Parallel()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	client := newClient(t, loopback)
	for url, want := range map[string]string{
		gone.URL + "/?token=abc":         "refused",
		"http://nowhere.invalid/?token=": "nowhere.invalid cannot be resolved",
	} {
		r, err := client.Send(t.Context(), messageTo(url))
		require.NoError(t, err)
		require.Zero(t, r.Status)
		require.False(t, r.Refused)
		require.Contains(t, r.Error, want)
		require.NotContains(t, r.Error, "token")
	}
	ended, end := context.WithCancel(t.Context())
	end()
	_, err := client.Send(ended, messageTo(gone.URL))
	require.ErrorIs(t, err, context.Canceled, "nothing was tried")
}
