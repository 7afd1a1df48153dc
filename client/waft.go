package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Waft is a client of the management API of one project. The X-Project fields of
// the methods' parameters need not be set.
type Waft struct {
	*ClientWithResponses
}

// Credentials say on whose behalf calls are made.
type Credentials struct {
	// Key is an API key of the project, or the installation's root key; "" for calls that need none.
	Key string
	// Session is the cookie of a person's session, as name=value. It is sent when there is no key.
	Session string
	// Project is the project's slug; "" for calls that need none.
	Project string
}

// New returns a client for the server at baseURL. Each function in around wraps the transport and sees every request and response,
// for logs, traces and tests.
func New(baseURL string, c Credentials, around ...func(http.RoundTripper) http.RoundTripper) (*Waft, error) {
	transport := newHTTPClient()
	for _, wrap := range around {
		transport.Transport = wrap(transport.Transport)
	}
	inner, err := NewClientWithResponses(baseURL,
		WithHTTPClient(refusing{transport}),
		WithRequestEditorFn(c.sign),
	)
	if err != nil {
		return nil, fmt.Errorf("waft client: %w", err)
	}
	return &Waft{inner}, nil
}

// sign adds the credentials to a request.
func (c Credentials) sign(_ context.Context, req *http.Request) error {
	switch {
	case c.Key != "":
		req.Header.Set("Authorization", "Bearer "+c.Key)
	case c.Session != "":
		req.Header.Set("Cookie", c.Session)
	}
	if c.Project == "" {
		req.Header.Del("X-Project")
	} else {
		req.Header.Set("X-Project", c.Project)
	}
	return nil
}

// newHTTPClient returns a client without a timeout for a whole call, because uploads and event streams can take any time; contexts
// limit them.
func newHTTPClient() *http.Client {
	return &http.Client{
		// A redirect would carry the key to wherever it points.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
			TLSHandshakeTimeout:   10 * time.Second,
			ResponseHeaderTimeout: 2 * time.Minute,
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   8,
			ForceAttemptHTTP2:     true,
			// Otherwise a new stream would use the connection that has broken without a byte, such as while a computer slept.
			HTTP2: &http.HTTP2Config{SendPingTimeout: 20 * time.Second, PingTimeout: 20 * time.Second},
		},
	}
}

// refusing turns every response that is not a success, and every response to a call that waits for approvals, into an error.
type refusing struct{ http *http.Client }

// Do sends a request.
func (r refusing) Do(req *http.Request) (*http.Response, error) {
	res, err := r.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode < 300 && res.StatusCode != http.StatusAccepted {
		return res, nil
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusAccepted {
		return readPending(res)
	}
	return nil, readError(res)
}

// ErrNoRecord is the error for a successful response without a record, which another server or a proxy sends.
var ErrNoRecord = errors.New("the response holds no record")

// expect returns the record of a response, or an error if a successful response does not contain the record.
func expect[T any](record *T, res *http.Response) (*T, error) {
	if record == nil {
		return nil, fmt.Errorf("%w: status %d from %s", ErrNoRecord, res.StatusCode, res.Request.URL.Redacted())
	}
	return record, nil
}
