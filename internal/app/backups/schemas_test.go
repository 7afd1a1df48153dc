package backups_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app/backups"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/telemetry"
)

// The schemas of the version before backups. Postgres has no table restores yet, and ClickHouse no breadcrumbs.
const oldPostgres, oldClickHouse = 69, 21

// emptyEngines returns the settings for a backup or a restore with empty databases.
func emptyEngines(t *testing.T) config.Config {
	t.Helper()
	temporal, _ := enginetest.Temporal(t)
	cfg, err := config.RestoreFromMap(map[string]string{
		"DATABASE_URL": enginetest.Postgres(t), "CLICKHOUSE_URL": enginetest.ClickHouse(t), "WAFT_ASSET_BUCKET_URL": "file://" + t.TempDir(),
		"WAFT_SECRET_KEY": base64.StdEncoding.EncodeToString(make([]byte, 32)), "WAFT_ADMIN_ADDR": "127.0.0.1:0",
		"TEMPORAL_ADDRESS": temporal, "TEMPORAL_NAMESPACE": "missing-" + uuid.NewString(), "WAFT_DATA_DIR": t.TempDir(),
	})
	require.NoError(t, err)
	return cfg
}

// clickHouse runs a statement and returns the response.
func clickHouse(t *testing.T, clickHouseURL, statement string) string {
	t.Helper()
	u, err := url.Parse(clickHouseURL)
	require.NoError(t, err)
	u.RawQuery = url.Values{"database": {strings.Trim(u.Path, "/")}}.Encode()
	u.Path = "/"
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, u.String(), strings.NewReader(statement))
	require.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, res.StatusCode, "%s", body)
	return strings.TrimSpace(string(body))
}

// postgresVersion returns the version of the schema, 0 for an empty database.
func postgresVersion(t *testing.T, databaseURL string) int64 {
	t.Helper()
	conn, err := pg.Connect(t.Context(), databaseURL)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	version, err := pg.VersionIn(t.Context(), conn)
	require.NoError(t, err)
	return version
}

func options(dir string) backups.Options {
	return backups.Options{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: time.Now}
}

func restoring(dir string) backups.RestoreOptions {
	return backups.RestoreOptions{Dir: dir, Log: slog.New(slog.DiscardHandler), Now: time.Now}
}

// A backup of an older version of Waft is restored under its own schemas, and then migrated.
func TestABackupOfOlderSchemasIsMigrated(t *testing.T) {
	t.Parallel()
	from := emptyEngines(t)
	require.NoError(t, pg.MigrateTo(t.Context(), from.DatabaseURL, oldPostgres))
	require.NoError(t, telemetry.MigrateTo(t.Context(), from.ClickHouseURL, oldClickHouse))
	enginetest.ExecPostgres(t, from.DatabaseURL, `INSERT INTO projects (uuid, name, slug, created_at, snapshot_version, last_release_millis,
		sealed_hash_key) VALUES (gen_random_uuid(), 'Demo', 'demo', now(), 7, 8, '')`)
	clickHouse(t, from.ClickHouseURL, "INSERT INTO health_reports (project_id, received_at, device_id, launches) VALUES (1, now(), 'd', 3)")
	dir := t.TempDir()
	b, err := backups.Backup(t.Context(), from, options(dir))
	require.NoError(t, err)
	require.Equal(t, [2]int64{oldPostgres, oldClickHouse}, [2]int64{b.PostgresVersion, b.ClickHouseVersion})

	to := emptyEngines(t)
	report, err := backups.Restore(t.Context(), to, restoring(dir))
	require.NoError(t, err)
	require.Equal(t, []string{"demo"}, report.Projects)
	latest, err := pg.LatestVersion()
	require.NoError(t, err)
	require.Equal(t, latest, postgresVersion(t, to.DatabaseURL))
	known, err := telemetry.KnownVersions()
	require.NoError(t, err)
	migrated := clickHouse(t, to.ClickHouseURL, "SELECT max(version_id) FROM waft_schema_versions")
	require.Equal(t, strconv.FormatInt(slices.Max(known), 10), migrated)
	require.Equal(t, "d\t3", clickHouse(t, to.ClickHouseURL, "SELECT device_id, launches FROM health_reports"))
	again, err := backups.Backup(t.Context(), to, options(t.TempDir()))
	require.NoError(t, err)
	require.Equal(t, latest, again.PostgresVersion)
}

