package backups

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/app/backups/archive"
	"github.com/waft-ota/waft/internal/assets"
	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/internal/store/pgcopy"
	"github.com/waft-ota/waft/internal/store/restorestore"
	"github.com/waft-ota/waft/telemetry"
	"github.com/waft-ota/waft/telemetry/dump"
)

// RestoreOptions configure a restore.
type RestoreOptions struct {
	// Dir is the folder of all backups.
	Dir string
	// To selects the newest backup taken at To or earlier. The zero time selects the newest backup.
	To time.Time
	// SecretKeyLost permits another WAFT_SECRET_KEY than the one of the backup. Stored secrets are then lost.
	SecretKeyLost bool
	Log           *slog.Logger
	Now           func() time.Time
}

// Restore restores a backup into empty databases, and the files that the bucket lacks. It returns an error before any change if the backup
// is damaged, its schema is newer than this binary, the secret key differs, or a database or the namespace of Temporal is not empty. A
// restore that was interrupted continues with the next call; until it is complete, no process serves the databases.
func Restore(ctx context.Context, cfg config.Config, o RestoreOptions) (report restorestore.Report, err error) {
	b, err := archive.Open(o.Dir).Newest(o.To)
	if err != nil {
		return report, err
	}
	o.Log.Info("verifying the backup", "backup", b.Name, "takenAt", b.TakenAt)
	if err := errors.Join(b.Verify(), checkVersions(b)); err != nil {
		return report, err
	}
	lost, err := checkKey(cfg, b, o.SecretKeyLost)
	if err != nil {
		return report, err
	}
	if err := checkTemporal(ctx, cfg, o.Log); err != nil {
		return report, err
	}
	// Another restore, or a migration, waits.
	err = pg.WithMigrationLock(ctx, cfg.DatabaseURL, func(ctx context.Context) error {
		prepare := func(ctx context.Context) error { return prepareTelemetry(ctx, cfg, b) }
		state, err := pgcopy.Begin(ctx, cfg.DatabaseURL, b.Name, o.Now(), prepare)
		if err != nil {
			return err
		}
		r := &restore{Backup: b, Restore: state, cfg: cfg, log: o.Log}
		for _, step := range []func(context.Context) error{r.loadTelemetry, r.loadFiles, r.loadRecords, r.migrate} {
			if err := step(ctx); err != nil {
				return err
			}
		}
		report, err = restorestore.SettleDatabase(ctx, cfg.DatabaseURL, restorestore.Facts{
			Source: b.Name, BackedUpAt: b.TakenAt, RestoredAt: state.RestoredAt, SecretKeyLost: lost,
		})
		if err != nil {
			return err
		}
		if b.ClickHouseVersion > 0 {
			if err := dump.End(ctx, cfg.ClickHouseURL); err != nil {
				return err
			}
		}
		return state.End(ctx)
	})
	return report, err
}

func checkVersions(b archive.Backup) error {
	postgres, err := pg.LatestVersion()
	if err != nil {
		return err
	}
	known, err := telemetry.KnownVersions()
	if err != nil {
		return err
	}
	clickHouse := slices.Max(known)
	if b.PostgresVersion > postgres || b.ClickHouseVersion > clickHouse {
		return fmt.Errorf("the backup %s has a newer schema than this waftd: Postgres %d (this waftd: %d), ClickHouse %d (this waftd: %d); "+
			"restore it with waftd %s or a newer one", b.Name, b.PostgresVersion, postgres, b.ClickHouseVersion, clickHouse, b.WaftVersion)
	}
	return nil
}

// checkKey checks that the secret key opens what was encrypted at the time of the backup. lost is true if it does not, and may differ.
func checkKey(cfg config.Config, b archive.Backup, mayDiffer bool) (lost bool, err error) {
	box, err := cfg.SecretBox()
	if err != nil {
		return false, err
	}
	_, err = box.Open(keyPurpose(b.Name), b.KeyCheck)
	switch {
	case err == nil:
		return false, nil
	case !errors.Is(err, secrets.ErrUnknownKey):
		return false, fmt.Errorf("the manifest of the backup %s is damaged: %w", b.Name, err)
	case mayDiffer:
		return true, nil
	}
	return false, errors.New("WAFT_SECRET_KEY is not the key of the backup, so Waft could not decrypt stored secrets; set the key of the " +
		"old installation, or restore with --secret-key-lost. Then you must enter code signing keys and the secrets of webhooks again")
}

