package main

import (
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// ask returns the status of a request to the address, which may have a password.
func (r *rig) ask(method, address string, change func(*http.Request)) (status int, answer string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, address, http.NoBody)
	require.NoError(r.t, err)
	if change != nil {
		change(req)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(r.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(r.t, err)
	return res.StatusCode, string(text)
}

// A web page, a program without the password, and another user of the machine reach
// nothing of a stack.
func TestStrangersReachNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	// As an older devstack made it.
	require.NoError(t, os.MkdirAll(r.dir, 0o755))
	require.NoError(t, os.Chmod(r.dir, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "secrets.env"), []byte("WAFT_ROOT_KEY=kept\n"), 0o644))
	r.ok("up", "--engines-only")

	clickHouse, err := url.Parse(r.address("CLICKHOUSE_URL"))
	require.NoError(t, err)
	clickHouse.Path, clickHouse.RawQuery = "/", url.Values{"query": {"SELECT 1"}}.Encode()
	status, answer := r.ask(http.MethodGet, clickHouse.String(), nil)
	require.Equal(t, http.StatusOK, status, answer)
	withoutPassword := *clickHouse
	withoutPassword.User = nil
	status, _ = r.ask(http.MethodGet, withoutPassword.String(), nil)
	require.Equal(t, http.StatusForbidden, status)

	ui := r.address("WAFT_TEMPORAL_UI_URL")
	for _, address := range []string{clickHouse.String(), ui, ui + "/api/v1/namespaces", ui + "/api/v1/namespaces/default/workflows/w"} {
		for name, change := range map[string]func(*http.Request){
			"DNS rebinding": func(r *http.Request) { r.Host = "evil.example" },
			"a page":        func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
			"an image":      func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") },
		} {
			for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodOptions} {
				status, _ := r.ask(method, address, change)
				require.Equal(t, http.StatusForbidden, status, "%s: %s %s", name, method, address)
			}
		}
	}
	status, answer = r.ask(http.MethodGet, ui+"/api/v1/namespaces", nil)
	require.Equal(t, http.StatusOK, status, answer)
	require.Contains(t, answer, "default")
	r.requireNoHTTP(r.address("TEMPORAL_ADDRESS"))
	r.requirePostgresPassword()

	r.requirePrivate()
	shown := r.ok("status")
	require.Contains(t, shown, r.address("CLICKHOUSE_URL"))
	secrets, err := os.ReadFile(filepath.Join(r.dir, "secrets.env"))
	require.NoError(t, err)
	require.Contains(t, string(secrets), "WAFT_ROOT_KEY=kept\n")
	password, _ := clickHouse.User.Password()
	require.Contains(t, string(secrets), "WAFT_CLICKHOUSE_PASSWORD="+password+"\n")
	require.Len(t, password, 32)
	r.requireNoArgument(password)

	r.ok("down")
	r.ok("up", "--engines-only")
	again, err := url.Parse(r.address("CLICKHOUSE_URL"))
	require.NoError(t, err)
	require.Equal(t, clickHouse.User, again.User, "it is made once")
}

// requireNoHTTP checks that the address does not speak the HTTP/1.1 that a page can send.
func (r *rig) requireNoHTTP(address string) {
	r.t.Helper()
	conn, err := (&net.Dialer{}).DialContext(r.t.Context(), "tcp", address)
	require.NoError(r.t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "POST /temporal.api.workflowservice.v1.WorkflowService/ListNamespaces HTTP/1.1\r\n"+
		"Host: "+address+"\r\nContent-Type: application/grpc\r\nContent-Length: 5\r\n\r\n\x00\x00\x00\x00\x00")
	require.NoError(r.t, err)
	answer, _ := io.ReadAll(conn) // the server closes the connection
	require.NotContains(r.t, string(answer), "HTTP/1.1 200")
}

func (r *rig) requirePostgresPassword() {
	r.t.Helper()
	config, err := pgx.ParseConfig(r.address("DATABASE_URL"))
	require.NoError(r.t, err)
	require.Equal(r.t, "localhost", config.Host)
	for _, guess := range []string{"", "waft", "postgres"} {
		config.Password = guess
		_, err = pgx.ConnectConfig(r.t.Context(), config)
		require.Error(r.t, err)
	}
}

// requirePrivate checks that only the caller can enter the data folder and read its secrets.
func (r *rig) requirePrivate() {
	r.t.Helper()
	info, err := os.Stat(r.dir)
	require.NoError(r.t, err)
	require.Equal(r.t, fs.FileMode(0o700), info.Mode().Perm())
	for _, name := range []string{"secrets.env", "engines.env"} {
		info, err := os.Stat(filepath.Join(r.dir, name))
		require.NoError(r.t, err)
		require.Equal(r.t, fs.FileMode(0o600), info.Mode().Perm(), name)
	}
}

// requireNoArgument checks that no command line of the stack has the text: every user of the
// machine can read them.
func (r *rig) requireNoArgument(text string) {
	r.t.Helper()
	found := processesIn(r.dir)
	require.NotEmpty(r.t, found)
	require.NotContains(r.t, strings.Join(found, "\n"), text)
}

// Without a password an engine does not start.
func TestEnginesNeedAPassword(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for command, variable := range map[string]string{"serve-postgres": "WAFT_POSTGRES_PASSWORD", "serve-clickhouse": "WAFT_CLICKHOUSE_PASSWORD"} {
		cmd := r.command(command)
		if command == "serve-clickhouse" {
			cmd.Args = append(cmd.Args[:2], "--data", filepath.Join(r.dir, "clickhouse"))
		}
		out, err := cmd.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), variable)
	}
}
