package e2e

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/lab/site"
)

// fault is a failure of a server. A hidden command of a page with the fixture `server` causes it: <!-- before: fault NAME -->.
type fault struct {
	// engine is the unit of the engine that the fault changes, which the page's server then has for itself.
	engine string
	begin  func(n *night) error
}

var faults = map[string]fault{
	"worker-gone":   {begin: kills("waft-worker")},
	"api-gone":      {begin: kills("waft-api")},
	"postgres-down": {engine: "postgresql", begin: kills("postgresql")},
	"postgres-read-only": {engine: "postgresql", begin: func(n *night) error {
		return n.sql("ALTER DATABASE waft SET default_transaction_read_only = on",
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'waft' AND pid <> pg_backend_pid()")
	}},
	"clickhouse-down": {engine: "clickhouse-server", begin: kills("clickhouse-server")},
	"small-disk":      {begin: (*night).useSmallDisk},
	"disk-full":       {begin: (*night).fillDisk},
	"files-gone":      {begin: func(n *night) error { return os.Rename(n.addresses["/var/lib/waft"]+"/assets", n.folder+"/unmounted") }},
	"flood":           {begin: (*night).flood},
	"temporal-down":   {engine: "temporal", begin: kills("temporal")},
}

// kills returns a fault in which a process is killed, and systemd does not start it again.
func kills(unit string) func(*night) error {
	return func(n *night) error {
		n.units[unit].process.kill()
		return nil
	}
}

// useSmallDisk gives the API a disk of its own for reports and files of releases. A process keeps it mounted in a namespace of its own.
func (n *night) useSmallDisk() error {
	mounted := filepath.Join(n.folder, "disk")
	if err := os.Mkdir(mounted, 0o700); err != nil {
		return err
	}
	script := `mount -t tmpfs -o size=16m tmpfs "$1" && mkdir "$1/api" "$1/assets" && echo mounted && exec sleep infinity`
	create, enter := []string{"--mount"}, "--mount"
	if os.Geteuid() != 0 {
		create, enter = append(create, "--map-root-user"), "--mount --user --preserve-credentials"
	}
	disk := spawn(n.t, exec.Command("unshare", append(create, "sh", "-c", script, "sh", mounted)...))
	for !strings.Contains(disk.log.String(), "mounted") {
		if disk.ended() {
			return errors.New("the disk cannot be mounted: " + disk.log.String())
		}
		wait(n.t.Context(), 10*time.Millisecond)
	}
	id := disk.command.Process.Pid
	path := fmt.Sprintf("/proc/%d/root%s", id, mounted)
	n.addresses["/var/lib/waft"] = path
	// df looks disks up in the mounts of its own namespace, so it runs in the namespace of the disk.
	df, err := exec.LookPath("df")
	if err != nil {
		return err
	}
	double := fmt.Sprintf("#!/bin/bash\nexec nsenter --target %d %s %s \"${@#/proc/%d/root}\"\n", id, enter, df, id)
	if err := os.WriteFile(filepath.Join(n.folder, "bin", "df"), []byte(double), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(filepath.Join(n.folder, "etc", "api.env"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(file, "WAFT_DATA_DIR=%[1]s/api\nWAFT_ASSET_BUCKET_URL=file://%[1]s/assets\n", path)
	return errors.Join(err, file.Close(), n.restart("waft-api"))
}

// restart restarts a unit, and returns once it is ready.
func (n *night) restart(unit string) error {
	u := n.units[unit]
	if err := errors.Join(u.stop(n.t.Context()), u.start(n.t.Context())); err != nil {
		return err
	}
	select {
	case <-u.process.log.ready:
		return nil
	case err := <-u.process.exited:
		return fmt.Errorf("%s ended: %w", unit, err)
	}
}

// fillDisk writes a file that takes the rest of the disk.
func (n *night) fillDisk() error {
	file, err := os.Create(filepath.Join(n.addresses["/var/lib/waft"], "old-dump.sql"))
	if err != nil {
		return err
	}
	for err == nil {
		_, err = file.Write(make([]byte, 4<<10))
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return file.Close()
}

// flood sends manifest requests through a proxy on this machine: as many invented devices in one network, and then one device many times.
func (n *night) flood() error {
	for i := range 600 {
		device := "00000000-0000-4000-8000-000000000000"
		if i < 300 {
			device = uuid.NewString()
		}
		req, err := http.NewRequestWithContext(n.t.Context(), http.MethodGet, n.url+"/v1/ota/manifest/"+n.slug+"?channel=production", nil)
		if err != nil {
			return err
		}
		for name, value := range map[string]string{
			"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Expo-Protocol-Version": "1", "Accept": "multipart/mixed",
			"EAS-Client-ID": device, "X-Forwarded-For": "203.0.113.7",
		} {
			req.Header.Set(name, value)
		}
		if _, err := received(http.DefaultClient.Do(req)); err != nil {
			return err
		}
	}
	return nil
}

// sql executes statements in the server's Postgres.
func (n *night) sql(statements ...string) error {
	conn, err := pgx.Connect(n.t.Context(), n.settings("api")["DATABASE_URL"])
	if err != nil {
		return err
	}
	defer conn.Close(n.t.Context())
	for _, statement := range statements {
		if _, err := conn.Exec(n.t.Context(), statement); err != nil {
			return err
		}
	}
	return nil
}

// enginesThatFail returns the engines that the faults of a page change.
func enginesThatFail(page site.Page) []string {
	engines := map[string]bool{}
	note := func(scripts []site.Script) {
		for _, script := range scripts {
			for line := range strings.Lines(script.Text) {
				if name, isFault := strings.CutPrefix(strings.TrimSpace(line), "fault "); isFault && faults[name].engine != "" {
					engines[faults[name].engine] = true
				}
			}
		}
	}
	note(page.Before)
	for _, block := range page.Blocks {
		note(block.Before)
	}
	return slices.Sorted(maps.Keys(engines))
}
