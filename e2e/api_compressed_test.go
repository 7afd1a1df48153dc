package e2e

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/require"
)

// decoded returns the decoded body of a response.
func (a answer) decoded() string {
	a.t.Helper()
	var from io.Reader = strings.NewReader(a.body)
	switch a.header.Get("Content-Encoding") {
	case "gzip":
		unzip, err := gzip.NewReader(from)
		require.NoError(a.t, err)
		from = unzip
	case "br":
		from = brotli.NewReader(from)
	}
	text, err := io.ReadAll(from)
	require.NoError(a.t, err)
	return string(text)
}

// raw sends a request as it is, with a client that neither asks for gzip nor decodes it.
func (p *tenant) raw(r request) answer {
	p.t.Helper()
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	if r.method == "" {
		r.method = http.MethodGet
	}
	return p.doBy(&http.Client{Transport: transport}, r)
}

// Definitions, manifests and lists are compressed for clients that accept it. For other clients they have the same
// contents.
func TestWhatIsReadIsCompressed(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := (installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}).tenant(t)
	for range 12 {
		p.create("/v1/ota/flags", p.flagBody())
	}
	files := map[string][]byte{"index.hbc": []byte(p.name())}
	for range 8 {
		files["assets/"+p.name()+".png"] = []byte(p.name())
	}
	build := p.do(p.uploadOf(files)).record(http.StatusCreated)
	p.create(path("/v1/ota/builds/%d/publish", build.id("id")), object{"channel": "production"})

	manifest := request{path: "/v1/ota/manifest/" + p.slug + "?channel=production"}.with("Authorization", "").
		with("Expo-Runtime-Version", "1.0.0").with("Expo-Platform", "ios")
	definitions := request{path: "/v1/ota/flag-definitions/" + p.slug + "?channel=production"}.with("Authorization", "")
	for name, c := range map[string]struct {
		request
		best string // the encoding for "gzip, br"
	}{
		"a manifest as multipart": {manifest.with("Accept", "multipart/mixed").with("Expo-Protocol-Version", "1"), "gzip"},
		"a manifest as JSON":      {manifest.with("Accept", "application/expo+json"), "gzip"},
		"flag definitions":        {definitions, "br"},
		"a list of flags":         {request{path: "/v1/ota/flags"}, "gzip"},
		"a list of builds":        {request{path: "/v1/ota/builds"}, "gzip"},
	} {
		t.Run(name, func(t *testing.T) {
			plain := p.raw(c.request)
			require.Equal(t, http.StatusOK, plain.status, plain.body)
			require.Empty(t, plain.header.Get("Content-Encoding"))
			for accept, encoding := range map[string]string{"gzip": "gzip", "gzip, br": c.best, "gzip;q=0": "", "identity": ""} {
				a := p.raw(c.with("Accept-Encoding", accept))
				require.Equal(t, http.StatusOK, a.status)
				require.Equal(t, encoding, a.header.Get("Content-Encoding"), accept)
				require.Contains(t, a.header.Get("Vary"), "Accept-Encoding")
				require.Equal(t, plain.decoded(), a.decoded())
				if encoding != "" {
					require.Less(t, len(a.body), len(plain.body)/2)
				}
			}
		})
	}

	t.Run("each encoding of definitions has its own strong ETag", func(t *testing.T) {
		seen := map[string]bool{}
		for _, accept := range []string{"identity", "gzip", "br"} {
			a := p.raw(definitions.with("Accept-Encoding", accept))
			tag := a.header.Get("ETag")
			require.True(t, strings.HasPrefix(tag, `"`), tag)
			require.False(t, seen[tag], tag)
			seen[tag] = true
			same := p.raw(definitions.with("Accept-Encoding", accept).with("If-None-Match", tag))
			require.Equal(t, http.StatusNotModified, same.status)
			require.Empty(t, same.body)
		}
	})

	t.Run("what shows a new secret is not compressed", func(t *testing.T) {
		long := strings.Repeat("a name ", 20)
		for path, body := range map[string]object{
			"/v1/ota/api-keys": {"name": long, "role": "viewer"},
			"/v1/ota/webhooks": {"url": "https://example.com/" + strings.Repeat("a", 1500), "events": []string{"*"}},
		} {
			a := p.raw(request{method: http.MethodPost, path: path, body: body}.with("Accept-Encoding", "gzip, br"))
			require.Equal(t, http.StatusCreated, a.status, a.body)
			require.Empty(t, a.header.Get("Content-Encoding"), path)
		}
	})
}

// A stream sends each event immediately, even to a client that accepts gzip.
func TestAStreamIsNotCompressed(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	id := p.execution().id("id")
	a := p.raw(request{path: fmt.Sprintf("/v1/ota/rollout-executions/%d/stream", id)}.with("Accept-Encoding", "gzip"))
	require.Equal(t, http.StatusOK, a.status)
	require.Empty(t, a.header.Get("Content-Encoding"))
	require.Contains(t, a.body, "event:")
}
