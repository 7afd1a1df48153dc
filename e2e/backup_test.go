package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// takenAt finds the moment of a backup in the output of waftd backup.
var takenAt = regexp.MustCompile(`taken at (\S+), `)

// A backup is taken while devices report, and another one later. The newest one is restored on another machine: a hundred signed manifests
// and the figures of adoption are the same. The older one is restored with --to: it has the release before the bad one, each report that
// was acknowledged before it began, and roll-ups that agree with the reports.
func TestBackupIsRestoredOnAnotherMachine(t *testing.T) {
	t.Parallel()
	from := newProtected(t)
	p := from.tenant(t)
	p.known()
	p.asProject().signs(t)
	channels := []string{"production"}
	good := p.release()
	for len(channels) < 25 {
		channel := p.channel()
		p.create("/v1/ota/updates", object{"buildId": p.build().id("id"), "channel": channel, "releaseMessage": p.marker})
		channels = append(channels, channel)
	}
	p.awaitServed([]string{"anybody"}, is(good["updateUuid"]))
	load := &senders{
		url: from.url, slug: p.slug, http: http.Client{Timeout: waitLimit}, fates: map[string]fate{}, codes: map[int]int{},
	}
	stop := load.run(4)
	eventually(t, func() bool { return load.acknowledged() > 150 })
	load.mu.Lock()
	var before []string
	for name, f := range load.fates {
		if f == acknowledged {
			before = append(before, name)
		}
	}
	load.mu.Unlock()
	first := takenAt.FindStringSubmatch(from.backup())[1]
	acknowledgedThen := load.acknowledged()
	eventually(t, func() bool { return load.acknowledged() > acknowledgedThen+50 })
	stop()

	bad := p.release()
	p.awaitServed([]string{"anybody"}, is(bad["updateUuid"]))
	p.tells("0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10", "production", bad["updateUuid"], "app_launch")
	drained(t, from.url)
	var adoption object
	p.eventually(func() bool { // each of the two releases was served to one device
		adoption = p.read("/v1/ota/insights/adoption?days=7")
		return adoption["downloads"] == 2.0 && adoption["releasesTracked"] == 1.0
	})
	second := takenAt.FindStringSubmatch(from.backup())[1]
	require.NotEqual(t, first, second)
	require.Contains(t, from.must("backup", "verify", from.dir), second)

	manifests := p.manifests(channels)
	require.Len(t, manifests, 100)

	newest := from.elsewhere()
	output := newest.must("restore", newest.dir)
	require.Contains(t, output, "All sessions have ended")
	newest.must("migrate")
	newest = newest.serve()
	restored := newest.of(p)
	require.Equal(t, adoption, restored.read("/v1/ota/insights/adoption?days=7"))
	restored.awaitServed([]string{"anybody"}, is(bad["updateUuid"]))
	require.Equal(t, manifests, restored.manifests(channels))
	require.NotEmpty(t, newest.of(p).release()["updateUuid"], "numbers go on")

	at, err := time.Parse(time.RFC3339Nano, second)
	require.NoError(t, err)
	older := from.elsewhere()
	older.must("restore", older.dir, "--to", at.Add(-time.Microsecond).Format(time.RFC3339Nano))
	older.must("migrate")
	stored := openBooks(t, older.env["CLICKHOUSE_URL"])
	reports := stored.count("device_id", "health_reports", "1")
	for _, name := range before {
		require.EqualValues(t, 1, reports[name], name)
	}
	require.Equal(t, reports, stored.sum("device_id", "launches", "device_releases"), "a roll-up and the reports have the same devices")
	require.Less(t, len(reports), len(load.fates), "the backup was taken while reports arrived")
	older = older.serve()
	older.of(p).awaitServed([]string{"anybody"}, is(good["updateUuid"]))

	_, err = older.run("restore", older.dir)
	require.Error(t, err, "the database is not empty")
	nowhere := from.elsewhere()
	output, err = nowhere.run("restore", nowhere.dir, "--to", "2020-01-01T00:00:00Z")
	require.Error(t, err)
	require.Contains(t, output, first, "the error lists the backups")
	empty := nowhere.env["TEMPORAL_NAMESPACE"]
	nowhere.env["TEMPORAL_NAMESPACE"] = from.env["TEMPORAL_NAMESPACE"]
	output, err = nowhere.run("restore", nowhere.dir)
	require.Error(t, err)
	require.Contains(t, output, "create an empty namespace and name it in TEMPORAL_NAMESPACE")
	nowhere.env["TEMPORAL_NAMESPACE"] = empty
	nowhere.env["WAFT_SECRET_KEY"] = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
	output, err = nowhere.run("restore", nowhere.dir)
	require.Error(t, err)
	require.Contains(t, output, "--secret-key-lost")
	require.Contains(t, nowhere.must("restore", nowhere.dir, "--secret-key-lost"), "the code signing key. Upload it again")
	nowhere.must("migrate")
	nowhere.serve()
}

