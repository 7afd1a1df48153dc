package api

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// ofrepPages is an API whose bulk evaluations offer streams over real connections.
type ofrepPages struct {
	*changing
	server *httptest.Server
	log    *bytes.Buffer
	now    time.Time
	// apiKey is the key that keyErr does not keep from being found. token is its secret form.
	apiKey models.APIKey
	keyErr error
	token  models.APIKeyToken
	// lookups is the number of times that a key was looked up.
	lookups int
	// waiting receives a value when a request begins to wait for a change.
	waiting chan struct{}
}

// Changed returns the channel of changing, and reports the call.
func (f *ofrepPages) Changed(projectID int64) <-chan struct{} {
	changed := f.changing.Changed(projectID)
	select {
	case f.waiting <- struct{}{}:
	default:
	}
	return changed
}

func newOFREPPages(t *testing.T, change func(d *parts)) *ofrepPages {
	t.Helper()
	ending, end := context.WithCancel(t.Context())
	token := models.NewAPIKeyToken()
	f := &ofrepPages{changing: &changing{t: t}, now: now, token: token, log: &bytes.Buffer{}, waiting: make(chan struct{}, 1)}
	f.apiKey = models.APIKey{ID: 1, ProjectID: demo.ID, Role: models.RoleClient, Prefix: token.Prefix, SecretHash: token.Hash()}
	f.Set(text("a"))
	d := (&fakes{}).deps()
	d.Keys = &fakeKeys{findKey: func(string) (models.APIKey, error) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.lookups++
		return f.apiKey, f.keyErr
	}}
	d.Snapshots, d.Streams, d.Heartbeat, d.Now = f, ending, 5*time.Millisecond, func() time.Time {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.now
	}
	d.Log = slog.New(slog.NewTextHandler(&lockedWriter{to: f.log}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	change(&d)
	handler, err := New(d.deps())
	require.NoError(t, err)
	f.server = httptest.NewServer(handler)
	t.Cleanup(f.server.Close)
	t.Cleanup(end) // before the server waits for its connections
	return f
}

// lockedWriter is safe for concurrent use.
type lockedWriter struct {
	mu sync.Mutex
	to *bytes.Buffer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

// change changes the state of the server.
func (f *ofrepPages) change(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

func (f *ofrepPages) request(method, path, body string, header http.Header) *http.Response {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), method, f.server.URL+path, strings.NewReader(body))
	require.NoError(f.t, err)
	maps.Copy(req.Header, header)
	res, err := http.DefaultTransport.RoundTrip(req)
	require.NoError(f.t, err)
	f.t.Cleanup(func() { res.Body.Close() })
	return res
}

// evaluate evaluates all flags, and returns the status, the ETag and the path of the stream.
func (f *ofrepPages) evaluate(context, etag string) (status int, now, stream string) {
	f.t.Helper()
	res := f.request(http.MethodPost, "/ofrep/v1/evaluate/flags", `{"context":`+context+`}`, http.Header{
		"Content-Type": {"application/json"}, "Authorization": {"Bearer " + f.token.Reveal()}, "If-None-Match": {etag},
	})
	if res.StatusCode != http.StatusOK {
		return res.StatusCode, res.Header.Get("ETag"), ""
	}
	var body struct{ EventStreams []struct{ URL string } }
	require.NoError(f.t, json.NewDecoder(res.Body).Decode(&body))
	stream, ok := strings.CutPrefix(body.EventStreams[0].URL, "https://ota.example.com")
	require.True(f.t, ok)
	return res.StatusCode, res.Header.Get("ETag"), stream
}

// open opens a stream and returns its status and lines. It checks that an EventSource would wait for 1 to 10 seconds before it opens
// the stream again.
func (f *ofrepPages) open(stream string, header http.Header) (int, *bufio.Scanner) {
	f.t.Helper()
	res := f.request(http.MethodGet, stream, "", header)
	lines := bufio.NewScanner(res.Body)
	if res.StatusCode == http.StatusOK {
		requireRetry(f.t, lines, 1000, 10_000)
	}
	return res.StatusCode, lines
}

// requireRetry reads a line that tells an EventSource how long to wait, in milliseconds, before it opens a stream again.
func requireRetry(t *testing.T, lines *bufio.Scanner, shortest, longest int) {
	t.Helper()
	require.True(t, lines.Scan())
	value, ok := strings.CutPrefix(lines.Text(), "retry: ")
	require.True(t, ok, lines.Text())
	wait, err := strconv.Atoi(value)
	require.NoError(t, err)
	require.True(t, wait >= shortest && wait <= longest, value)
}

// requireOpen opens a stream of a client that has the current evaluation.
func (f *ofrepPages) requireOpen(stream string) *bufio.Scanner {
	f.t.Helper()
	status, lines := f.open(stream, nil)
	require.Equal(f.t, http.StatusOK, status)
	requireLines(f.t, lines, "id: 1")
	return lines
}

func (f *ofrepPages) awaitEnd(lines *bufio.Scanner) {
	f.t.Helper()
	for lines.Scan() {
		require.True(f.t, lines.Text() == "" || lines.Text() == ": heartbeat", lines.Text())
	}
}

// refetch returns the lines of a message about a version of the flags.
func refetch(version int) []string {
	return []string{fmt.Sprintf("id: %d", version), fmt.Sprintf(`data: {"type":"refetchEvaluation","etag":"\"%d\""}`, version)}
}

// requireRefetch reads the next message, after any heartbeats.
func requireRefetch(t *testing.T, lines *bufio.Scanner, version int) {
	t.Helper()
	for lines.Scan() && (lines.Text() == "" || lines.Text() == ": heartbeat") {
		continue
	}
	require.Equal(t, refetch(version)[0], lines.Text())
	requireLines(t, lines, refetch(version)[1])
}

// A token opens streams for an hour. The ETag of the evaluation changes in time, so that a client that polls, or opens
// again with what it has kept, gets another token.
func TestATokenOfOFREPIsRenewedBeforeItExpires(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(*parts) {})
	var etag, stream string
	issued, renewed := 0, 0 // the minute of the last token, and the number of tokens
	for minute := range 180 {
		f.change(func() { f.now = now.Add(time.Duration(minute) * time.Minute) })
		status, tag, url := f.evaluate(`{"targetingKey":"ada"}`, etag)
		if status == http.StatusOK {
			etag, stream, issued = tag, url, minute
			renewed++
		}
		require.Less(t, minute-issued, 30, "what a 304 leaves to the token")
		require.Equal(t, etag, tag)
	}
	require.GreaterOrEqual(t, renewed, 6)
	require.LessOrEqual(t, renewed, 7)

	lines := f.requireOpen(stream)
	begun := now.Add(time.Duration(issued) * time.Minute)
	f.change(func() { f.now = begun.Add(time.Hour - time.Second) })
	f.requireOpen(stream)
	f.change(func() { f.now = begun.Add(time.Hour) })
	status, _ := f.open(stream, nil)
	require.Equal(t, http.StatusUnauthorized, status)
	f.Set(text("b"))
	requireRefetch(t, lines, 2) // an open stream continues
}

