package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// cutProxy forwards connections to a server, counts the bytes from clients, and can be cut.
type cutProxy struct {
	url, server string

	mu   sync.Mutex
	sent int64
	// limit is the number of bytes after which the proxy cuts, or holds, the connections.
	limit int64
	holds bool
	// mute is a request whose response clients do not receive.
	mute string
	// down says that the proxy refuses connections.
	down bool
	// mends counts the calls of mend.
	mends int
	// reached is closed by reach at the limit.
	reached chan struct{}
	reach   func()
	clients map[net.Conn]bool
	running sync.WaitGroup
}

func newCutProxy(t *testing.T, server string) *cutProxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &cutProxy{url: "http://" + listener.Addr().String(), server: strings.TrimPrefix(server, "http://"), clients: map[net.Conn]bool{}}
	p.mend(1<<40, false, "")
	t.Cleanup(func() {
		listener.Close()
		p.cut()
		p.running.Wait()
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			p.running.Go(func() { p.forward(conn) })
		}
	}()
	return p
}

// mend accepts connections until the limit of further bytes, or the request that is muted.
func (p *cutProxy) mend(limit int64, holds bool, mute string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	reached := make(chan struct{})
	p.limit, p.holds, p.mute, p.down, p.reached = p.sent+limit, holds, mute, false, reached
	p.reach = sync.OnceFunc(func() { close(reached) })
	p.mends++
}

// cut closes all connections and refuses new ones.
func (p *cutProxy) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cutLocked()
}

// cutUnlessMended does the same, unless the proxy was mended since: a response may come after the publish that it belongs to.
func (p *cutProxy) cutUnlessMended(mends int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mends == mends {
		p.cutLocked()
	}
}

func (p *cutProxy) cutLocked() {
	p.down = true
	p.reach()
	for conn := range p.clients {
		conn.Close()
	}
}

// forward forwards a connection. The server gets everything that was read from the client, even after a cut.
func (p *cutProxy) forward(from net.Conn) {
	defer from.Close()
	p.mu.Lock()
	down, mends := p.down, p.mends
	p.clients[from] = true
	p.mu.Unlock()
	if down {
		return
	}
	to, err := net.Dial("tcp", p.server)
	if err != nil {
		return
	}
	defer to.Close()
	var muted sync.Once
	silent := make(chan struct{})
	p.running.Go(func() { // the responses
		first := make([]byte, 32<<10)
		for {
			n, err := to.Read(first)
			select {
			case <-silent:
				p.cutUnlessMended(mends)
			default:
				_, _ = from.Write(first[:n]) // the client may have ended
			}
			if err != nil {
				return
			}
		}
	})
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			p.mu.Lock()
			p.sent += int64(n)
			over, mute := p.sent >= p.limit && !p.down, p.mute != "" && bytes.Contains(buffer[:n], []byte(p.mute))
			p.mu.Unlock()
			if mute {
				muted.Do(func() { close(silent) })
			}
			if _, failed := to.Write(buffer[:n]); failed != nil {
				return
			}
			if over {
				p.atLimit()
			}
		}
		if err != nil {
			_ = to.(*net.TCPConn).CloseWrite() // the server stores what it got
			_, _ = io.Copy(io.Discard, to)
			return
		}
	}
}

// atLimit cuts all connections, or only closes reached.
func (p *cutProxy) atLimit() {
	p.mu.Lock()
	holds, reach := p.holds, p.reach
	p.mu.Unlock()
	reach()
	if !holds {
		p.cut()
	}
}

// publishing starts a process of `waft publish`.
func (p *cutProxy) publishing(t *testing.T, of project, dir, cache string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	waft, err := buildWaft()
	require.NoError(t, err)
	args = append([]string{"publish", dir, "--channel", "production", "--message", "interrupted"}, args...)
	cmd := exec.CommandContext(t.Context(), waft, args...)
	cmd.Env = append(os.Environ(), "WAFT_URL="+p.url, "WAFT_PROJECT="+of.slug, "WAFT_API_KEY="+of.key, "XDG_CACHE_HOME="+cache, "HOME="+cache)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	return cmd, &out
}

// requireExit waits for the end of a process.
func requireExit(t *testing.T, cmd *exec.Cmd, out *bytes.Buffer, code int) {
	t.Helper()
	err := cmd.Wait()
	var exit *exec.ExitError
	if code == 0 {
		require.NoError(t, err, "%s", out)
		return
	}
	require.ErrorAs(t, err, &exit, "%s", out)
	require.Equal(t, code, exit.ExitCode(), "%s", out)
}

