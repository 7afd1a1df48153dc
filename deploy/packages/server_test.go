//go:build packages

package packages

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/authority"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/enginetest/temporaltest"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/internal/lab/netns"
	"github.com/waft-ota/waft/models"
)

// server is a machine on which docs/operations/server.md is followed.
type server struct {
	*machine
	page *page
	// settings are the settings that the file of the package leaves to its reader.
	settings map[string]string
}

// units are the units of the package, and processes the units that keep running.
var (
	units     = []string{"waft-api", "waft-worker", "waft-migrate", "waft-backup"}
	processes = []string{"waft-api", "waft-worker"}
)

// apiURL is the address of the API in the machine.
const apiURL = "http://127.0.0.1:8080"

// password is the password of the user of Postgres.
const password = "correct horse"

// newServer boots a machine with an empty Postgres of Debian. Its ClickHouse and its Temporal namespace are empty, and elsewhere.
func newServer(t *testing.T) *server {
	t.Helper()
	clickHouse, err := url.Parse(enginetest.ClickHouse(t))
	require.NoError(t, err)
	temporal, _ := enginetest.Temporal(t)
	s := &server{page: readPage(t), settings: map[string]string{
		"DATABASE_URL":       "postgres://waft:" + url.PathEscape(password) + "@127.0.0.1:5432/waft",
		"TEMPORAL_ADDRESS":   "127.0.0.1:7233",
		"TEMPORAL_NAMESPACE": temporaltest.Namespace(t),
		"WAFT_BASE_URL":      "https://" + publicName, "WAFT_TRUSTED_PROXIES": "127.0.0.1",
	}}
	s.machine = boot(t, map[string]netns.Dialer{
		"127.0.0.1:8123": netns.Host(clickHouse.Host), s.settings["TEMPORAL_ADDRESS"]: netns.Host(temporal),
	})
	clickHouse.Host = "127.0.0.1:8123"
	s.settings["CLICKHOUSE_URL"] = clickHouse.String()
	return s
}

// createDatabase creates the database in Postgres.
func (s *server) createDatabase() {
	s.t.Helper()
	out, err := s.tryToFollow(password+"\n"+password+"\n", []string{"runuser -u postgres -- createuser --pwprompt waft"})
	require.NoError(s.t, err, out)
	s.follow([]string{"runuser -u postgres -- createdb --owner=waft --encoding=UTF8 --template=template0 waft"})
}

// startProxy puts nginx in front, with the file of docs/operations/proxies.md and a certificate that the machine trusts.
func (s *server) startProxy() {
	s.t.Helper()
	own := authority.New(s.t)
	certificate, key := own.Issue(s.t, publicName)
	s.copyTo(own.File(s.t), "usr/local/share/ca-certificates/test.crt", 0o644)
	s.run("update-ca-certificates")
	s.copyTo(certificate, "etc/ssl/waft/fullchain.pem", 0o644)
	s.copyTo(key, "etc/ssl/waft/privkey.pem", 0o600)
	s.copyTo(filepath.Join(root, "deploy/proxies/nginx.conf"), "etc/nginx/conf.d/waft.conf", 0o644)
	s.run("sed", "-i", "s/waft.example.com/"+publicName+"/", "/etc/nginx/conf.d/waft.conf")
	s.run("systemctl", "reload", "nginx")
}

// set sets settings in a file of /etc/waft as a person does: it replaces the line of each setting, which may be a comment.
func (s *server) set(file string, settings map[string]string) {
	s.t.Helper()
	path := filepath.Join(s.root, "etc/waft", file+".env")
	content, err := os.ReadFile(path)
	require.NoError(s.t, err)
	for name, value := range settings {
		line := regexp.MustCompile(`(?m)^#?` + name + `=.*$`)
		require.Len(s.t, line.FindAll(content, -1), 1, "%s.env has one line for %s", file, name)
		content = line.ReplaceAllLiteral(content, []byte(name+"="+value))
	}
	require.NoError(s.t, os.WriteFile(path, content, 0o640)) // keeps owner and group
}