// Contexts begin their periods at different times, so that clients do not come back together.
func TestTokensOfOFREPAreRenewedAtDifferentTimes(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(*parts) {})
	changed := map[int]bool{}
	for _, name := range []string{"ada", "bob", "cyd", "dan", "eve", "fay"} {
		f.change(func() { f.now = now })
		_, before, _ := f.evaluate(`{"targetingKey":"`+name+`"}`, "")
		for minute := range 30 {
			f.change(func() { f.now = now.Add(time.Duration(minute+1) * time.Minute) })
			if _, tag, _ := f.evaluate(`{"targetingKey":"`+name+`"}`, ""); tag != before {
				changed[minute] = true
				break
			}
		}
	}
	require.Greater(t, len(changed), 2)
}

func TestAStreamOfOFREPIsRefusedInOneWay(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(*parts) {})
	_, _, stream := f.evaluate(`{"targetingKey":"ada"}`, "")
	path, token, _ := strings.Cut(stream, "=")
	require.NotContains(t, stream, "ada")
	refusal := func(path string, header http.Header) string {
		t.Helper()
		res := f.request(http.MethodGet, path, "", header)
		var problem struct{ Detail string }
		require.Equal(t, http.StatusUnauthorized, res.StatusCode, path)
		require.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))
		require.NoError(t, json.NewDecoder(res.Body).Decode(&problem))
		return problem.Detail
	}
	want := refusal(path+"=AAAA", nil)
	f.change(func() { f.lookups = 0 })
	for _, other := range []string{"x", token[:20], token[:len(token)-2], "A" + token[1:], token + "AAAA", strings.Repeat("A", 60_000)} {
		if other != token {
			require.Equal(t, want, refusal(path+"="+other, nil))
		}
	}
	require.Zero(t, f.lookups, "only a token of this server causes a look-up")

	refuses := func(change func()) {
		t.Helper()
		// The time forgets which keys were refused.
		f.change(func() { f.now = f.now.Add(2 * time.Minute) })
		_, _, stream := f.evaluate(`{"targetingKey":"ada"}`, "")
		before := f.apiKey
		f.requireOpen(stream)
		f.change(change)
		require.Equal(t, want, refusal(stream, http.Header{"Origin": {"https://shop.example"}}))
		f.change(func() { f.apiKey, f.keyErr = before, nil })
	}
	refuses(func() { f.apiKey.RevokedAt = new(f.now) })
	refuses(func() { f.apiKey.ExpiresAt = new(f.now) })
	refuses(func() { f.apiKey.ID = 2 })
	refuses(func() { f.keyErr = models.Errorf(models.CodeNotFound, "the key does not exist") })
	refuses(func() { f.apiKey.Role = models.RoleEditor })
	refuses(func() { f.apiKey.ProjectID = 99 })
	require.NotContains(t, f.log.String(), token)
	require.Contains(t, f.log.String(), "/ofrep/v1/event-stream")
}

