package e2e

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/enginetest/temporaltest"
	"github.com/waft-ota/waft/models"
)

// protected is an installation of processes that a test backs up.
type protected struct {
	installation
	t   *testing.T
	env map[string]string
	dir string
}

// publicURL is the WAFT_BASE_URL of installations that are backed up.
const publicURL = "https://updates.waft.test"

// newProtected starts an installation whose URLs stay the same when it is restored. own has settings in addition to the usual ones.
func newProtected(t *testing.T, own ...map[string]string) protected {
	t.Helper()
	env := settings(t)
	env["WAFT_BASE_URL"] = publicURL
	for _, o := range own {
		maps.Copy(env, o)
	}
	migrate(t, env)
	return protected{t: t, env: env, dir: t.TempDir()}.serve()
}

// serve starts waftd.
func (p protected) serve() protected {
	p.t.Helper()
	server := waftd(p.t, "serve", p.env)
	p.installation = installation{url: server.url(), rootKey: p.env["WAFT_ROOT_KEY"], databaseURL: p.env["DATABASE_URL"]}
	return p
}

// run runs a command of waftd to its end, and returns its output.
func (p protected) run(args ...string) (output string, err error) {
	p.t.Helper()
	command := launch(p.t, p.env, args...)
	err = <-command.exited
	return command.log.String(), err
}

// must runs a command of waftd, which has to succeed.
func (p protected) must(args ...string) (output string) {
	p.t.Helper()
	output, err := p.run(args...)
	require.NoError(p.t, err, "%s", output)
	return output
}

// backup backs the running installation up, and returns the output.
func (p protected) backup(options ...string) string {
	p.t.Helper()
	return p.asking().must(append([]string{"backup", p.dir}, options...)...)
}

// asking returns the installation with the settings for a backup, which asks the running process whether ClickHouse has all reports.
func (p protected) asking() protected {
	p.t.Helper()
	admin, _ := adminURLs.Load(p.url)
	p.env = maps.Clone(p.env)
	p.env["WAFT_ADMIN_ADDR"] = strings.TrimPrefix(admin.(string), "http://")
	return p
}

// downloads returns the content of each file that the manifests name, by its path.
func (p *tenant) downloads(manifests map[string]string) map[string]string {
	p.t.Helper()
	files := map[string]string{}
	for _, manifest := range manifests {
		for _, found := range assetURLs.FindAllStringSubmatch(manifest, -1) {
			response := p.do(request{method: http.MethodGet, path: found[1], header: map[string]string{"Authorization": ""}})
			require.Equal(p.t, http.StatusOK, response.status, found[1])
			files[found[1]] = response.body
		}
	}
	require.NotEmpty(p.t, files)
	return files
}

// assetURLs finds the paths of files in a manifest.
var assetURLs = regexp.MustCompile(`"url":"` + regexp.QuoteMeta(publicURL) + `(/[^"]*)"`)

// elsewhere returns the installation on another machine: with empty engines, an empty bucket and another data folder.
func (p protected) elsewhere() protected {
	p.t.Helper()
	p.env = maps.Clone(p.env)
	for name, value := range settingsWithoutEngines(p.t) {
		if name != "WAFT_ROOT_KEY" && name != "WAFT_SECRET_KEY" {
			p.env[name] = value
		}
	}
	p.env["DATABASE_URL"], p.env["CLICKHOUSE_URL"] = enginetest.Postgres(p.t), enginetest.ClickHouse(p.t)
	p.env["TEMPORAL_NAMESPACE"] = temporaltest.Namespace(p.t)
	return p
}

// of returns a tenant of another installation as a tenant of this one.
func (p protected) of(tenant *tenant) *tenant {
	same := *tenant
	same.installation = p.installation
	return &same
}

// asProject returns the tenant for tests that use the client.
func (p *tenant) asProject() project {
	p.t.Helper()
	key := p.keys[models.RoleAdmin]
	admin, err := client.New(p.url, client.Credentials{Key: key, Project: p.slug}, checked)
	require.NoError(p.t, err)
	return project{Waft: admin, url: p.url, slug: p.slug, key: key}
}

// manifests returns the status, the headers about the manifest and the body of a manifest request for each channel and form.
func (p *tenant) manifests(channels []string) map[string]string {
	p.t.Helper()
	all := map[string]string{}
	for _, channel := range channels {
		for _, accept := range []string{"application/expo+json", "multipart/mixed"} {
			for _, protocol := range []string{"0", "1"} {
				a := p.do(request{
					method: http.MethodGet, path: path("/v1/ota/manifest/%s?channel=%s", p.slug, channel),
					header: map[string]string{
						"Authorization": "", "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Accept": accept, "Expo-Protocol-Version": protocol,
						"Expo-Expect-Signature": `sig, keyid="main", alg="rsa-v1_5-sha256"`, "Eas-Client-Id": "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10",
					},
				})
				require.Equal(p.t, http.StatusOK, a.status, a.body)
				all[channel+" "+accept+" "+protocol] = a.header.Get("Content-Type") + a.header.Get("Expo-Signature") + "\n" + a.body
			}
		}
	}
	return all
}

// drained waits until the ingest log of a server is empty.
func drained(t *testing.T, url string) {
	t.Helper()
	await(t, waitLimit, 10*pollEvery, func() bool { return metricOf(t, url, "waft_ingest_log_bytes") == 0 }, "the log was not drained")
}

// stalled is a ClickHouse that stops responding to one kind of statements.
type stalled struct {
	url string
	// reached is closed when such a statement arrived.
	reached chan struct{}
}

// stallAt returns a proxy in front of ClickHouse. It holds every statement that contains text from the nth one on, until the test ends.
func stallAt(t *testing.T, clickHouseURL, text string, n int) stalled {
	t.Helper()
	target, err := url.Parse(clickHouseURL)
	require.NoError(t, err)
	s := stalled{reached: make(chan struct{})}
	ended := make(chan struct{})
	var mu sync.Mutex
	seen := 0
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host = "http", target.Host
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Query().Get("query"), text) {
			mu.Lock()
			seen++
			if seen == n {
				close(s.reached)
			}
			holds := seen >= n
			mu.Unlock()
			if holds {
				_, _ = io.Copy(io.Discard, r.Body) // so that the server sees the client leave
				<-ended
				return
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		close(ended)
		server.Close()
	})
	through := *target
	through.Host = strings.TrimPrefix(server.URL, "http://")
	s.url = through.String()
	return s
}