// Postgres was recovered to an earlier moment, and a cluster has the telemetry. Neither the backup nor the restore connects to ClickHouse.
func TestARecoveredPostgresIsSettledAsOfItsMoment(t *testing.T) {
	t.Parallel()
	from := emptyEngines(t)
	from.ClickHouseCluster, from.ClickHouseURL = "main", "http://127.0.0.1:1/waft"
	require.NoError(t, pg.Migrate(t.Context(), from.DatabaseURL))
	o := options(t.TempDir())
	o.AsOf = time.Now().Add(time.Hour)
	_, err := backups.Backup(t.Context(), from, o)
	require.ErrorContains(t, err, "--as-of must be a time in the past")
	recovered := time.Now().Add(-48 * time.Hour).UTC().Truncate(time.Second)
	o.AsOf = recovered
	b, err := backups.Backup(t.Context(), from, o)
	require.NoError(t, err)
	require.Equal(t, recovered, b.TakenAt)
	require.Contains(t, strings.Join(b.Warnings, "\n"), "the telemetry of the ClickHouse cluster main is not in the backup")

	to := emptyEngines(t)
	to.ClickHouseCluster, to.ClickHouseURL = from.ClickHouseCluster, from.ClickHouseURL
	report, err := backups.Restore(t.Context(), to, restoring(o.Dir))
	require.NoError(t, err)
	require.Equal(t, recovered, report.BackedUpAt)
	latest, err := pg.LatestVersion()
	require.NoError(t, err)
	require.Equal(t, latest, postgresVersion(t, to.DatabaseURL))
}

// A backup of a newer version of Waft is refused before anything is written.
func TestABackupOfANewerSchemaIsRefused(t *testing.T) {
	t.Parallel()
	from := emptyEngines(t)
	require.NoError(t, pg.Migrate(t.Context(), from.DatabaseURL))
	require.NoError(t, telemetry.Migrate(t.Context(), from.ClickHouseURL))
	dir := t.TempDir()
	b, err := backups.Backup(t.Context(), from, options(dir))
	require.NoError(t, err)
	for name, known := range map[string]int64{"postgresVersion": b.PostgresVersion, "clickHouseVersion": b.ClickHouseVersion} {
		path := filepath.Join(dir, b.Name, "manifest.json")
		manifest, err := os.ReadFile(path)
		require.NoError(t, err)
		newer := bytes.Replace(manifest, fmt.Appendf(nil, "%q: %d,", name, known), fmt.Appendf(nil, "%q: %d,", name, known+1), 1)
		require.NotEqual(t, manifest, newer)
		write := func(content []byte) {
			require.NoError(t, os.WriteFile(path, content, 0o600))
			require.NoError(t, os.WriteFile(path+".sha256", fmt.Appendf(nil, "%x\n", sha256.Sum256(content)), 0o600))
		}
		write(newer)
		to := emptyEngines(t)
		_, err = backups.Restore(t.Context(), to, restoring(dir))
		require.ErrorContains(t, err, "has a newer schema than this waftd")
		require.ErrorContains(t, err, "restore it with waftd "+b.WaftVersion+" or a newer one")
		require.Zero(t, postgresVersion(t, to.DatabaseURL))
		require.Equal(t, "0", clickHouse(t, to.ClickHouseURL, "SELECT count() FROM system.tables WHERE database = currentDatabase()"))
		write(manifest)
	}
}