// A key that was refused is not looked up for each connection.
func TestARevokedKeysTokenDoesNotLoadPostgres(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(*parts) {})
	_, _, stream := f.evaluate(`{}`, "")
	f.change(func() { f.apiKey.RevokedAt, f.lookups = new(now), 0 })
	for range 20 {
		status, _ := f.open(stream, nil)
		require.Equal(t, http.StatusUnauthorized, status)
	}
	require.Equal(t, 1, f.lookups)
}

// An open stream ends when its key is revoked, but continues while Postgres is unavailable.
func TestAStreamOfOFREPEndsWithItsKey(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(*parts) {})
	_, _, stream := f.evaluate(`{}`, "")
	lines := f.requireOpen(stream)
	f.change(func() { f.keyErr, f.lookups = models.Unavailable("Postgres", nil), 0 })
	require.Eventually(t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return f.lookups > 1
	}, time.Minute, time.Millisecond)
	f.Set(text("b"))
	requireRefetch(t, lines, 2)
	status, _ := f.open(stream, nil)
	require.Equal(t, http.StatusServiceUnavailable, status)
	f.change(func() { f.keyErr, f.apiKey.RevokedAt = nil, new(now) })
	f.awaitEnd(lines)
}

// A page that reconnects evaluates again, whatever it has missed.
func TestAPageThatReconnectsEvaluatesAgain(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(*parts) {})
	_, _, stream := f.evaluate(`{}`, "")
	status, lines := f.open(stream, http.Header{"Last-Event-Id": {"1"}})
	require.Equal(t, http.StatusOK, status)
	requireLines(t, lines, refetch(1)...)
	f.Set(text("b"))
	requireRefetch(t, lines, 2)
	_, lines = f.open(stream, nil)
	requireLines(t, lines, refetch(2)...)
}

// Streams of one key are limited for each network: a page may have any number of readers.
func TestStreamsOfOFREPAreLimitedForEachNetwork(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(d *parts) { d.MaxStreams, d.TrustedProxies = 2, []string{"127.0.0.1"} })
	_, _, stream := f.evaluate(`{}`, "")
	from := func(address string) int {
		status, _ := f.open(stream, http.Header{"X-Forwarded-For": {address}})
		return status
	}
	for _, want := range []int{200, 200, 429} {
		require.Equal(t, want, from("192.0.2.7"))
	}
	require.Equal(t, http.StatusOK, from("198.51.100.7"))
}

