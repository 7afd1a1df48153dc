package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// counted returns the address of a proxy for the server. The proxy counts the bytes of the bodies.
func counted(t *testing.T, server string) (address string, bytes *atomic.Int64) {
	t.Helper()
	target, err := url.Parse(server)
	require.NoError(t, err)
	bytes = &atomic.Int64{}
	proxy := &httputil.ReverseProxy{
		Transport: &http.Transport{},
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = countedBody{r.Body, bytes}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL, bytes
}

type countedBody struct {
	io.ReadCloser
	bytes *atomic.Int64
}

func (b countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.bytes.Add(int64(n))
	return n, err
}

func TestASecondPublishSendsOnlyWhatDiffers(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := serve(t, env)
	p := newProject(t, server, env["WAFT_ROOT_KEY"])
	at, bytes := counted(t, server)
	through, err := client.New(at, client.Credentials{Key: p.key, Project: p.slug})
	require.NoError(t, err)
	p.Waft = through
	dir := t.TempDir()
	_, err = bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 300_000, AssetBytes: 200_000})
	require.NoError(t, err)
	export, err := client.OpenExport(dir, models.IOS)
	require.NoError(t, err)
	var sent client.Transfer
	upload := func() client.Build {
		bytes.Store(0)
		b, err := p.UploadExport(t.Context(), export, client.Upload{RuntimeVersion: "1.0.0", Sent: func(of client.Transfer) { sent = of }})
		require.NoError(t, err)
		return *b
	}
	const overhead = 20_000 // for names and JSON
	first := upload()
	require.Equal(t, sent.Files, sent.SentFiles)
	require.Equal(t, first.SizeBytes, first.NewBytes, "files that were uploaded separately count as new in the build")
	require.InDelta(t, first.SizeBytes, bytes.Load(), overhead)

	again := upload()
	require.Zero(t, sent.SentFiles)
	require.Zero(t, again.NewBytes)
	require.Less(t, bytes.Load(), int64(overhead))

	changed := filepath.Join(dir, filepath.FromSlash(export.Bundle))
	content, err := os.ReadFile(changed)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(changed, append(content, "// changed\n"...), 0o600))
	third := upload()
	require.Equal(t, 1, sent.SentFiles)
	require.EqualValues(t, 1, third.NewAssetCount)
	require.InDelta(t, len(content), bytes.Load(), overhead)

	// Files that were uploaded this way are served.
	updates := p.publish(t, dir, "first", 0)
	p.url = server
	p.requireServed(t, updates[0])
	for _, file := range p.files(t) {
		content, answer, _ := download(t, file, "identity")
		require.Equal(t, http.StatusOK, answer.StatusCode)
		require.Equal(t, file.Hash, sha256Of(string(content)))
	}
}

// fileCall calls an endpoint for files. contentRange may be "".
func (p project) fileCall(t *testing.T, method, server, name, contentRange string, body io.Reader) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, strings.TrimSuffix(server+"/v1/ota/builds/"+name, "/"), body)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+p.key)
	req.Header.Set("X-Project", p.slug)
	if contentRange != "" {
		req.Header.Set("Content-Range", contentRange)
	}
	if name == "check" || name == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	require.NoError(t, err)
	t.Cleanup(func() { res.Body.Close() })
	return res
}

// Two API processes share an asset bucket in S3. The first process is killed in the middle of a file, and the second
// one resumes the upload.
func TestAFileGoesOnWhereAKilledProcessLeftIt(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_ASSET_BUCKET_URL"] = enginetest.Objects(t)
	migrate(t, env)
	dies := waftd(t, "api", env)
	own := maps.Clone(env)
	own["WAFT_DATA_DIR"] = t.TempDir()
	stays := waftd(t, "api", own)
	p := newProject(t, stays.url(), env["WAFT_ROOT_KEY"])
	foreign := newProject(t, stays.url(), env["WAFT_ROOT_KEY"])

	const part, size = 8 << 20, 17 << 20
	content := strings.Repeat("0123456789abcdef", size/16)
	sum := sha256Of(content)
	name := "files/" + sum
	check := func(p project) (missing []string) {
		asked, err := json.Marshal(object{"files": []object{{"sha256": sum, "sizeBytes": size}}})
		require.NoError(t, err)
		res := p.fileCall(t, http.MethodPost, stays.url(), "check", "", strings.NewReader(string(asked)))
		require.Equal(t, 200, res.StatusCode)
		var answer struct{ Missing []string }
		require.NoError(t, json.NewDecoder(res.Body).Decode(&answer))
		return answer.Missing
	}
	offset := func(res *http.Response) int { // -1 if the response has no offset
		n, err := strconv.Atoi(res.Header.Get("Upload-Offset"))
		if err != nil {
			return -1
		}
		return n
	}
	head := func(p project) *http.Response { return p.fileCall(t, http.MethodHead, stays.url(), name, "", nil) }
	require.Equal(t, 404, head(p).StatusCode)

	read, write := io.Pipe()
	go func() {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, dies.url()+"/v1/ota/builds/"+name, read)
		if err == nil {
			req.Header.Set("Authorization", "Bearer "+p.key)
			req.Header.Set("X-Project", p.slug)
			req.ContentLength = size
			if res, err := (&http.Client{Transport: &http.Transport{}}).Do(req); err == nil {
				res.Body.Close()
			}
		}
		_ = read.Close()
	}()
	_, err := io.WriteString(write, content[:12<<20])
	require.NoError(t, err)
	eventually(t, func() bool { return offset(head(p)) == part })
	dies.kill()
	_ = write.Close()
	require.Equal(t, part, offset(head(p)))
	require.Equal(t, "?0", head(p).Header.Get("Upload-Complete"))
	require.Equal(t, []string{sum}, check(p), "the file is not complete")
	require.Equal(t, 404, head(foreign).StatusCode)

	span := func(from int) string {
		return "bytes " + strconv.Itoa(from) + "-" + strconv.Itoa(size-1) + "/" + strconv.Itoa(size)
	}
	wrong := p.fileCall(t, http.MethodPut, stays.url(), name, fmt.Sprintf("bytes %d-%d/%d", part+1, part+1, size), strings.NewReader("x"))
	require.Equal(t, 416, wrong.StatusCode)
	require.Equal(t, part, offset(wrong))
	rest := p.fileCall(t, http.MethodPut, stays.url(), name, span(part), strings.NewReader(content[part:]))
	require.Equal(t, 201, rest.StatusCode)
	require.Equal(t, "?1", rest.Header.Get("Upload-Complete"))
	require.Empty(t, check(p))
	require.Equal(t, []string{sum}, check(foreign), "another project does not have the file")
	require.Equal(t, 404, head(foreign).StatusCode)

	// No build has the file yet. The cleanup must keep it for a build that may name it later.
	collected, err := p.CollectGarbageWithResponse(t.Context(), &client.CollectGarbageParams{})
	require.NoError(t, err)
	require.Zero(t, collected.JSON200.BlobCount)
	upload := func(p project, sha256 string) *http.Response {
		body, err := json.Marshal(object{
			"platform": "ios", "runtimeVersion": "1.0.0", "files": []object{{"path": "index.hbc", "sha256": sha256}},
		})
		require.NoError(t, err)
		return p.fileCall(t, http.MethodPost, stays.url(), "", "", strings.NewReader(string(body)))
	}
	missing := upload(foreign, sum)
	require.Equal(t, 409, missing.StatusCode)
	problem, err := io.ReadAll(missing.Body)
	require.NoError(t, err)
	require.Contains(t, string(problem), `"code":"files_missing"`)
	require.Contains(t, string(problem), sum)
	made := upload(p, sum)
	require.Equal(t, 201, made.StatusCode)
	var build client.Build
	require.NoError(t, json.NewDecoder(made.Body).Decode(&build))
	require.EqualValues(t, size, build.NewBytes)
}

