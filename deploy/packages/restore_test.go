//go:build packages

package packages

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/stretchr/testify/require"
)

const backups = "/var/backups/waft"

// backupWhileStopped makes a backup while the API does not run. The backup moves the reports in the API's folder itself.
func (s *server) backupWhileStopped() {
	s.t.Helper()
	s.run("systemctl", "stop", "waft-api")
	out := s.follow([]string{"waft-run backup /var/backups/waft"})
	require.Contains(s.t, out, "complete and verified")
	require.NotContains(s.t, out, "Warning", "a backup knows the folder of the API")
	s.run("systemctl", "start", "waft-api")
	s.awaitReady()
	s.follow([]string{"systemctl start waft-backup"})
}

// backupOfTheNight loses power, and is off when the backup of the night is due. The timer then starts the backup with the machine.
func (s *server) backupOfTheNight() {
	s.t.Helper()
	s.follow([]string{"systemctl enable --now waft-backup.timer"})
	require.NotEqual(s.t, "n/a", s.line("systemctl", "show", "--property=NextElapseUSecRealtime", "--value", "waft-backup.timer"))
	s.cut()
	withoutDelay := filepath.Join(s.root, "etc/systemd/system/waft-backup.timer.d/test.conf")
	require.NoError(s.t, os.MkdirAll(filepath.Dir(withoutDelay), 0o755))
	require.NoError(s.t, os.WriteFile(withoutDelay, []byte("[Timer]\nRandomizedDelaySec=0\n"), 0o644))
	stamp := filepath.Join(s.root, "var/lib/systemd/timers/stamp-waft-backup.timer")
	info, err := os.Stat(stamp)
	require.NoError(s.t, err)
	before := info.ModTime().AddDate(0, 0, -2)
	require.NoError(s.t, os.Chtimes(stamp, before, before))
	s.start()
	s.awaitReady()
	s.await("the backup of the night", func() bool {
		const twice = 2 // with the backup that systemctl has started
		return strings.Count(s.follow([]string{"journalctl -u waft-backup"}), "complete and verified") == twice
	})
	require.Equal(s.t, "700 waft:waft", s.line("stat", "--format=%a %U:%G", backups))
	verified := s.follow([]string{"waft-run backup verify /var/backups/waft"})
	require.Equal(s.t, 3, strings.Count(verified, "complete and verified"), verified)
	require.NotContains(s.t, verified, "Warning")
}

// restoreElsewhere restores the newest backup on another machine with empty databases. The first machine is off.
func (s *server) restoreElsewhere(of debs) *server {
	s.t.Helper()
	other := newServer(s.t)
	other.page = s.page
	other.createDatabase()
	other.install(of)
	other.configure()
	other.set("waft", map[string]string{"WAFT_SECRET_KEY": s.setting("waft", "WAFT_SECRET_KEY")})
	other.set("api", map[string]string{"WAFT_ROOT_KEY": s.setting("api", "WAFT_ROOT_KEY")})
	require.NoError(s.t, os.RemoveAll(filepath.Join(other.root, backups)))
	require.NoError(s.t, os.CopyFS(filepath.Join(other.root, backups), os.DirFS(filepath.Join(s.root, backups))))
	out := other.follow([]string{
		"chown -R waft: /var/backups/waft",
		"waft-run restore /var/backups/waft",
		"systemctl enable --now waft-api waft-worker waft-backup.timer",
	})
	require.Contains(s.t, out, "Next, run `waftd migrate`")
	other.awaitReady()
	return other
}
