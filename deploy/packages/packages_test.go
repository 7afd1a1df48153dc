//go:build packages

package packages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The versions of the packages, as docs/operations/server.md names them. The newer one has a migration that the older one does not know.
const (
	older = "0.1.0"
	newer = "0.2.0"
)

// maxExposure is the most that systemd-analyze may rate a unit, in tenths of its scale from 0 (safe) to 10.
const maxExposure = "15"

// TestOneServer follows docs/operations/server.md and the sections of other pages about a server, with their commands as they are
// written. The first machine goes from an empty Debian to a rollout and the backup of a night. Another machine goes from this backup to
// an upgrade and the removal. A device gets the same release all the time.
func TestOneServer(t *testing.T) {
	t.Parallel()
	first := buildPackages(t, root, older)
	next := buildPackages(t, newerSource(t), newer)
	s := newServer(t)

	s.createDatabase()
	s.install(first)
	s.checkInstalled()
	s.checkUnits()
	s.configure()
	s.startBeforePostgres()
	s.checkProcesses()
	s.startProxy()
	s.follow([]string{"systemctl restart waft-api waft-worker"})
	s.awaitReady()
	s.follow([]string{"waft doctor --url https://ota.example.com --admin-url http://127.0.0.1:8082"})
	s.createAccount()
	s.playDemo()
	s.publish(s.project("shop"))
	manifest := s.manifest("shop")
	require.Contains(t, manifest, `"runtimeVersion":"1.0.0"`)
	s.killPostgres(manifest)
	s.checkRestartAndStop()
	require.Equal(t, manifest, s.manifest("shop"))
	s.backupWhileStopped()
	s.backupOfTheNight()
	require.Equal(t, manifest, s.manifest("shop"))
	s.cut()

	s = s.restoreElsewhere(first)
	require.Equal(t, manifest, s.manifest("shop"))
	s.upgrade(next)
	require.Equal(t, manifest, s.manifest("shop"))
	s.refuseDowngrade(first)
	require.Equal(t, manifest, s.manifest("shop"))

	s.remove()
	s.startOlderOnNewerSchema(first)
	s.purge()
	for _, ofCheckout := range []string{"make package", "apt-get install ./build/packages/*_amd64.deb"} {
		delete(s.page.left, ofCheckout)
	}
	require.Empty(t, s.page.left, "the test follows every command of the page")
}

// install installs the packages, and checks that Waft does not start before it is configured.
func (s *server) install(of debs) {
	s.t.Helper()
	s.copyIn(of.server)
	s.copyIn(of.cli)
	out := s.follow([]string{"apt-get install ./waft-server_0.1.0_amd64.deb ./waft_0.1.0_amd64.deb"})
	require.Contains(s.t, out, "systemctl enable --now waft-api waft-worker")
	for _, unit := range units {
		state, _ := s.try("systemctl", "is-active", unit)
		require.Equal(s.t, "inactive", strings.TrimSpace(state), unit)
	}
	for _, unit := range processes {
		state, _ := s.try("systemctl", "is-enabled", unit)
		require.Equal(s.t, "disabled", strings.TrimSpace(state), unit)
	}
	require.Equal(s.t, "waftd "+older, s.line("waftd", "version"))
	require.Equal(s.t, "waft "+older, s.line("waft", "version"))
}

// checkInstalled checks who can read the settings, and that the completions are where the shells look for them.
func (s *server) checkInstalled() {
	s.t.Helper()
	require.Equal(s.t, "750 root:waft", s.line("stat", "--format=%a %U:%G", "/etc/waft"))
	for name, want := range map[string]string{"waft": "640 root:waft", "api": "600 root:root", "worker": "640 root:waft"} {
		require.Equal(s.t, want, s.line("stat", "--format=%a %U:%G", "/etc/waft/"+name+".env"))
	}
	require.Contains(s.t, s.run("bash", "-c", "source /usr/share/bash-completion/completions/waft; complete -p waft"), "_waft")
	require.True(s.t, strings.HasPrefix(s.read("/usr/share/zsh/vendor-completions/_waft"), "#compdef waft\n"))
	require.Contains(s.t, s.read("/usr/share/fish/vendor_completions.d/waft.fish"), "complete -c waft ")
}

// checkUnits checks the installed units with systemd's own tools.
func (s *server) checkUnits() {
	s.t.Helper()
	for _, unit := range units {
		out := s.run("systemd-analyze", "verify", unit+".service")
		require.Empty(s.t, out, unit)
		s.run("systemd-analyze", "security", "--threshold="+maxExposure, unit+".service")
	}
}

// configure sets what the page says.
func (s *server) configure() { s.set("waft", s.settings) }

