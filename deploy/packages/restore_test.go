//go:build packages

package packages

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/temporaltest"
)

// backup makes a backup with the unit of the nightly backup, and verifies it.
func (s *server) backup() {
	s.t.Helper()
	s.run("systemctl", "start", "waft-backup")
	require.Equal(s.t, "700 waft:waft", s.line("stat", "--format=%a %U:%G", "/var/backups/waft"))
	require.Contains(s.t, s.run("waft-run", "backup", "verify", "/var/backups/waft"), "complete and verified")
	s.run("systemctl", "enable", "--now", "waft-backup.timer")
	require.NotEqual(s.t, "n/a", s.line("systemctl", "show", "--property=NextElapseUSecRealtime", "--value", "waft-backup.timer"))
}

// restoreElsewhere restores the backup on another machine with empty databases, which then serves the same release.
func (s *server) restoreElsewhere(of debs, manifest string) {
	s.t.Helper()
	other := &server{machine: boot(s.t)}
	other.install(of)
	other.configure()
	other.set("waft", map[string]string{
		"WAFT_SECRET_KEY": s.setting("waft", "WAFT_SECRET_KEY"), "TEMPORAL_NAMESPACE": temporaltest.Namespace(s.t),
	})
	backups := "var/backups/waft"
	require.NoError(s.t, os.RemoveAll(filepath.Join(other.root, backups)))
	require.NoError(s.t, os.CopyFS(filepath.Join(other.root, backups), os.DirFS(filepath.Join(s.root, backups))))
	other.run("chown", "-R", "waft:", "/var/backups/waft")
	other.run("waft-run", "restore", "/var/backups/waft")
	other.run("systemctl", "enable", "--now", "waft-api", "waft-worker")
	other.awaitReady()
	require.Equal(s.t, updateID(s, manifest), updateID(s, other.manifest("app")))
}

// updateID returns the ID of the update in a manifest.
func updateID(s *server, manifest string) string {
	s.t.Helper()
	var update struct{ ID string }
	require.NoError(s.t, json.Unmarshal([]byte(manifest), &update))
	require.NotEmpty(s.t, update.ID)
	return update.ID
}
