// Package webhookclient sends messages to webhooks according to Standard Webhooks 1.0.0
// (https://www.standardwebhooks.com): signatures, results and retries. It does not
// depend on the store or Temporal.
package webhookclient

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/internal/guard/outbound"
	"github.com/waft-ota/waft/models"
)

// The headers of Standard Webhooks.
const (
	HeaderID        = "webhook-id"
	HeaderTimestamp = "webhook-timestamp"
	HeaderSignature = "webhook-signature"
)

// signatures returns the value of HeaderSignature: the Signature of each key, separated by spaces. Receivers accept a message if
// one of the signatures is valid.
func signatures(secrets []models.WebhookSecret, id string, at time.Time, body []byte) string {
	all := make([]string, len(secrets))
	for i, secret := range secrets {
		all[i] = Signature(secret.Key(), id, at, body)
	}
	return strings.Join(all, " ")
}

// Signature returns "v1," and the base64 of the HMAC-SHA256 of id, the time in unix seconds and the body, joined by dots.
func Signature(key []byte, id string, at time.Time, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + strconv.FormatInt(at.Unix(), 10) + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

const (
	// timeout limits a whole attempt: name resolution, connection, TLS and response.
	timeout = 15 * time.Second
	// maxSnippet is the maximum number of bytes of a response's body that are stored. It is small, because a webhook's owner could
	// otherwise read data that only Waft can reach.
	maxSnippet = 1 << 10
	// maxDrain is the maximum number of further bytes that are read so that the connection can be used again.
	maxDrain = 16 << 10
	maxError = 500
)

// Message is a message to send.
type Message struct {
	URL string
	ID  string
	// Secrets are the secrets that sign the message. Each adds a signature.
	Secrets []models.WebhookSecret
	Body    []byte
}

// hide removes the secrets of the URL from text. Receivers quote the path in their responses, which more people may read than the
// URL.
func (m Message) hide(text string) string { return models.HideURLSecrets(text, m.URL) }

// Result is the result of an attempt.
type Result struct {
	// Status is the status of the response, 0 without a response; Error is then the reason.
	Status         int
	Error, Snippet string
	Duration       time.Duration
	// RetryAfter is the wait that the receiver requested, 0 for none.
	RetryAfter time.Duration
	// Refused means that the target is not allowed.
	Refused bool
}

// Delivered reports whether the receiver accepted the message, with a status of 2xx.
func (r Result) Delivered() bool { return r.Status >= 200 && r.Status <= 299 }

// Gone reports whether the receiver asked Waft to stop sending messages.
func (r Result) Gone() bool { return r.Status == http.StatusGone }

// Client sends messages. It is safe for concurrent use.
type Client struct {
	http *http.Client
	now  func() time.Time
}

// NewClient returns a client that can reach only the internet and the allowed targets. It does not follow redirects.
func NewClient(targets outbound.Targets) *Client {
	return &Client{now: time.Now, http: &http.Client{
		Timeout: timeout, CheckRedirect: outbound.NoRedirect, Transport: outbound.NewTransport(targets, timeout),
	}}
}

// Send makes one attempt. It returns a Result even if the attempt fails, and an error only if ctx ended.
func (c *Client) Send(ctx context.Context, m Message) (Result, error) {
	began := c.now()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return Result{Error: m.hide(describe(err))}, nil
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Waft-Webhooks/1",
		HeaderID: m.ID, HeaderTimestamp: strconv.FormatInt(began.Unix(), 10),
		HeaderSignature: signatures(m.Secrets, m.ID, began, m.Body),
	} {
		request.Header.Set(name, value)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		_, refused := outbound.Refused(err)
		return Result{Error: m.hide(describe(err)), Duration: c.now().Sub(began), Refused: refused}, nil
	}
	defer answer.Body.Close()
	// The status is the result, even if the body breaks off.
	snippet, _ := io.ReadAll(io.LimitReader(answer.Body, maxSnippet))
	_, _ = io.CopyN(io.Discard, answer.Body, maxDrain)
	return Result{
		Status: answer.StatusCode, Snippet: models.StorableText(m.hide(string(snippet)), maxSnippet),
		Duration: c.now().Sub(began), RetryAfter: retryAfter(answer.Header.Get("Retry-After"), c.now()),
	}, nil
}

// Close ends idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// describe returns the text of an error for the webhook's owner, without the URL, which may contain a
// token, and without the address of the resolver.
func describe(err error) string {
	var timedOut interface{ Timeout() bool }
	var unresolved *net.DNSError
	var wrapped *url.Error
	text := err.Error()
	refusal, isRefusal := outbound.Refused(err)
	switch {
	case errors.As(err, &timedOut) && timedOut.Timeout():
		return fmt.Sprintf("no response within %s", timeout)
	case isRefusal: // wrapped by the dialer
		text = text[strings.Index(text, refusal):]
	case errors.As(err, &unresolved):
		text = fmt.Sprintf("the name %s cannot be resolved: %s", unresolved.Name, unresolved.Err)
	case errors.As(err, &wrapped):
		text = wrapped.Err.Error()
	}
	return models.StorableText(text, maxError)
}