// startBeforePostgres starts Waft while Postgres is unavailable, as after a start of the machine. Waft then starts without help.
func (s *server) startBeforePostgres() {
	s.t.Helper()
	s.run("systemctl", "stop", "postgresql")
	s.follow([]string{"systemctl enable --now waft-api waft-worker"})
	s.await("the migration fails", func() bool {
		out := s.follow([]string{"journalctl -u waft-migrate -u waft-api -u waft-worker"})
		return strings.Contains(out, "connection refused")
	})
	out, err := s.tryToFollow("", []string{"waft-run healthcheck"})
	require.Error(s.t, err)
	require.NotEmpty(s.t, out, "the command prints the reason")
	s.run("systemctl", "start", "postgresql")
	s.awaitReady()
}

// checkProcesses checks the user and the secrets of each process.
func (s *server) checkProcesses() {
	s.t.Helper()
	for _, unit := range processes {
		pid := s.pid(unit)
		require.Equal(s.t, "waft", s.line("stat", "--format=%U", "/proc/"+pid), unit)
		require.Regexp(s.t, `(?m)^CapBnd:\s*0+$`, s.run("cat", "/proc/"+pid+"/status"), unit)
		environment := s.run("cat", "/proc/"+pid+"/environ")
		require.Contains(s.t, environment, "WAFT_SECRET_KEY="+s.setting("waft", "WAFT_SECRET_KEY"))
		require.Equal(s.t, unit == "waft-api", strings.Contains(environment, "WAFT_ROOT_KEY="), "only the API has the root key")
	}
	require.Equal(s.t, "success", s.line("systemctl", "show", "--property=Result", "--value", "waft-migrate"))
}

// createAccount creates the owner's account with the printed link.
func (s *server) createAccount() {
	s.t.Helper()
	s.follow([]string{"waft-run healthcheck"})
	link := strings.TrimSpace(s.follow([]string{"waft-run setup-link"}))
	_, token, found := strings.Cut(link, "https://"+publicName+"/app/setup#")
	require.True(s.t, found, link)
	body, err := json.Marshal(object{
		"token": token, "email": "owner@example.com", "name": "Olive", "password": "correct horse battery staple",
	})
	require.NoError(s.t, err)
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, apiURL+"/v1/auth/setup", bytes.NewReader(body))
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", "application/json")
	res, err := s.network.RoundTrip(req)
	require.NoError(s.t, err)
	defer res.Body.Close()
	require.Equal(s.t, http.StatusCreated, res.StatusCode)
}

// playDemo plays a rollout that finishes, and a rollout that is rolled back.
func (s *server) playDemo() {
	s.t.Helper()
	out := s.follow([]string{
		". /etc/waft/api.env; export WAFT_ROOT_KEY",
		"waft demo-project --env-file demo.env",
		". ./demo.env; export WAFT_URL WAFT_PROJECT WAFT_API_KEY",
		"waft demo --fast",
	}, "waft demo --fast", "waft demo --fast --rate 400 --max-rollback 5m") // for a machine that is busy with other tests
	require.Contains(s.t, out, "expectations were met")
}

// killPostgres kills every process of Postgres. Devices are served from memory until it runs again.
func (s *server) killPostgres(manifest string) {
	s.t.Helper()
	version, _, _ := strings.Cut(s.line("pg_lsclusters", "--no-header"), " ")
	unit := "postgresql@" + version + "-main.service"
	killed := s.pid(unit)
	require.NotEqual(s.t, "0", killed, unit)
	s.run("systemctl", "kill", "--kill-whom=all", "--signal=KILL", unit)
	s.await("Postgres ended", func() bool { return s.pid(unit) == "0" })
	require.Equal(s.t, manifest, s.manifest("shop"))
	s.run("systemctl", "restart", "postgresql")
	s.awaitReady()
}

// checkRestartAndStop kills each process, which comes back, and stops it, which ends it in time.
func (s *server) checkRestartAndStop() {
	s.t.Helper()
	for _, unit := range processes {
		killed := s.pid(unit)
		s.run("systemctl", "kill", "--kill-whom=main", "--signal=KILL", unit)
		s.await(unit+" comes back", func() bool {
			pid := s.pid(unit)
			return pid != killed && pid != "0"
		})
	}
	s.awaitReady()
	s.run("systemctl", "stop", "waft-api", "waft-worker")
	for _, unit := range processes {
		require.Equal(s.t, "success", s.line("systemctl", "show", "--property=Result", "--value", unit), "%s ended by itself", unit)
	}
	s.run("systemctl", "start", "waft-api", "waft-worker")
	s.awaitReady()
}