// A backup that is killed does not look complete. While a backup runs, a second one is refused.
func TestBackupThatIsKilledLeavesNothing(t *testing.T) {
	t.Parallel()
	p := newProtected(t)
	slow := stallAt(t, p.env["CLICKHOUSE_URL"], "FORMAT Native", 3)
	p.tenant(t).known()
	through := p
	through.env = emptied(p.env)
	through.env["CLICKHOUSE_URL"] = slow.url
	tenant := p.tenant(t)
	for i := range 3 {
		tenant.tells(fmt.Sprintf("0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a1%d", i), "production", "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10", "app_launch")
	}
	drained(t, p.url)
	through.env["WAFT_DATA_DIR"] = t.TempDir()
	running := launch(t, through.env, "backup", p.dir)
	select {
	case <-slow.reached:
	case err := <-running.exited:
		require.FailNow(t, "the backup ended", "%v\n%s", err, running.log)
	}
	output, err := p.run("backup", p.dir)
	require.Error(t, err)
	require.Contains(t, output, "another backup to "+p.dir+" is running")
	output, err = p.run("backup", t.TempDir())
	require.Error(t, err)
	require.Contains(t, output, "another backup of the same databases is running")
	running.kill()
	output, err = p.run("backup", "verify", p.dir)
	require.Error(t, err)
	require.Contains(t, output, "does not have a complete backup")

	p.backup()
	for _, pattern := range []string{filepath.Join(through.env["WAFT_DATA_DIR"], "*"), filepath.Join(p.dir, ".unfinished-*")} {
		left, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.Empty(t, left)
	}
	list, err := os.ReadDir(p.dir)
	require.NoError(t, err)
	for _, e := range list {
		info, err := e.Info()
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, e.Name())
	}
}

// The server is killed while ClickHouse does not respond. Only its log has the reports that it acknowledged, and the backup has them too.
func TestBackupHasTheReportsOfAKilledServer(t *testing.T) {
	t.Parallel()
	from := protected{t: t, env: settings(t), dir: t.TempDir()}
	migrate(t, from.env)
	clickHouse, through := newLine(t, from.env["CLICKHOUSE_URL"])
	env := maps.Clone(from.env)
	env["CLICKHOUSE_URL"] = through
	server := waftd(t, "serve", env)
	from.installation = installation{url: server.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}
	p := from.tenant(t)
	p.known()
	release := p.release()
	p.awaitServed([]string{"anybody"}, is(release["updateUuid"]))
	clickHouse.cut()
	const launched, crashed = "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10", "0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a11"
	p.tells(launched, "production", release["updateUuid"], "app_launch")
	p.tells(crashed, "production", release["updateUuid"], "crash")
	server.kill()
	require.NotContains(t, from.must("backup", from.dir), "Warning")

	to := from.elsewhere()
	to.must("restore", to.dir)
	once := map[string]uint64{launched: 1, crashed: 1}
	restored := openBooks(t, to.env["CLICKHOUSE_URL"])
	require.Equal(t, once, restored.count("device_id", "health_reports", "1"))
	require.Equal(t, map[string]uint64{crashed: 1}, restored.count("device_id", "health_events", "type = 'crash'"))

	// The server does not insert them again.
	from = from.serve()
	from.of(p).tells(launched, "production", release["updateUuid"], "app_launch")
	drained(t, from.url)
	once[launched]++
	require.Equal(t, once, openBooks(t, from.env["CLICKHOUSE_URL"]).count("device_id", "health_reports", "1"))
}

// A restore is killed while it fills ClickHouse. Until it is repeated, no process starts on its databases.
func TestInterruptedRestoreIsRepeated(t *testing.T) {
	t.Parallel()
	from := newProtected(t)
	p := from.tenant(t)
	p.known()
	release := p.release()
	p.awaitServed([]string{"anybody"}, is(release["updateUuid"]))
	p.tells("0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10", "production", release["updateUuid"], "app_launch")
	drained(t, from.url)
	from.backup()

	to := from.elsewhere()
	slow := stallAt(t, to.env["CLICKHOUSE_URL"], "INSERT INTO", 3)
	through := to
	through.env = emptied(to.env)
	through.env["CLICKHOUSE_URL"] = slow.url
	running := launch(t, through.env, "restore", to.dir)
	select {
	case <-slow.reached:
	case err := <-running.exited:
		require.FailNow(t, "the restore ended", "%v\n%s", err, running.log)
	}
	running.kill()
	for _, role := range []string{"api", "worker", "serve", "migrate"} {
		output, err := to.run(role)
		require.Error(t, err, role)
		require.Contains(t, output, "has not finished; run the same `waftd restore` again", role)
	}
	broken := to
	broken.env = emptied(to.env)
	broken.env["WAFT_ASSET_BUCKET_URL"] = "file:///dev/null/bucket"
	output, err := broken.run("restore", to.dir)
	require.Error(t, err, "it fails after ClickHouse: %s", output)
	output, err = to.run("api")
	require.Error(t, err)
	require.Contains(t, output, "has not finished")

	staging := filepath.Join(to.env["WAFT_DATA_DIR"], "restore")
	require.NoError(t, os.MkdirAll(staging, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(staging, "upload-1"), nil, 0o600))
	to.must("restore", to.dir)
	require.NoDirExists(t, staging, "what a killed restore leaves is removed")
	to.must("migrate")
	to = to.serve()
	to.of(p).awaitServed([]string{"anybody"}, is(release["updateUuid"]))
	stored := openBooks(t, to.env["CLICKHOUSE_URL"]).count("device_id", "health_reports", "1")
	require.Equal(t, map[string]uint64{"0b1f9b2e-7b5c-4f0e-9a55-6d1f6f3c2a10": 1}, stored)
}
