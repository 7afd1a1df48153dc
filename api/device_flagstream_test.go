package api

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// changing holds snapshots of demo that a test replaces.
type changing struct {
	t       *testing.T
	mu      sync.Mutex
	served  snapshots
	version int64
	changed chan struct{}
}

func (s *changing) CatchUp(context.Context, int64) error { return nil }

func (s *changing) Changed(int64) <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

func (s *changing) current() snapshots {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.served
}

func (s *changing) ProjectByID(id int64) (*delivery.Snapshot, error) {
	return s.current().ProjectByID(id)
}
func (s *changing) Project(name string) (*delivery.Snapshot, error) { return s.current().Project(name) }

// Set serves flags from now on.
func (s *changing) Set(flags ...models.Flag) {
	s.t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.served = newSnapshots(s.t, func(p *models.ProjectSnapshot) { p.Flags, p.Project.SnapshotVersion = flags, s.version })
	if s.changed != nil {
		close(s.changed)
	}
	s.changed = make(chan struct{})
}

// text returns a flag with a value.
func text(value string, rules ...models.FlagRule) models.Flag {
	return models.Flag{
		ID: 1, Key: "text", FlagType: models.FlagString, DefaultValue: value, Enabled: true, Rules: rules,
		Variations: []models.Variation{{ID: 2, Name: "New", Value: "new"}},
	}
}

// flagStreams is an API that streams flags over real connections.
type flagStreams struct {
	*changing
	url string
	// ended receives a value when a stream has ended.
	ended chan struct{}

	clock time.Time
	keys  *fakeKeys
}

func newFlagStreams(t *testing.T, change func(d *parts)) *flagStreams {
	t.Helper()
	ending, end := context.WithCancel(t.Context())
	f := &flagStreams{changing: &changing{t: t}, ended: make(chan struct{}, 10), clock: now, keys: &fakeKeys{}}
	f.Set(text("a"))
	d := (&fakes{}).deps()
	d.Keys, d.Snapshots, d.Streams, d.Now = f.keys, f.changing, ending, f.time
	d.Heartbeat = time.Hour
	change(&d)
	handler, err := New(d.deps())
	require.NoError(t, err)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { f.ended <- struct{}{} }()
		r.URL.Path = "/v1/ota/flag-stream" + r.URL.Path
		handler.ServeHTTP(w, r)
	}))
	f.url = server.URL
	t.Cleanup(server.Close)
	t.Cleanup(end) // before the server waits for its connections
	return f
}

func (f *flagStreams) time() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.clock
}

// Open opens a stream of d1, with a key unless it is "", and returns its lines.
func (f *flagStreams) Open(query, key string) *bufio.Scanner {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodGet, f.url+"/demo?deviceId=d1"+query, nil)
	require.NoError(f.t, err)
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(f.t, err)
	f.t.Cleanup(func() { res.Body.Close() })
	require.Equal(f.t, http.StatusOK, res.StatusCode)
	return bufio.NewScanner(res.Body)
}

// requireLines reads the lines of one event or comment.
func requireLines(t *testing.T, from *bufio.Scanner, want ...string) {
	t.Helper()
	for _, line := range append(want, "") {
		require.True(t, from.Scan(), "the stream ended before %.100q: %v", line, from.Err())
		require.True(t, line == from.Text(), "%.100q instead of %.100q", from.Text(), line)
	}
}

// requirePatch reads the next event, after any heartbeats.
func requirePatch(t *testing.T, from *bufio.Scanner, data string) {
	t.Helper()
	for from.Scan() && (from.Text() == "" || from.Text() == ": heartbeat") {
		continue
	}
	require.Equal(t, "event: patch", from.Text())
	requireLines(t, from, data)
}

func (f *flagStreams) awaitEnd(from *bufio.Scanner) {
	f.t.Helper()
	for from.Scan() { // heartbeats
		require.True(f.t, from.Text() == "" || from.Text() == ": heartbeat", from.Text())
	}
	<-f.ended
}

const (
	putA   = `data: {"flags":{"text":{"value":"a","reason":"DEFAULT"}}}`
	patchB = `data: {"key":"text","flag":{"value":"b","reason":"DEFAULT"}}`
)

func TestAStreamOfFlagsBeats(t *testing.T) {
	t.Parallel()
	f := newFlagStreams(t, func(d *parts) { d.Heartbeat = 5 * time.Millisecond })
	lines := f.Open("", "")
	requireLines(t, lines, "event: put", putA)
	requireLines(t, lines, ": heartbeat")
	requireLines(t, lines, ": heartbeat")
	f.Set(text("b"))
	requirePatch(t, lines, patchB)
}