// A publish is interrupted three times: a proxy cuts the connections in the middle of a file, a person presses Ctrl-C, and the response to
// the upload of a build is lost. The fourth run publishes. No byte is sent twice, and each platform has one build.
func TestAnInterruptedPublishGoesOn(t *testing.T) {
	t.Parallel()
	for name, otherKey := range map[string]bool{"with the same key": false, "with another key, as in CI": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := settings(t)
			server := serve(t, env)
			p := newProject(t, server, env["WAFT_ROOT_KEY"])
			dir, cache := t.TempDir(), t.TempDir()
			bundles, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 6 << 20, AssetBytes: 100_000})
			require.NoError(t, err)
			var total int64
			require.NoError(t, filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
				if err != nil || d.IsDir() {
					return err
				}
				info, err := d.Info()
				total += info.Size()
				return err
			}))
			proxy := newCutProxy(t, server)

			// The proxy cuts in the middle of a bundle.
			proxy.mend(3<<20, false, "")
			cmd, out := proxy.publishing(t, p, dir, cache)
			requireExit(t, cmd, out, 7)
			require.Contains(t, out.String(), "the same command continues")
			proxy.quiet(t, p, server, dir, bundles)

			// A person presses Ctrl-C.
			proxy.mend(4<<20, true, "")
			cmd, out = proxy.publishing(t, p, dir, cache)
			<-proxy.reached
			require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
			requireExit(t, cmd, out, 130)
			proxy.quiet(t, p, server, dir, bundles)

			// The response to the first build is lost.
			proxy.mend(1<<40, false, "POST /v1/ota/builds HTTP/1.1")
			cmd, out = proxy.publishing(t, p, dir, cache)
			requireExit(t, cmd, out, 7)

			proxy.mend(1<<40, false, "")
			if otherKey {
				made, err := p.CreateAPIKeyWithResponse(t.Context(), &client.CreateAPIKeyParams{},
					client.CreateAPIKeyBody{Name: "next job", Role: client.CreateAPIKeyBodyRole(models.RoleEditor)})
				require.NoError(t, err)
				p.key = made.JSON201.Key
			}
			cmd, out = proxy.publishing(t, p, dir, cache)
			requireExit(t, cmd, out, 0)
			require.Contains(t, out.String(), "continuing the publish that began at")

			const overhead = 100_000 // of four runs: names, JSON and headers
			require.Less(t, proxy.total(), total+overhead, "bytes were sent twice")
			require.Greater(t, proxy.total(), total-overhead)

			builds, err := p.ListBuildsWithResponse(t.Context(), &client.ListBuildsParams{})
			require.NoError(t, err)
			require.Len(t, *builds.JSON200, 2)
			for _, b := range *builds.JSON200 {
				require.Len(t, b.Releases, 1)
				require.Equal(t, "production", *b.Releases[0].Channel)
			}
			updates, err := p.ListUpdatesWithResponse(t.Context(), &client.ListUpdatesParams{})
			require.NoError(t, err)
			require.Len(t, *updates.JSON200, 2)
			require.Equal(t, (*updates.JSON200)[0].GroupID, (*updates.JSON200)[1].GroupID)
			for _, u := range *updates.JSON200 {
				p.requireServed(t, u)
			}
			for _, file := range p.files(t) {
				content, answer, _ := download(t, file, "identity")
				require.Equal(t, http.StatusOK, answer.StatusCode)
				require.Equal(t, file.Hash, sha256Of(string(content)))
			}

			// The same publish after that is a new one.
			cmd, out = proxy.publishing(t, p, dir, cache, "--json")
			requireExit(t, cmd, out, 0)
			var again client.Republished
			require.NoError(t, json.Unmarshal(out.Bytes(), &again))
			require.NotEqual(t, (*updates.JSON200)[0].GroupID, again.GroupID)
		})
	}
}

// total returns the bytes that clients have sent.
func (p *cutProxy) total() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.sent
}

// quiet cuts the connections, and returns once the server has stored all bytes of the files that it got.
func (p *cutProxy) quiet(t *testing.T, of project, server, dir string, bundles map[models.Platform]string) {
	t.Helper()
	p.cut()
	p.running.Wait()
	require.NotEmpty(t, bundles)
	eventually(t, func() bool {
		var stored int64
		for _, name := range bundles {
			content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			require.NoError(t, err)
			head := of.fileCall(t, http.MethodHead, server, "files/"+sha256Of(string(content)), "", nil)
			if offset := head.Header.Get("Upload-Offset"); offset != "" {
				var n int64
				require.NoError(t, json.Unmarshal([]byte(offset), &n))
				stored += n
			}
		}
		const small = 1 << 20 // requests and small files
		return stored > p.total()-small
	}, errors.New("the server has not stored what it got"))
}