// upgrade installs a newer version. While its migration fails, the processes of the older one run on.
func (s *server) upgrade(to debs) {
	s.t.Helper()
	before := map[string]string{"waft-api": s.pid("waft-api"), "waft-worker": s.pid("waft-worker")}
	require.Contains(s.t, s.follow([]string{"waft-run backup /var/backups/waft"}), "complete and verified")
	s.copyIn(to.server)
	s.copyIn(to.cli)
	install := []string{"apt-get install ./waft-server_0.2.0_amd64.deb ./waft_0.2.0_amd64.deb"}
	settings := []string{s.read("/etc/waft/waft.env"), s.read("/etc/waft/api.env"), s.read("/etc/waft/worker.env")}
	obstacle := s.query("CREATE TABLE of_the_next_version (); SELECT 'made'")
	require.Equal(s.t, "made", obstacle)
	out, err := s.tryToFollow("", install)
	require.Error(s.t, err)
	require.Contains(s.t, out, "the migration failed, so the processes of the version before still run")
	for unit, pid := range before {
		require.Equal(s.t, pid, s.pid(unit), "%s runs on", unit)
	}
	require.Equal(s.t, "dropped", s.query("DROP TABLE of_the_next_version; SELECT 'dropped'"))

	s.follow([]string{"dpkg --configure waft-server"})
	s.awaitReady()
	for unit, pid := range before {
		require.NotEqual(s.t, pid, s.pid(unit), "%s was restarted", unit)
	}
	require.Contains(s.t, s.get("/healthz", nil), newer)
	require.Equal(s.t, settings, []string{s.read("/etc/waft/waft.env"), s.read("/etc/waft/api.env"), s.read("/etc/waft/worker.env")})
	require.Equal(s.t, "0", s.query("SELECT count(*)::text FROM of_the_next_version"))
}

// query runs statements in the server's database, and returns the string that the last one selects.
func (s *server) query(statements string) (selected string) {
	s.t.Helper()
	return s.line("psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1", s.settings["DATABASE_URL"],
		"--command="+statements)
}

// refuseDowngrade tries to install a version that cannot read the databases. The server continues to run.
func (s *server) refuseDowngrade(to debs) {
	s.t.Helper()
	running := s.pid("waft-api")
	s.copyIn(to.server)
	out, err := s.try("dpkg", "--install", "./"+filepath.Base(to.server))
	require.Error(s.t, err)
	require.Contains(s.t, out, "databases may have them already, which this version cannot read")
	require.Equal(s.t, newer, s.line("dpkg-query", "--show", "--showformat=${Version}", "waft-server"))
	require.Equal(s.t, "installed", s.line("dpkg-query", "--show", "--showformat=${db:Status-Status}", "waft-server"))
	require.Equal(s.t, running, s.pid("waft-api"))
}

// remove removes the server. Its processes end, and settings and data stay.
func (s *server) remove() {
	s.t.Helper()
	_, err := s.tryToFollow("y\n", []string{"apt-get remove waft-server"})
	require.NoError(s.t, err)
	for _, unit := range processes {
		require.Equal(s.t, "0", s.pid(unit))
	}
	require.NotEmpty(s.t, s.setting("waft", "WAFT_SECRET_KEY"))
	s.checkAssets()
}

// checkAssets checks that the files of the release are on the machine.
func (s *server) checkAssets() {
	s.t.Helper()
	files, err := exec.CommandContext(s.t.Context(), "find", filepath.Join(s.root, "var/lib/waft/assets"), "-type", "f").Output()
	require.NoError(s.t, err)
	require.NotEmpty(s.t, files)
}

// startOlderOnNewerSchema installs the older version after all. Its migration refuses the databases with a sentence.
func (s *server) startOlderOnNewerSchema(of debs) {
	s.t.Helper()
	s.run("apt-get", "install", "--yes", "--allow-downgrades", "./"+filepath.Base(of.server))
	_, err := s.try("systemctl", "start", "waft-migrate")
	require.Error(s.t, err)
	require.Contains(s.t, s.run("journalctl", "--no-pager", "--unit=waft-migrate"),
		fmt.Sprintf("the Postgres schema is newer than this binary: it has migration %s", strings.TrimLeft(newerMigration[:5], "0")))
}

// purge removes the settings, and says that the data stays.
func (s *server) purge() {
	s.t.Helper()
	out, err := s.tryToFollow("y\n", []string{"apt-get purge waft-server"})
	require.NoError(s.t, err, out)
	require.Contains(s.t, out, `run "rm -r /var/lib/waft /var/backups/waft"`)
	_, err = s.try("test", "-e", "/etc/waft")
	require.Error(s.t, err)
	s.checkAssets()
}