// restore is a restore that is running.
type restore struct {
	archive.Backup
	*pgcopy.Restore
	cfg config.Config
	log *slog.Logger
}

// prepareTelemetry checks that the ClickHouse database is empty, and marks it as the target of this restore.
func prepareTelemetry(ctx context.Context, cfg config.Config, b archive.Backup) error {
	if b.ClickHouseVersion == 0 {
		return nil
	}
	if cfg.ClickHouseCluster != "" {
		return errors.New("the telemetry of a backup cannot be restored to a ClickHouse cluster; unset WAFT_CLICKHOUSE_CLUSTER and use a " +
			"single server")
	}
	return dump.Begin(ctx, cfg.ClickHouseURL, b.Name)
}

// loadTelemetry loads ClickHouse. It begins with an empty database again if it was interrupted.
func (r *restore) loadTelemetry(ctx context.Context) error {
	if r.Telemetry || r.ClickHouseVersion == 0 {
		return nil
	}
	r.log.Info("restoring ClickHouse")
	if err := dump.Clear(ctx, r.cfg.ClickHouseURL, r.Name); err != nil {
		return err
	}
	if err := telemetry.MigrateTo(ctx, r.cfg.ClickHouseURL, r.ClickHouseVersion); err != nil {
		return err
	}
	all := make([]dump.Rows, len(r.ClickHouse))
	for i, p := range r.ClickHouse {
		all[i] = dump.Rows{Table: dump.Table{Name: p.Table, Columns: p.Columns}, Count: p.Rows, Open: r.opener(p)}
	}
	if err := dump.Load(ctx, r.cfg.ClickHouseURL, all); err != nil {
		return err
	}
	return r.TelemetryLoaded(ctx)
}

// loadRecords loads Postgres in one transaction.
func (r *restore) loadRecords(ctx context.Context) error {
	if r.Records {
		return nil
	}
	r.log.Info("restoring Postgres")
	if err := pg.MigrateTo(ctx, r.cfg.DatabaseURL, r.PostgresVersion); err != nil {
		return err
	}
	all := make([]pgcopy.Rows, len(r.Postgres))
	for i, p := range r.Postgres {
		all[i] = pgcopy.Rows{Table: pgcopy.Table{Name: p.Table, Columns: p.Columns}, Count: p.Rows, Open: r.opener(p)}
	}
	sequences := make([]pgcopy.Sequence, len(r.Sequences))
	for i, s := range r.Sequences {
		sequences[i] = pgcopy.Sequence(s)
	}
	return r.Load(ctx, all, sequences)
}

// loadFiles gives the bucket the files that it lacks. Files that only the bucket has stay.
func (r *restore) loadFiles(ctx context.Context) (err error) {
	r.log.Info("restoring files", "files", r.FileCount)
	// The folder of the backups may be read-only.
	staging, err := r.staging()
	if err != nil {
		return err
	}
	bucket, shut, err := openBucket(ctx, r.cfg, staging)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shut()) }()
	for f, err := range r.EachFile() {
		if err != nil {
			return err
		}
		o := assets.Object{Key: f.Key, Size: f.Size, ContentType: f.Type}
		if r.FilesListed {
			err = bucket.CheckObject(ctx, o)
		} else {
			err = bucket.PutObject(ctx, o, r.ContentPath(f))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// staging returns the path of a folder for temporary files: in WAFT_DATA_DIR, because a container may have only this folder to write to, or
// in the system's folder without the setting.
func (r *restore) staging() (string, error) {
	if r.cfg.DataDir == "" {
		dir, err := os.MkdirTemp("", "waft-restore-")
		if err != nil {
			return "", fmt.Errorf("make a folder for temporary files; name one in WAFT_DATA_DIR: %w", err)
		}
		return dir, nil
	}
	if err := os.MkdirAll(r.cfg.DataDir, 0o750); err != nil {
		return "", fmt.Errorf("WAFT_DATA_DIR: %w", err)
	}
	return filepath.Join(r.cfg.DataDir, "restore"), nil
}

// migrate brings both databases to the schemas of this binary.
func (r *restore) migrate(ctx context.Context) error {
	latest, err := pg.LatestVersion()
	if err != nil {
		return err
	}
	if err := pg.MigrateTo(ctx, r.cfg.DatabaseURL, latest); err != nil || r.ClickHouseVersion == 0 {
		return err
	}
	return telemetry.Migrate(ctx, r.cfg.ClickHouseURL)
}