// setting returns the value of a setting in a file of /etc/waft.
func (s *server) setting(file, name string) string {
	s.t.Helper()
	found := regexp.MustCompile(`(?m)^` + name + `=(.*)$`).FindStringSubmatch(s.read("/etc/waft/" + file + ".env"))
	require.NotNil(s.t, found, "%s.env sets %s", file, name)
	return found[1]
}

// awaitReady waits until both processes reach every engine.
func (s *server) awaitReady() {
	s.t.Helper()
	for _, port := range []string{"8080", "8081"} {
		s.await("the process at port "+port+" is ready", func() bool {
			res, err := s.fetch("http://127.0.0.1:"+port+"/readyz", nil)
			if err != nil {
				return false
			}
			defer res.Body.Close()
			return res.StatusCode == http.StatusOK
		})
	}
}

// fetch requests a URL of the machine.
func (s *server) fetch(url string, headers map[string]string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	return s.network.RoundTrip(req)
}

// pid returns the process of a unit, or "0" while it has none.
func (s *server) pid(unit string) string {
	s.t.Helper()
	return s.line("systemctl", "show", "--property=MainPID", "--value", unit)
}

// get returns the body of a response with the status 200.
func (s *server) get(path string, headers map[string]string) string {
	s.t.Helper()
	res, err := s.fetch(apiURL+path, headers)
	require.NoError(s.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, res.StatusCode, "%s", body)
	return string(body)
}

// client returns a client of the API.
func (s *server) client(credentials client.Credentials) *client.Waft {
	s.t.Helper()
	c, err := client.New(apiURL, credentials, func(http.RoundTripper) http.RoundTripper { return s.network })
	require.NoError(s.t, err)
	return c
}

// project creates a project with the root key, and returns a key of it.
func (s *server) project(slug string) string {
	s.t.Helper()
	root := s.setting("api", "WAFT_ROOT_KEY")
	_, err := s.client(client.Credentials{Key: root}).CreateProjectWithResponse(s.t.Context(), &client.CreateProjectParams{},
		client.CreateProjectBody{Name: "Shop", Slug: &slug})
	require.NoError(s.t, err)
	made, err := s.client(client.Credentials{Key: root, Project: slug}).CreateAPIKeyWithResponse(s.t.Context(), &client.CreateAPIKeyParams{},
		client.CreateAPIKeyBody{Name: "ci", Role: client.CreateAPIKeyBodyRole(models.RoleAdmin)})
	require.NoError(s.t, err)
	require.NotNil(s.t, made.JSON201)
	return made.JSON201.Key
}

// publish publishes an export with the installed command line.
func (s *server) publish(key string) {
	s.t.Helper()
	_, err := bundle.Write(filepath.Join(s.root, "root/dist"), bundle.Spec{Label: "one"})
	require.NoError(s.t, err)
	s.follow([]string{
		"export WAFT_URL=https://ota.example.com WAFT_PROJECT=shop WAFT_API_KEY=…",
		"waft doctor",
		"waft publish dist --runtime-version 1.0.0 --channel production",
	}, "…", key)
}

// manifest returns what a device of the project is served, for which it waits: the API learns of a release shortly after it is published.
func (s *server) manifest(project string) (body string) {
	s.t.Helper()
	s.await("a device gets a release", func() bool {
		res, err := s.fetch(apiURL+"/v1/ota/manifest/"+project, map[string]string{
			"Accept": "application/expo+json", "Expo-Protocol-Version": "1", "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0",
			"Expo-Channel-Name": "production", "EAS-Client-ID": "0a1b2c3d-0000-4000-8000-00000000000a",
		})
		if err != nil {
			return false
		}
		defer res.Body.Close()
		content, err := io.ReadAll(res.Body)
		body = string(content)
		return err == nil && res.StatusCode == http.StatusOK
	})
	return body
}