func TestBadPartsOfFilesAreClearErrors(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := serveAPI(t, env)
	p := newProject(t, server, env["WAFT_ROOT_KEY"])
	content := strings.Repeat("part", 100)
	name := "files/" + sha256Of(content)
	put := func(name, span, body string) *http.Response {
		return p.fileCall(t, http.MethodPut, server, name, span, strings.NewReader(body))
	}
	for span, body := range map[string]string{
		"bytes 0-99/400": content, "bytes 5-4/400": "", "bytes 0-399/399": content, "bytes */400": "", "items 0-1/2": "ab",
		"bytes -1-1/400": "ab", "bytes 0-1": "ab", "bytes 0-9223372036854775807/9223372036854775807": "ab",
	} {
		require.Equal(t, 400, put(name, span, body).StatusCode, span)
	}
	require.Equal(t, 413, put(name, "bytes 0-1/1099511627776", "ab").StatusCode)
	require.Equal(t, 404, p.fileCall(t, http.MethodHead, server, name, "", nil).StatusCode, "no part of it was stored")

	require.Equal(t, 200, put(name, "bytes 0-99/400", content[:100]).StatusCode)
	require.Equal(t, 416, put(name, "bytes 100-199/401", content[100:200]).StatusCode, "another size than the first part's")
	require.Equal(t, 200, put(name, "bytes 100-199/400", content[100:200]).StatusCode)
	again := put(name, "bytes 100-199/400", content[100:200])
	require.Equal(t, 416, again.StatusCode)
	require.Equal(t, "200", again.Header.Get("Upload-Offset"))
	wrong := put(name, "bytes 200-399/400", strings.Repeat("x", 200))
	require.Equal(t, 400, wrong.StatusCode, "the SHA-256 does not match")
	require.Equal(t, 404, p.fileCall(t, http.MethodHead, server, name, "", nil).StatusCode, "the upload has to start again")
	require.Equal(t, 201, put(name, "", content).StatusCode)
	require.Equal(t, 200, put(name, "", content).StatusCode, "the file is stored")
	require.Equal(t, 201, put("files/"+sha256Of(""), "", "").StatusCode, "an empty file is accepted")
}

// Devices get a new file uncompressed until the worker has created its variants.
func TestVariantsAppearAfterThePublish(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serveAPI(t, env), env["WAFT_ROOT_KEY"])
	dir := t.TempDir()
	_, err := bundle.Write(dir, bundle.Spec{Label: "stable", BundleBytes: 100_000, AssetBytes: 1000})
	require.NoError(t, err)
	updates := p.publish(t, dir, "first", 0)
	p.requireServed(t, updates[0])
	files := p.files(t)
	launch := files[len(files)-1]
	_, before, _ := download(t, launch, "br, gzip")
	require.Empty(t, before.Header.Get("Content-Encoding"))
	require.Equal(t, "public, max-age=60", before.Header.Get("Cache-Control"), "caches must not keep the uncompressed response")
	require.Equal(t, "Accept-Encoding", before.Header.Get("Vary"))

	startWorker(t, env)
	awaitVariants(t, files)
	encoding, _ := requireFile(t, launch, "br, gzip")
	require.Equal(t, "br", encoding)
	_, after, _ := download(t, launch, "br, gzip")
	require.NotEqual(t, before.Header.Get("ETag"), after.Header.Get("ETag"))
	_, plain, _ := download(t, launch, "identity")
	require.Equal(t, before.Header.Get("ETag"), plain.Header.Get("ETag"))
}
