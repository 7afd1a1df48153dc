package e2e

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// collidingFiles returns two contents with the same MD5, which Wang and others published in 2004, and their MD5.
func collidingFiles(t *testing.T) (files [2][]byte, name string) {
	t.Helper()
	for i, text := range [2]string{
		"d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a085125e8f7cdc99fd91dbdf280373c5b" +
			"d8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70",
		"d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a085125e8f7cdc99fd91dbd7280373c5b" +
			"d8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70",
	} {
		content, err := hex.DecodeString(text)
		require.NoError(t, err)
		files[i] = content
	}
	require.NotEqual(t, files[0], files[1])
	sum := md5.Sum(files[0])
	require.Equal(t, sum, md5.Sum(files[1]))
	return files, hex.EncodeToString(sum[:])
}

// uploadOf returns the request for a build of these files, which are given by path.
func (p *tenant) uploadOf(files map[string][]byte) request {
	p.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, value := range map[string]string{"platform": "ios", "runtimeVersion": "1.0.0"} {
		require.NoError(p.t, w.WriteField(name, value))
	}
	for path, content := range files {
		part, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {`form-data; name="assets"; filename="` + path + `"`}})
		require.NoError(p.t, err)
		_, err = part.Write(content)
		require.NoError(p.t, err)
	}
	require.NoError(p.t, w.Close())
	return request{method: http.MethodPost, path: "/v1/ota/builds", body: body.String()}.with("Content-Type", w.FormDataContentType())
}

// If two tenants have different files with the same MD5, each gets its own bytes, from URLs that name the project. A
// URL without the project is refused, because the MD5 alone is ambiguous.
func TestTenantsWithCollidingFilesGetTheirOwn(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	files, name := collidingFiles(t)
	for i := range files {
		p := server.tenant(t)
		build := p.do(p.uploadOf(map[string][]byte{"index.hbc": files[i]})).record(http.StatusCreated)
		p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production"})
		got := p.do(request{method: http.MethodGet, path: "/v1/ota/assets/" + name + "?project=" + p.slug}.with("Authorization", ""))
		require.Equal(t, http.StatusOK, got.status, got.body)
		require.Equal(t, string(files[i]), got.body, "tenant %d has its own file", i)
		manifest := p.do(request{method: http.MethodGet, path: "/v1/ota/manifest/" + p.slug + "?channel=production"}.
			with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios").with("Accept", "application/expo+json")).record(http.StatusOK)
		require.Contains(t, manifest["launchAsset"].(map[string]any)["url"], "/v1/ota/assets/"+name+"?project="+p.slug)

		for _, method := range []string{http.MethodGet, http.MethodHead} {
			refused := p.do(request{method: method, path: "/v1/ota/assets/" + name}.with("Authorization", ""))
			require.Equal(t, http.StatusBadRequest, refused.status, method)
			if method == http.MethodGet {
				problem := refused.problem(http.StatusBadRequest, models.CodeInvalid)
				require.Equal(t, "project", problem["errors"].([]any)[0].(map[string]any)["field"])
			}
		}
	}
}

// Within a project a file is identified by its MD5. A different file with the same MD5 is therefore refused, whether it
// is in the same build, in a later build, or in an upload at the same time. The bytes of the first file stay.
func TestACollidingFileOfTheSameProjectIsRefused(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	files, name := collidingFiles(t)

	p := server.tenant(t)
	both := p.do(p.uploadOf(map[string][]byte{"index.hbc": files[0], "other.png": files[1]}))
	both.problem(http.StatusBadRequest, models.CodeInvalid)
	require.Contains(t, both.body, "MD5")
	p.do(p.uploadOf(map[string][]byte{"index.hbc": files[0]})).record(http.StatusCreated)
	later := p.do(p.uploadOf(map[string][]byte{"index.hbc": files[1]}))
	later.problem(http.StatusBadRequest, models.CodeInvalid)
	require.Contains(t, later.body, "MD5")
	got := p.do(request{method: http.MethodGet, path: "/v1/ota/assets/" + name + "?project=" + p.slug})
	require.Equal(t, string(files[0]), got.body)

	for range 5 {
		p := server.tenant(t)
		answers := p.together(
			p.uploadOf(map[string][]byte{"index.hbc": files[0]}), p.uploadOf(map[string][]byte{"index.hbc": files[1]}))
		kept := 0
		for i, a := range answers {
			if a.status == http.StatusCreated {
				kept++
				var got answer
				p.eventually(func() bool { // on a slow machine the upload's response does not wait until its files are served
					got = p.do(request{method: http.MethodGet, path: "/v1/ota/assets/" + name + "?project=" + p.slug})
					return got.status == http.StatusOK
				})
				require.Equal(t, string(files[i]), got.body, "the file of the existing build")
				continue
			}
			a.problem(http.StatusBadRequest, models.CodeInvalid)
		}
		require.Equal(t, 1, kept)
	}
}
