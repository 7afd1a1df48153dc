//go:build packages

package packages

import (
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/lab/fleet/bundle"
	"github.com/waft-ota/waft/models"
)

// server is a machine with the package waft-server.
type server struct {
	*machine
	databaseURL string
	addresses   map[string]string // by file and setting, such as "api WAFT_LISTEN_ADDR"
}

// units are the units of the package, and processes the units that keep running.
var (
	units     = []string{"waft-api", "waft-worker", "waft-migrate", "waft-backup"}
	processes = []string{"waft-api", "waft-worker"}
)

// configure sets what the file says that an installation needs, and takes free ports, because the machine shares the test's network.
func (s *server) configure() {
	s.t.Helper()
	// The machine has an address of localhost for IPv4 only.
	local := func(address string) string { return strings.Replace(address, "localhost", "127.0.0.1", 1) }
	s.databaseURL = enginetest.Postgres(s.t)
	temporal, namespace := enginetest.Temporal(s.t)
	s.set("waft", map[string]string{
		"DATABASE_URL": local(s.databaseURL), "CLICKHOUSE_URL": local(enginetest.ClickHouse(s.t)), "TEMPORAL_ADDRESS": local(temporal),
	})
	if namespace != "default" {
		s.set("waft", map[string]string{"TEMPORAL_NAMESPACE": namespace})
	}
	s.addresses = map[string]string{}
	for _, of := range []string{"api", "worker"} {
		for _, name := range []string{"WAFT_LISTEN_ADDR", "WAFT_ADMIN_ADDR"} {
			s.addresses[of+" "+name] = freeAddress(s.t)
			s.set(of, map[string]string{name: s.addresses[of+" "+name]})
		}
	}
	s.set("api", map[string]string{"WAFT_OTHER_ADMIN_ADDRS": s.addresses["worker WAFT_ADMIN_ADDR"]})
	s.set("worker", map[string]string{"WAFT_OTHER_ADMIN_ADDRS": s.addresses["api WAFT_ADMIN_ADDR"]})
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

// forward passes connections to an address on to another one, until the test ends.
func forward(t *testing.T, from, to string) {
	t.Helper()
	listener, err := net.Listen("tcp", from)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, listener.Close()) })
	pass := func(to, from net.Conn) {
		_, _ = io.Copy(to, from) // ends when either side does
		_ = to.Close()
	}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", to)
			if err != nil {
				_ = client.Close()
				continue
			}
			go pass(server, client)
			go pass(client, server)
		}
	}()
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

func (s *server) url() string { return "http://" + s.addresses["api WAFT_LISTEN_ADDR"] }

// awaitReady waits until both processes reach every engine.
func (s *server) awaitReady() {
	s.t.Helper()
	for _, of := range []string{"api", "worker"} {
		s.await(of+" is ready", func() bool {
			res, err := http.Get("http://" + s.addresses[of+" WAFT_LISTEN_ADDR"] + "/readyz")
			if err != nil {
				return false
			}
			defer res.Body.Close()
			return res.StatusCode == http.StatusOK
		})
	}
}

// pid returns the process of a unit, or "0" while it has none.
func (s *server) pid(unit string) string {
	s.t.Helper()
	return s.line("systemctl", "show", "--property=MainPID", "--value", unit)
}

// get returns the body of a response with the status 200.
func (s *server) get(path string, headers map[string]string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url()+path, nil)
	require.NoError(s.t, err)
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(s.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(s.t, err)
	require.Equal(s.t, http.StatusOK, res.StatusCode, "%s", body)
	return string(body)
}

// project creates a project with the root key, and returns a key of it.
func (s *server) project(slug string) string {
	s.t.Helper()
	root := s.setting("api", "WAFT_ROOT_KEY")
	installation, err := client.New(s.url(), client.Credentials{Key: root})
	require.NoError(s.t, err)
	_, err = installation.CreateProjectWithResponse(s.t.Context(), &client.CreateProjectParams{},
		client.CreateProjectBody{Name: "App", Slug: &slug})
	require.NoError(s.t, err)
	project, err := client.New(s.url(), client.Credentials{Key: root, Project: slug})
	require.NoError(s.t, err)
	made, err := project.CreateAPIKeyWithResponse(s.t.Context(), &client.CreateAPIKeyParams{},
		client.CreateAPIKeyBody{Name: "ci", Role: client.CreateAPIKeyBodyRole(models.RoleAdmin)})
	require.NoError(s.t, err)
	require.NotNil(s.t, made.JSON201)
	return made.JSON201.Key
}

// publish publishes an export with the installed command line.
func (s *server) publish(project, key string) {
	s.t.Helper()
	_, err := bundle.Write(filepath.Join(s.root, "srv/export"), bundle.Spec{Label: "one"})
	require.NoError(s.t, err)
	s.run("env", "WAFT_URL="+s.url(), "WAFT_PROJECT="+project, "WAFT_API_KEY="+key,
		"waft", "publish", "/srv/export", "--message", "one", "--runtime-version", "1.0.0", "--channel", "production")
}

// manifest returns what a device of the project is served.
func (s *server) manifest(project string) string {
	s.t.Helper()
	return s.get("/v1/ota/manifest/"+project, map[string]string{
		"Accept": "application/expo+json", "Expo-Protocol-Version": "1", "Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0",
		"Expo-Channel-Name": "production", "EAS-Client-ID": "0a1b2c3d-0000-4000-8000-00000000000a",
	})
}