// A rule about the age of a release takes effect even if the project does not change.
func TestAHeartbeatFindsWhatTimeChanged(t *testing.T) {
	t.Parallel()
	f := newFlagStreams(t, func(d *parts) { d.Heartbeat = 5 * time.Millisecond })
	f.Set(text("a", models.FlagRule{
		ID: 3, RuleType: models.RuleOTAUpdate, VariantValue: new("new"), Config: models.RuleConfig{UpdatedWithinDays: new(1.0)},
	}))
	lines := f.Open("&updateId="+releasedUUID.String(), "")
	requireLines(t, lines, "event: put", `data: {"flags":{"text":{"value":"new","variant":"New","reason":"TARGETING_MATCH"}}}`)
	requireLines(t, lines, ": heartbeat")
	f.mu.Lock()
	f.clock = f.clock.AddDate(0, 0, 2)
	f.mu.Unlock()
	requirePatch(t, lines, `data: {"key":"text","flag":{"value":"a","reason":"DEFAULT"}}`)
}

// A stream that was opened with a key ends when the key is revoked, but continues while Postgres is unavailable.
func TestAStreamOfFlagsEndsWithItsKey(t *testing.T) {
	t.Parallel()
	token := models.NewAPIKeyToken()
	var mu sync.Mutex
	key, away := models.APIKey{ID: 1, ProjectID: demo.ID, Role: models.RoleClient, Prefix: token.Prefix, SecretHash: token.Hash()}, error(nil)
	asked := make(chan error, 1000)
	f := newFlagStreams(t, func(d *parts) { d.Heartbeat = 5 * time.Millisecond })
	f.keys.findKey = func(string) (models.APIKey, error) {
		mu.Lock()
		defer mu.Unlock()
		asked <- away
		return key, away
	}
	lines := f.Open("", token.Reveal())
	requireLines(t, lines, "event: put", putA)
	mu.Lock()
	away = models.Unavailable("Postgres", nil)
	mu.Unlock()
	for err := range asked {
		if err != nil {
			break
		}
	}
	requireLines(t, lines, ": heartbeat")
	f.Set(text("b"))
	requirePatch(t, lines, patchB)
	mu.Lock()
	away, key.RevokedAt = nil, new(now)
	mu.Unlock()
	f.awaitEnd(lines)
}

// A client that does not read is disconnected without delaying others, and gets everything when it reconnects.
func TestAClientThatDoesNotReadIsDisconnected(t *testing.T) {
	t.Parallel()
	f := newFlagStreams(t, func(d *parts) { d.StreamWriteTime = 2 * time.Second })
	slow, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { slow.Close() })
	require.NoError(t, slow.(*net.TCPConn).SetReadBuffer(4096))
	_, err = io.WriteString(slow, "GET /demo?deviceId=slow HTTP/1.1\r\nHost: waft\r\n\r\n")
	require.NoError(t, err)
	lines := f.Open("", "")
	requireLines(t, lines, "event: put", putA)

	large := strings.Repeat("x", 16_000)
	for round, dropped := 0, false; !dropped; round++ {
		value := large + string(rune('a'+round%2))
		flags := make([]models.Flag, 60)
		for i := range flags {
			flags[i] = text(value)
			flags[i].ID, flags[i].Key = int64(i+1), fmt.Sprintf("large%02d", i)
		}
		f.Set(append(flags, text("a"))...)
		for _, flag := range flags {
			requireLines(t, lines, "event: patch", `data: {"key":"`+flag.Key+`","flag":{"value":"`+value+`","reason":"DEFAULT"}}`)
		}
		select {
		case <-f.ended:
			dropped = true
		default:
		}
	}
	f.Set(text("b"))
	for i := range 60 {
		requireLines(t, lines, "event: delete", fmt.Sprintf(`data: {"key":"large%02d"}`, i))
	}
	requirePatch(t, lines, patchB)
	requireLines(t, f.Open("", ""), "event: put", strings.Replace(putA, `"a"`, `"b"`, 1))
}

func TestAStreamOfFlagsEndsWithItsProjectAndTheServer(t *testing.T) {
	t.Parallel()
	f := newFlagStreams(t, func(*parts) {})
	lines := f.Open("", "")
	requireLines(t, lines, "event: put", putA)
	f.mu.Lock()
	f.served = nil
	close(f.changed)
	f.changed = make(chan struct{})
	f.mu.Unlock()
	f.awaitEnd(lines)
}
