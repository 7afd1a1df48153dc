package e2e

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
)

// The worker is killed after it compressed one file, while it records the second one. The second file is served
// uncompressed until the next worker has continued the same workflow.
func TestCompressionGoesOnAfterTheWorkerWasKilled(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serveAPI(t, env), env["WAFT_ROOT_KEY"])
	dir := t.TempDir()
	_, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 50_000, AssetBytes: 1000})
	require.NoError(t, err)
	metadata := filepath.Join(dir, "metadata.json")
	text, err := os.ReadFile(metadata)
	require.NoError(t, err)
	text = bytes.ReplaceAll(text, []byte(`"png"`), []byte(`"ttf"`)) // a type that is worth compressing
	require.NoError(t, os.WriteFile(metadata, text, 0o600))
	assets, err := filepath.Glob(filepath.Join(dir, "assets", "*"))
	require.NoError(t, err)
	for _, name := range assets {
		require.NoError(t, os.WriteFile(name, []byte(strings.Repeat(name+" can be compressed. ", 500)), 0o600))
	}
	updates := p.publish(t, dir, "first", 0)
	p.requireServed(t, updates[0])
	files := p.files(t)
	launch, second := files[len(files)-1], files[0]

	observer := connectTo(t, env["DATABASE_URL"])
	lock, err := connectTo(t, env["DATABASE_URL"]).Begin(t.Context())
	require.NoError(t, err)
	locked, err := lock.Exec(t.Context(), "SELECT FROM blobs WHERE md5 <> $1 AND variants = 'pending' FOR UPDATE", launch.Key)
	require.NoError(t, err)
	require.NotZero(t, locked.RowsAffected())
	worker := waftd(t, "worker", env)
	awaitVariants(t, []manifestFile{launch})
	eventually(t, func() bool {
		var waiting int
		err := observer.QueryRow(t.Context(),
			"SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'").Scan(&waiting)
		require.NoError(t, err)
		return waiting > 0
	})
	told := func() (n int) {
		require.NoError(t, observer.QueryRow(t.Context(), "SELECT count(*) FROM outbox").Scan(&n))
		return n
	}
	eventually(t, func() bool { return told() == 0 }, "the worker has not recorded that it started the workflow")
	worker.kill()

	plain := func() {
		content, answer, _ := download(t, second, "br, gzip")
		require.Equal(t, http.StatusOK, answer.StatusCode)
		require.Empty(t, answer.Header.Get("Content-Encoding"))
		require.Equal(t, "public, max-age=60", answer.Header.Get("Cache-Control"), "caches must not keep the uncompressed response")
		require.Equal(t, second.Hash, sha256Of(string(content)))
	}
	plain()
	require.Zero(t, told(), "only the workflow knows that files are pending")
	waftd(t, "worker", env)
	plain()
	require.NoError(t, lock.Rollback(t.Context())) // until here the lock keeps the next worker from recording anything
	awaitVariants(t, files)
	encoding, _ := requireFile(t, second, "br, gzip")
	require.Equal(t, "br", encoding)
}

