package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// night is a server as docs/operations/server.md makes it, on which a test follows a page of docs/operations/playbooks. The processes and
// engines are real. systemctl and journalctl are doubles that start, stop and read these processes, because a test has no systemd;
// `make package-test` proves the units under systemd.
type night struct {
	t      *testing.T
	folder string // of the settings, the data and the programs
	// manager serves the doubles. units are what they know, by name.
	manager *httptest.Server
	mu      sync.Mutex
	units   map[string]*unit
	// addresses maps what a page names to its place in the test.
	addresses map[string]string
	project
	rootKey string
}

// unit is a service of the server.
type unit struct {
	launch func() *process
	// responds reports whether the unit has started, for units that tell systemd so. Without it, the unit has started when launch returns.
	responds func(context.Context) error
	process  *process
	old      strings.Builder // logs of ended processes
}

// newNight starts the engines that are named, the API and the worker. Engines that are not named are the engines of all tests, which the
// page cannot stop.
func newNight(t *testing.T, own ...string) *night {
	t.Helper()
	n := &night{t: t, folder: t.TempDir(), units: map[string]*unit{}}
	env := settings(t)
	for _, name := range []string{"postgresql", "clickhouse-server", "temporal"} {
		if !slices.Contains(own, name) {
			n.units[name] = &unit{}
			continue
		}
		n.own(name, env)
	}
	for _, name := range own {
		require.Contains(t, n.units, name)
	}
	n.writeSettings(env)
	if len(own) > 0 {
		migrate(t, n.settings("api"))
	}
	for _, role := range []string{"api", "worker"} {
		n.units["waft-"+role] = &unit{launch: func() *process { return launch(t, n.settings(role), role) }}
	}
	n.manager = httptest.NewServer(http.HandlerFunc(n.manage))
	t.Cleanup(n.manager.Close)
	n.writePrograms()
	for _, role := range []string{"api", "worker"} {
		u := n.units["waft-"+role]
		u.process = u.launch().ready(t, role)
	}
	for _, admin := range []string{"127.0.0.1:8082", "127.0.0.1:8083"} {
		eventually(t, func() bool {
			a, err := received(http.Get("http://" + n.addresses[admin] + "/readyz"))
			return err == nil && a.status == http.StatusOK
		})
	}
	n.project = newProject(t, n.addresses["https://ota.example.com"], n.rootKey)
	return n
}

// own starts an engine of this server's own, and puts its address into the settings.
func (n *night) own(name string, env map[string]string) {
	n.t.Helper()
	var e *engine
	switch name {
	case "postgresql":
		e = newPostgres(n.t).await()
		env["DATABASE_URL"] = e.address
	case "clickhouse-server":
		e = newClickHouse(n.t).await()
		env["CLICKHOUSE_URL"] = e.address
	case "temporal":
		e = newTemporal(n.t).await()
		env["TEMPORAL_ADDRESS"], env["TEMPORAL_NAMESPACE"] = e.address, "default"
	}
	n.units[name] = &unit{
		launch:   func() *process { e.launch(); return e.process },
		responds: func(ctx context.Context) error { return e.answers(ctx, e.address) },
		process:  e.process,
	}
}

