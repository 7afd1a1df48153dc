package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/waft-ota/waft/models"
)

const (
	// timeout bounds a whole attempt: name resolution, connection, TLS, answer.
	timeout = 15 * time.Second
	// maxSnippet is how much of an answer's body is kept, in bytes. It is little, since
	// a webhook's owner could use it to read what only Waft can reach.
	maxSnippet = 1 << 10
	// maxDrain is how much more is read so that the connection can be used again.
	maxDrain = 16 << 10
	// maxHeaders bounds the headers of an answer, in bytes.
	maxHeaders = 64 << 10
	maxError   = 500
)

// Message is sent in one attempt.
type Message struct {
	URL    string
	ID     string
	Secret models.WebhookSecret
	Body   []byte
}

// Result is the result of an attempt.
type Result struct {
	// Status is the answer's, 0 when there was none; Error then says why.
	Status   int
	Error    string
	Snippet  string
	Duration time.Duration
	// RetryAfter is how long the receiver asked to be left alone, 0 when it did not.
	RetryAfter time.Duration
	// Refused says that the target lies in a network that no message may reach.
	Refused bool
}

// Delivered reports whether the receiver took the message. Only 2xx says so.
func (r Result) Delivered() bool { return r.Status >= 200 && r.Status <= 299 }

// Gone reports whether the receiver wants no message ever again.
func (r Result) Gone() bool { return r.Status == http.StatusGone }

// Client sends messages. It is safe for concurrent use.
type Client struct {
	http *http.Client
	now  func() time.Time
}

// NewClient makes a client that reaches the internet and the allowed networks. It
// follows no redirect and uses no proxy, which would reach others for it, and checks
// every address at the moment that it connects, so that no name can change in between.
func NewClient(allowed []netip.Prefix) *Client {
	guarded := &net.Dialer{Timeout: timeout, KeepAlive: timeout, Control: func(_, address string, _ syscall.RawConn) error {
		target, err := netip.ParseAddrPort(address)
		if err != nil {
			return fmt.Errorf("%w: %q", errRefused, address)
		}
		if !mayReach(target.Addr(), allowed) {
			return fmt.Errorf("%w: %s", errRefused, target.Addr())
		}
		return nil
	}}
	return &Client{now: time.Now, http: &http.Client{
		Timeout:       timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy: nil, DialContext: guarded.DialContext, ForceAttemptHTTP2: true,
			TLSClientConfig:    &tls.Config{MinVersion: tls.VersionTLS12},
			DisableCompression: true, MaxResponseHeaderBytes: maxHeaders,
			IdleConnTimeout: 30 * time.Second, MaxIdleConns: 100, MaxIdleConnsPerHost: 4,
		},
	}}
}

// errRefused is of a target that no message may reach. Its text says what to do.
var errRefused = errors.New("the target lies in a private or special network, which WAFT_WEBHOOK_ALLOWED_NETWORKS does not allow")

// Send makes one attempt. What goes wrong with it is a Result, not an error: an error
// says that none was made, because ctx ended.
func (c *Client) Send(ctx context.Context, m Message) (Result, error) {
	began := c.now()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, bytes.NewReader(m.Body))
	if err != nil {
		return Result{Error: told(err)}, nil
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "User-Agent": "Waft-Webhooks/1",
		HeaderID: m.ID, HeaderTimestamp: strconv.FormatInt(began.Unix(), 10), HeaderSignature: Signature(m.Secret.Key(), m.ID, began, m.Body),
	} {
		request.Header.Set(name, value)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return Result{}, ctx.Err()
		}
		return Result{Error: told(err), Duration: c.now().Sub(began), Refused: errors.Is(err, errRefused)}, nil
	}
	defer answer.Body.Close()
	// The status says how it went; a body that breaks off changes nothing.
	snippet, _ := io.ReadAll(io.LimitReader(answer.Body, maxSnippet))
	_, _ = io.CopyN(io.Discard, answer.Body, maxDrain)
	return Result{
		Status: answer.StatusCode, Snippet: models.StorableText(string(snippet), maxSnippet), Duration: c.now().Sub(began),
		RetryAfter: retryAfter(answer.Header.Get("Retry-After"), c.now()),
	}, nil
}

// Close ends idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// told describes an error to the webhook's owner, without the URL, which may hold a
// token.
func told(err error) string {
	var timeoutError interface{ Timeout() bool }
	if errors.As(err, &timeoutError) && timeoutError.Timeout() {
		return fmt.Sprintf("no answer within %s", timeout)
	}
	if refused := refusal(err); refused != "" {
		return refused
	}
	var unresolved *net.DNSError
	if errors.As(err, &unresolved) { // without the resolver's address
		return models.StorableText(fmt.Sprintf("the name %s cannot be resolved: %s", unresolved.Name, unresolved.Err), maxError)
	}
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	return models.StorableText(err.Error(), maxError)
}

// refusal is the text of an errRefused in err, without what the dialer says around it.
func refusal(err error) string {
	if !errors.Is(err, errRefused) {
		return ""
	}
	text := err.Error()
	return models.StorableText(text[strings.Index(text, errRefused.Error()):], maxError)
}
