package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// target is the server under attack, with the addresses of its engines and programs.
type target struct {
	url, rootKey                          string
	clickHouse, temporalUI, temporal, cli string
	waftd, database                       string
	http                                  *http.Client
	projects                              *slugs
}

func newTarget(env func(string) string) (*target, error) {
	t := &target{
		url: strings.TrimSuffix(env("WAFT_URL"), "/"), rootKey: env("WAFT_ROOT_KEY"), clickHouse: env("CLICKHOUSE_URL"),
		temporalUI: env("WAFT_TEMPORAL_UI_URL"), temporal: env("TEMPORAL_ADDRESS"), cli: env("WAFT_CLI"),
		waftd: env("WAFT_SERVER"), database: env("DATABASE_URL"), projects: &slugs{},
		http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}, CheckRedirect: byHand},
	}
	if t.url == "" || t.rootKey == "" {
		return nil, errors.New("WAFT_URL and WAFT_ROOT_KEY must name the server; `make up` writes both to .waft/demo.env")
	}
	if !onThisMachine(t.url) {
		return nil, fmt.Errorf("WAFT_URL is %s: the attacks are for a server on this machine only", t.url)
	}
	return t, nil
}

// byHand makes the HTTP client return redirects instead of following them.
func byHand(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// from returns the target as seen by a client at the given loopback address. Each loopback /24 is a network of its own.
func (t *target) from(address net.IP) *target {
	other := *t
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: address}}
	other.http = &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true}}
	return &other
}

// onThisMachine reports whether a URL or a host:port has a loopback address.
func onThisMachine(address string) bool {
	host := hostPort(address)
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// hostPort returns the host and port of a URL, or the string itself.
func hostPort(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return u.Host
	}
	return address
}

// request is a request to the server. A field with its zero value is not sent.
type request struct {
	method string // GET unless body is set
	path   string // includes the query; an absolute URL is sent to another server
	key    string
	// project is the value of X-Project.
	project string
	// from is the client address that a proxy would name. Without it the server sees a client on its own machine.
	from   string
	header map[string]string
	// body is sent as JSON, but bytes are sent as they are.
	body any
	host string
}

// answer is a response of the server, with at most 16 MiB of its body.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// object is a JSON object.
type object = map[string]any

func (t *target) send(ctx context.Context, r request) (answer, error) {
	var body io.Reader = http.NoBody
	method := r.method
	if r.body != nil {
		content, isBytes := r.body.([]byte)
		if !isBytes {
			encoded, err := json.Marshal(r.body)
			if err != nil {
				return answer{}, err
			}
			content = encoded
		}
		body = bytes.NewReader(content)
		if method == "" {
			method = http.MethodPost
		}
	}
	address := r.path
	if strings.HasPrefix(address, "/") {
		address = t.url + address
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range map[string]string{"X-Project": r.project, "X-Forwarded-For": r.from} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if r.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.key)
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	req.Host = r.host
	res, err := t.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	content, err := io.ReadAll(io.LimitReader(res.Body, 16<<20))
	return answer{res.StatusCode, res.Header, content}, err
}

// record sends a request that must succeed. It decodes the response's body into into, unless into is nil.
func (t *target) record(ctx context.Context, r request, into any) error {
	a, err := t.send(ctx, r)
	if err != nil {
		return err
	}
	if a.status >= 300 {
		return fmt.Errorf("%s %s returned %d: %s", r.method, r.path, a.status, clip(a.body))
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(a.body, into)
}

// eventually calls done every 100 ms until it returns true or fails.
func eventually(ctx context.Context, what string, done func() (bool, error)) error {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		if ok, err := done(); ok || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s: %w", what, ctx.Err())
		case <-tick.C:
		}
	}
}

func clip(text []byte) string { return string(text[:min(len(text), 200)]) }

// printable replaces the characters that a terminal would not print literally.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text)
}

// into decodes the body of a response that must be a success.
func into(a answer, record any) error {
	if a.status >= 300 {
		return fmt.Errorf("status %d: %s", a.status, clip(a.body))
	}
	return json.Unmarshal(a.body, record)
}