// OpenFeature's web provider creates an EventSource every second while it gets an error. An EventSource obeys only the stream itself.
func TestAnEventSourceIsToldWhenToOpenItsStream(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(d *parts) { d.MaxStreams, d.TrustedProxies = 1, []string{"127.0.0.1"} })
	_, _, stream := f.evaluate(`{}`, "")
	asBrowser := func(address string) (*http.Response, *bufio.Scanner) {
		t.Helper()
		res := f.request(http.MethodGet, stream, "", http.Header{
			"X-Forwarded-For": {address}, "Accept": {"text/event-stream"}, "Origin": {"https://shop.example"},
		})
		require.Equal(t, http.StatusOK, res.StatusCode)
		require.Equal(t, "text/event-stream", res.Header.Get("Content-Type"))
		require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
		require.Equal(t, "*", res.Header.Get("Access-Control-Allow-Origin"))
		return res, bufio.NewScanner(res.Body)
	}
	requireLater := func() {
		t.Helper()
		_, lines := asBrowser("192.0.2.7")
		requireRetry(t, lines, 20_000, 28_000)
		requireLines(t, lines)
		require.False(t, lines.Scan(), "the stream has not ended")
	}
	_, lines := asBrowser("192.0.2.7")
	requireRetry(t, lines, 1000, 10_000)
	requireLines(t, lines, "id: 1")
	requireLater() // the network has one stream
	f.change(func() { f.keyErr = models.Unavailable("Postgres", nil) })
	f.change(func() { f.now = f.now.Add(2 * time.Minute) })
	requireLater() // the key cannot be looked up
	f.change(func() { f.keyErr, f.apiKey.RevokedAt = nil, new(now) })
	f.change(func() { f.now = f.now.Add(2 * time.Minute) })
	status, _ := f.open(stream, http.Header{"Accept": {"text/event-stream"}})
	require.Equal(t, http.StatusUnauthorized, status, "a refused token is an error, so that the page evaluates again")
}

// Tokens that were made before WAFT_SECRET_KEY was changed stay valid, in both directions of a change by steps.
func TestTokensOfOFREPSurviveAChangeOfTheSecretKey(t *testing.T) {
	t.Parallel()
	old, next := make([]byte, 32), bytes.Repeat([]byte{1}, 32)
	before := newOFREPPages(t, func(d *parts) { d.SessionKeys = [][]byte{old} })
	_, etag, stream := before.evaluate(`{}`, "")
	for _, keys := range [][][]byte{{next, old}, {old, next}} {
		f := newOFREPPages(t, func(d *parts) { d.SessionKeys = keys })
		f.requireOpen(stream)
	}
	// Without the old key, a client gets another token, although no flag has changed.
	f := newOFREPPages(t, func(d *parts) { d.SessionKeys = [][]byte{next} })
	f.token, f.apiKey = before.token, before.apiKey
	status, _ := f.open(stream, nil)
	require.Equal(t, http.StatusUnauthorized, status)
	status, _, stream = f.evaluate(`{}`, etag)
	require.Equal(t, http.StatusOK, status)
	f.requireOpen(stream)
}

// An event may come from another process than the response to the evaluation. An evaluation waits for the change of
// the event, but not for long.
func TestAnEvaluationWaitsForTheChangeThatItsClientWasToldOf(t *testing.T) {
	t.Parallel()
	f := newOFREPPages(t, func(*parts) {})
	answers := make(chan string)
	go func() {
		res := f.request(http.MethodPost, "/ofrep/v1/evaluate/flags?flagConfigEtag=%222%22", `{}`, http.Header{
			"Content-Type": {"application/json"}, "Authorization": {"Bearer " + f.token.Reveal()},
		})
		var body struct{ Flags []struct{ Value string } }
		_ = json.NewDecoder(res.Body).Decode(&body)
		answers <- body.Flags[0].Value
	}()
	<-f.waiting
	f.Set(text("b"))
	require.Equal(t, "b", <-answers)
}