// writeSettings writes the files of /etc/waft, and chooses the addresses.
func (n *night) writeSettings(env map[string]string) {
	n.t.Helper()
	api, worker, apiAdmin, workerAdmin := freeAddress(n.t), freeAddress(n.t), freeAddress(n.t), freeAddress(n.t)
	n.addresses = map[string]string{
		"https://ota.example.com": "http://" + api, "127.0.0.1:8080": api, "127.0.0.1:8081": worker,
		"127.0.0.1:8082": apiAdmin, "127.0.0.1:8083": workerAdmin,
		"/etc/waft": filepath.Join(n.folder, "etc"), "/var/lib/waft": filepath.Join(n.folder, "var"),
	}
	n.rootKey = env["WAFT_ROOT_KEY"]
	assets := filepath.Join(n.folder, "var", "assets")
	for _, folder := range []string{"etc", "var/assets", "var/api", "var/worker", "bin", "home"} {
		require.NoError(n.t, os.MkdirAll(filepath.Join(n.folder, folder), 0o700))
	}
	shared := maps.Clone(env)
	delete(shared, "WAFT_ROOT_KEY")
	delete(shared, "WAFT_DATA_DIR")
	shared["WAFT_ASSET_BUCKET_URL"], shared["WAFT_BASE_URL"] = "file://"+assets, "http://"+api
	shared["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	shared["WAFT_LOG_FORMAT"] = "json" // as in the package's file
	for file, lines := range map[string]map[string]string{
		"waft": shared,
		"api": {
			"WAFT_LISTEN_ADDR": api, "WAFT_ADMIN_ADDR": apiAdmin, "WAFT_OTHER_ADMIN_ADDRS": workerAdmin, "WAFT_ROOT_KEY": n.rootKey,
			"WAFT_DATA_DIR": filepath.Join(n.folder, "var", "api"),
		},
		"worker": {
			"WAFT_LISTEN_ADDR": worker, "WAFT_ADMIN_ADDR": workerAdmin, "WAFT_OTHER_ADMIN_ADDRS": apiAdmin,
			"WAFT_DATA_DIR": filepath.Join(n.folder, "var", "worker"),
		},
	} {
		var text strings.Builder
		for _, name := range slices.Sorted(maps.Keys(lines)) {
			fmt.Fprintf(&text, "%s=%s\n", name, lines[name])
		}
		require.NoError(n.t, os.WriteFile(filepath.Join(n.folder, "etc", file+".env"), []byte(text.String()), 0o600))
	}
}

// settings reads the files of /etc/waft as the unit of a role does.
func (n *night) settings(role string) map[string]string {
	env := map[string]string{}
	for _, file := range []string{"waft", role} {
		text, err := os.ReadFile(filepath.Join(n.folder, "etc", file+".env"))
		require.NoError(n.t, err)
		for line := range strings.Lines(string(text)) {
			if name, value, found := strings.Cut(strings.TrimSpace(line), "="); found && !strings.HasPrefix(name, "#") {
				env[name] = value
			}
		}
	}
	return env
}

// writePrograms writes the programs that the packages install, and the doubles.
func (n *night) writePrograms() {
	n.t.Helper()
	for name, build := range map[string]func() (string, error){"waft": buildWaft, "waftd": buildWaftd} {
		binary, err := build()
		require.NoError(n.t, err)
		require.NoError(n.t, os.Symlink(binary, filepath.Join(n.folder, "bin", name)))
	}
	double := `#!/bin/bash
out=$(curl -sS --data-urlencode "line=$*" --write-out '\n%%{http_code}' %s/%s) || exit 70
code=${out##*$'\n'} out=${out%%$'\n'*}
[ -z "$out" ] || printf '%%s\n' "$out"
exit $((code - 200))
`
	run := `#!/bin/bash
while IFS= read -r line; do export "$line"; done < <(cat %[1]s/etc/waft.env %[1]s/etc/api.env)
exec %[1]s/bin/waftd "$@"
`
	for name, text := range map[string]string{
		"systemctl":  fmt.Sprintf(double, n.manager.URL, "systemctl"),
		"journalctl": fmt.Sprintf(double, n.manager.URL, "journalctl"),
		"fault":      fmt.Sprintf(double, n.manager.URL, "fault"),
		"waft-run":   fmt.Sprintf(run, n.folder),
	} {
		require.NoError(n.t, os.WriteFile(filepath.Join(n.folder, "bin", name), []byte(text), 0o700))
	}
}

// manage responds to the doubles. The status is 200 and the exit code.
func (n *night) manage(w http.ResponseWriter, req *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	args := strings.Fields(req.PostFormValue("line"))
	var out string
	var code int
	switch {
	case req.URL.Path == "/systemctl" && len(args) > 1:
		out, code = n.systemctl(req.Context(), args[0], args[1:])
	case req.URL.Path == "/journalctl":
		out, code = n.journal(args)
	case req.URL.Path == "/fault" && len(args) == 1 && faults[args[0]].begin != nil:
		if err := faults[args[0]].begin(n); err != nil {
			out, code = err.Error(), 1
		}
	default:
		out, code = "the test does not know this command", 64
	}
	w.WriteHeader(http.StatusOK + code)
	fmt.Fprint(w, out)
}

func (n *night) systemctl(ctx context.Context, verb string, names []string) (out string, code int) {
	var lines []string
	for _, name := range names {
		u := n.units[name]
		if u == nil {
			return "Unit " + name + ".service could not be found.", 5
		}
		var err error
		switch verb {
		case "is-active":
			lines = append(lines, u.state())
			if u.state() != "active" {
				code = 3
			}
		case "start":
			err = u.start(ctx)
		case "stop":
			err = u.stop(ctx)
		case "restart":
			err = errors.Join(u.stop(ctx), u.start(ctx))
		default:
			return "the test does not know systemctl " + verb, 64
		}
		if err != nil {
			return err.Error(), 1
		}
	}
	return strings.Join(lines, "\n"), code
}

// state returns the word of `systemctl is-active`. A unit without a process is an engine of all tests.
func (u *unit) state() string {
	switch {
	case u.launch == nil:
		return "active"
	case u.process == nil || u.process.ended():
		return "inactive"
	}
	return "active"
}

func (u *unit) start(ctx context.Context) error {
	if u.state() == "active" {
		return nil
	}
	u.keep()
	u.process = u.launch()
	for u.responds != nil && u.responds(ctx) != nil {
		if u.process.ended() {
			return errors.New("the process ended:\n" + u.process.log.String())
		}
		if wait(ctx, 50*time.Millisecond); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// stop stops the process as systemd does: with SIGTERM, and after a while with SIGKILL.
func (u *unit) stop(ctx context.Context) error {
	if u.launch == nil {
		return errors.New("this engine belongs to all tests")
	}
	if u.state() != "active" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := u.process.stop(ctx); errors.Is(err, context.DeadlineExceeded) {
		u.process.kill()
	}
	return nil
}

func (u *unit) keep() {
	if u.process != nil {
		u.old.WriteString(u.process.log.String())
	}
}

// journal responds to `journalctl -u UNIT -o cat -n LINES`.
func (n *night) journal(args []string) (out string, code int) {
	if len(args) != 6 || args[0] != "-u" || args[2] != "-o" || args[3] != "cat" || args[4] != "-n" {
		return "the test knows journalctl -u UNIT -o cat -n LINES", 64
	}
	u := n.units[args[1]]
	if u == nil || u.process == nil {
		return "", 0
	}
	lines := strings.Split(strings.TrimSpace(u.old.String()+u.process.log.String()), "\n")
	var last int
	if _, err := fmt.Sscan(args[5], &last); err != nil {
		return err.Error(), 64
	}
	return strings.Join(lines[max(0, len(lines)-last):], "\n"), 0
}

// prepare makes the server the server that the commands of a page find. Somebody is signed in to a project on it.
func (n *night) prepare(w *pageWorld) {
	n.t.Helper()
	w.env["PATH"] = filepath.Join(n.folder, "bin") + ":" + w.env["PATH"]
	w.use(n.project)
	w.addresses = n.addresses // which a fault may change
	for label, export := range madeExports(n.t) {
		w.copy(n.t, export, label)
	}
}