// sendFile sends a whole file to a server, or as much of it as the body contains.
func (p project) sendFile(ctx context.Context, server, sum string, size int64, body io.Reader) (status int, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, server+"/v1/ota/builds/files/"+sum, io.NopCloser(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("X-Project", p.slug)
	if req.ContentLength = size; size == 0 {
		req.Body = http.NoBody // otherwise 0 stands for an unknown length
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return 0, err
	}
	return res.StatusCode, res.Body.Close()
}

// Several clients send the same files at the same time to two API processes. Each file is stored once, and every client
// gets the response that the file is stored.
func TestTheSameFileFromSeveralClientsAtOnce(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_ASSET_BUCKET_URL"] = enginetest.Objects(t)
	own := maps.Clone(env)
	own["WAFT_DATA_DIR"] = t.TempDir()
	servers := []string{serveAPI(t, env), serveAPI(t, own)}
	p := newProject(t, servers[0], env["WAFT_ROOT_KEY"])
	contents := map[string]string{}
	for _, size := range []int{0, 1000, 17 << 20} { // no part, one part, three parts
		content := strings.Repeat(strconv.Itoa(size)+" bytes ", size/6+1)[:size]
		contents[sha256Of(content)] = content
	}
	var sending errgroup.Group
	created := map[string]int{}
	var mu sync.Mutex
	for n := range 6 {
		for sum, content := range contents {
			sending.Go(func() error {
				status, err := p.sendFile(t.Context(), servers[n%2], sum, int64(len(content)), strings.NewReader(content))
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err != nil:
					return err
				case status == http.StatusCreated:
					created[sum]++
				case status != http.StatusOK:
					return fmt.Errorf("a file of %d bytes got %d", len(content), status)
				}
				return nil
			})
		}
	}
	require.NoError(t, sending.Wait())
	files := []object{}
	for sum, content := range contents {
		require.GreaterOrEqual(t, created[sum], 1)
		head := p.fileCall(t, http.MethodHead, servers[1], "files/"+sum, "", nil)
		require.Equal(t, "?1", head.Header.Get("Upload-Complete"))
		require.Equal(t, strconv.Itoa(len(content)), head.Header.Get("Upload-Length"))
		files = append(files, object{"path": strconv.Itoa(len(content)) + ".png", "sha256": sum})
	}
	files[0]["path"] = "index.hbc"
	made := p.fileCall(t, http.MethodPost, servers[0], "", "", bytes.NewReader(mustJSON(t, object{
		"platform": "ios", "runtimeVersion": "1.0.0", "files": files,
	})))
	require.Equal(t, http.StatusCreated, made.StatusCode)
	observer := connectTo(t, env["DATABASE_URL"])
	var blobs, unended int
	require.NoError(t, observer.QueryRow(t.Context(), "SELECT count(*) FROM blobs").Scan(&blobs))
	require.Equal(t, len(contents), blobs)
	require.NoError(t, observer.QueryRow(t.Context(), "SELECT count(*) FROM partial_files WHERE NOT ended").Scan(&unended))
	require.Zero(t, unended, "unfinished files are left behind")
}

// A client disconnects in the middle of a file's second part. The server keeps the bytes that have arrived, and another
// client sends the rest.
func TestAFileGoesOnWhereADeadClientLeftIt(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := serveAPI(t, env)
	p := newProject(t, server, env["WAFT_ROOT_KEY"])
	const size, arrived = 12 << 20, 10<<20 + 12345
	content := strings.Repeat("0123456789abcdef", size/16)
	sum := sha256Of(content)
	conn, err := net.Dial("tcp", strings.TrimPrefix(server, "http://"))
	require.NoError(t, err)
	head := "PUT /v1/ota/builds/files/" + sum + " HTTP/1.1\r\nHost: waft\r\nAuthorization: Bearer " + p.key +
		"\r\nX-Project: " + p.slug + "\r\nContent-Length: " + strconv.Itoa(size) + "\r\n\r\n"
	_, err = io.WriteString(conn, head+content[:arrived])
	require.NoError(t, err)
	require.NoError(t, conn.Close())

	has := func() string {
		return p.fileCall(t, http.MethodHead, server, "files/"+sum, "", nil).Header.Get("Upload-Offset")
	}
	eventually(t, func() bool { return has() == strconv.Itoa(arrived) })
	span := "bytes " + strconv.Itoa(arrived) + "-" + strconv.Itoa(size-1) + "/" + strconv.Itoa(size)
	rest := p.fileCall(t, http.MethodPut, server, "files/"+sum, span, strings.NewReader(content[arrived:]))
	require.Equal(t, http.StatusCreated, rest.StatusCode)
	require.Equal(t, "?1", rest.Header.Get("Upload-Complete"))
	made := p.fileCall(t, http.MethodPost, server, "", "", bytes.NewReader(mustJSON(t, object{
		"platform": "ios", "runtimeVersion": "1.0.0", "files": []object{{"path": "index.hbc", "sha256": sum}},
	})))
	require.Equal(t, http.StatusCreated, made.StatusCode)
}
