package e2e

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

// TestPostgresAway makes Postgres unreachable for a running server. Every call that uses Postgres fails as unavailable
// without a change, and devices do not notice.
func TestPostgresAway(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_BASE_URL"] = passkeyURL
	// Without a worker, rollouts do not advance. With this interval, incidents do not change either.
	env["WAFT_INCIDENT_INTERVAL"] = "1h"
	direct := env["DATABASE_URL"]
	line, through := newLine(t, direct)
	env["DATABASE_URL"] = through
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: direct, still: true}
	p := server.tenant(t)
	p.served()
	calls := map[string]request{}
	for i, r := range allRoutes(t) {
		if i%enginetest.Sized(1, 3) != 0 {
			continue
		}
		call := r.call(p)
		switch r.access {
		case "public", "client":
			continue
		case "root":
			call.key, call.project = p.rootKey, "-"
		}
		calls[r.String()] = call
	}
	manifest := request{method: http.MethodGet, path: "/v1/ota/manifest/" + p.slug + "?channel=production"}.
		with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Accept", "application/expo+json").with("Authorization", "")
	eventually(t, func() bool { return p.do(manifest).status == http.StatusOK })
	session := p.person(models.RoleViewer).session
	before := p.contents()
	line.cut()
	p.do(request{method: http.MethodGet, path: "/v1/ota/builds", session: session}).
		problem(http.StatusServiceUnavailable, models.CodeUnavailable)
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			a := p.do(call)
			a.problem(http.StatusServiceUnavailable, models.CodeUnavailable)
			require.NotEmpty(t, a.header.Get("Retry-After"))
		})
	}
	require.Equal(t, before, p.contents())
	require.Equal(t, http.StatusOK, p.do(manifest).status)
	p.do(request{method: http.MethodGet, path: "/readyz"}.with("Authorization", "")).record(http.StatusServiceUnavailable)

	// A metric tells operators the age of the data that devices are served.
	age := func() float64 { return p.metric("waft_snapshot_age_seconds") }
	const unnoticed = 6 // seconds, longer than the interval at which the server polls Postgres
	eventually(t, func() bool { return age() > unnoticed })

	// After Postgres is reachable again, the process catches up with the changes that others made during the outage.
	p.meanwhile(`UPDATE releases SET update_uuid = gen_random_uuid() WHERE kind = 'update'`)
	stale := p.do(manifest).record(http.StatusOK)["id"]
	line.mend(t)
	eventually(t, func() bool { return p.do(manifest).record(http.StatusOK)["id"] != stale })
	eventually(t, func() bool { return age() < unnoticed })
	eventually(t, func() bool { return p.metric("waft_snapshot_projects_behind") == 0 })
	published := p.release()
	eventually(t, func() bool { return p.do(manifest).record(http.StatusOK)["id"] == published["updateUuid"] })
}

// meanwhile changes the project in Postgres directly, as another process does, and gives the project a new version.
func (p *tenant) meanwhile(change string) {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.databaseURL)
	require.NoError(p.t, err)
	defer conn.Close(p.t.Context())
	_, err = conn.Exec(p.t.Context(), change)
	require.NoError(p.t, err)
	_, err = conn.Exec(p.t.Context(), "UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE id = $1", p.id)
	require.NoError(p.t, err)
}

// line is a connection to an engine that the test can cut or hold.
type line struct {
	listener net.Listener
	target   string // the address of the engine
	mu       sync.Mutex
	ends     []net.Conn
	isCut    bool
	// held is locked while the line accepts connections without passing on what they send.
	held sync.RWMutex
}

// newLine returns the line, and the URL of the database through it.
func newLine(t *testing.T, databaseURL string) (l *line, over string) {
	t.Helper()
	u, err := url.Parse(databaseURL)
	require.NoError(t, err)
	// freeAddress keeps other tests from taking the line's address while it is cut.
	listener, err := net.Listen("tcp", freeAddress(t))
	require.NoError(t, err)
	l = &line{listener: listener, target: u.Host}
	go l.serve(listener)
	t.Cleanup(l.cut)
	u.Host = listener.Addr().String()
	return l, u.String()
}

func (l *line) serve(listener net.Listener) {
	for {
		in, err := listener.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", l.target)
		if err != nil || !l.join(in, out) {
			in.Close()
			continue
		}
		go l.copy(in, out)
		go l.copy(out, in)
	}
}

// join records both ends of a connection, unless the line is cut.
func (l *line) join(in, out net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.isCut {
		out.Close()
		return false
	}
	l.ends = append(l.ends, in, out)
	return true
}

func (l *line) copy(to, from net.Conn) {
	io.Copy(passing{l, to}, from)
	to.Close()
}

// passing is an end of a line that waits while the line is held.
type passing struct {
	line *line
	to   net.Conn
}

func (p passing) Write(sent []byte) (int, error) {
	p.line.held.RLock()
	defer p.line.held.RUnlock()
	return p.to.Write(sent)
}

// cut closes all connections and refuses new ones until mend is called.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listener.Close()
	l.isCut = true
	for _, end := range l.ends {
		end.Close()
	}
}

func (l *line) mend(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", l.listener.Addr().String())
	require.NoError(t, err)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.listener, l.isCut = listener, false
	go l.serve(listener)
}
