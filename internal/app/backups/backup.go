// Package backups backs an installation up and restores it: the records in Postgres, the telemetry in ClickHouse and the files of the
// bucket. Temporal is not backed up, because a restore starts its workflows from Postgres.
package backups

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path"
	"time"

	"github.com/waft-ota/waft/internal/app/backups/archive"
	"github.com/waft-ota/waft/internal/base/version"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/store/pgcopy"
	"github.com/waft-ota/waft/telemetry/dump"
)

// Options configure a backup.
type Options struct {
	// Dir is the folder of all backups.
	Dir string
	// ListFiles leaves the content of files out, for a bucket that keeps versions.
	ListFiles bool
	// Keep is the number of backups that stay, with this one. 0 keeps all.
	Keep int
	// AsOf is the moment of the records, if Postgres was recovered to a point in time. The zero time means the moment of the backup.
	AsOf time.Time
	Log  *slog.Logger
	Now  func() time.Time
}

// Backup takes a backup while the installation runs, and verifies it. It returns an error if another backup to the
// folder or of the databases runs, an engine does not respond, or the disk is full.
func Backup(ctx context.Context, cfg config.Config, o Options) (b archive.Backup, err error) {
	folder := archive.Open(o.Dir)
	unlock, err := folder.Lock()
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	w, err := folder.Begin(o.Now())
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, w.Discard()) }()
	w.WaftVersion = version.String()
	box, err := cfg.SecretBox()
	if err != nil {
		return b, err
	}
	w.KeyCheck = box.Seal(keyPurpose(w.Name), []byte(keyText))
	unlockDatabases, err := pgcopy.Lock(ctx, cfg.DatabaseURL)
	if err != nil {
		return b, err
	}
	defer unlockDatabases()
	files, closeFiles, err := openFiles(ctx, cfg, folder, o.ListFiles)
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, closeFiles()) }()
	run := &backup{Writer: w, cfg: cfg, log: o.Log, files: files, asOf: o.AsOf}
	for _, step := range []func(context.Context) error{run.copyFilesFirst, run.awaitReports, run.copyEngines, run.copyFilesAgain} {
		if err := step(ctx); err != nil {
			return b, err
		}
	}
	if b, err = w.Complete(); err != nil {
		return b, err
	}
	return b, folder.Prune(o.Keep)
}

// keyText is the text that each manifest has sealed under the secret key.
const keyText = "waft backup"

func keyPurpose(name string) string { return "backups.key_check/" + name }

// backup is a backup that is being written.
type backup struct {
	*archive.Writer
	cfg   config.Config
	log   *slog.Logger
	files *bucketFiles
	asOf  time.Time
	blobs map[pgcopy.Blob]int64
}

func (b *backup) warn(format string, args ...any) {
	warning := fmt.Sprintf(format, args...)
	b.log.Warn(warning)
	b.Warnings = append(b.Warnings, warning)
}

// copyFilesFirst copies most files before the state is fixed: a file that is deleted afterwards is then in the backup, too.
func (b *backup) copyFilesFirst(ctx context.Context) error {
	b.log.Info("copying files")
	return b.files.copyAll(ctx)
}

// copyFilesAgain copies the files that appeared since, and checks that each file that a record names is there.
func (b *backup) copyFilesAgain(ctx context.Context) error {
	if err := b.files.copyAll(ctx); err != nil {
		return err
	}
	missing := b.files.missing(b.blobs)
	for i, key := range missing {
		const shown = 10
		if i == shown {
			b.warn("the bucket lacks %d more files", len(missing)-shown)
			break
		}
		b.warn("the bucket lacks the file %s, so the releases that need it cannot be downloaded, before and after a restore", key)
	}
	b.FilesListed = b.files.listOnly
	return b.WriteFiles(b.files.all())
}

// copyEngines fixes the states of both databases and copies them.
func (b *backup) copyEngines(ctx context.Context) (err error) {
	fix := func(context.Context) error { return nil }
	var telemetryCopy *dump.Snapshot
	if b.cfg.ClickHouseCluster != "" {
		b.warn("the telemetry of the ClickHouse cluster %s is not in the backup; copy it with ClickHouse's BACKUP statement",
			b.cfg.ClickHouseCluster)
	} else {
		if telemetryCopy, err = dump.Prepare(ctx, b.cfg.ClickHouseURL); err != nil {
			return err
		}
		b.ClickHouseVersion = telemetryCopy.Version
		defer func() { err = errors.Join(err, telemetryCopy.Drop(ctx)) }()
		fix = telemetryCopy.Fix
	}
	if err := b.copyPostgres(ctx, fix); err != nil || telemetryCopy == nil {
		return err
	}
	return b.copyClickHouse(ctx, telemetryCopy)
}

func (b *backup) copyPostgres(ctx context.Context, fix func(context.Context) error) error {
	b.log.Info("copying Postgres")
	snapshot, err := pgcopy.Take(ctx, b.cfg.DatabaseURL, fix)
	if err != nil {
		return err
	}
	defer snapshot.Close(ctx)
	b.TakenAt, b.PostgresVersion = snapshot.TakenAt, snapshot.Version
	if !b.asOf.IsZero() {
		if b.asOf.After(b.TakenAt) {
			return fmt.Errorf("--as-of must be a time in the past, not %s: it is the moment to which Postgres was recovered",
				b.asOf.Format(time.RFC3339Nano))
		}
		b.TakenAt = b.asOf.UTC()
	}
	tables, err := snapshot.Tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		write := func(to io.Writer) (int64, error) { return snapshot.Copy(ctx, t, to) }
		part, err := b.Part("postgres/"+t.Name+".copy.zst", t.Name, t.Columns, write)
		if err != nil {
			return err
		}
		b.Postgres = append(b.Postgres, part)
	}
	sequences, err := snapshot.Sequences(ctx)
	if err != nil {
		return err
	}
	for _, s := range sequences {
		b.Sequences = append(b.Sequences, archive.Sequence(s))
	}
	b.blobs, err = snapshot.Blobs(ctx)
	return err
}

func (b *backup) copyClickHouse(ctx context.Context, from *dump.Snapshot) error {
	b.log.Info("copying ClickHouse")
	for _, t := range from.Tables() {
		chunks, err := from.Chunks(ctx, t)
		if err != nil {
			return err
		}
		for i, chunk := range chunks {
			name := path.Join("clickhouse", t.Name, fmt.Sprintf("%05d.native.zst", i+1))
			part, err := b.Part(name, t.Name, t.Columns, func(to io.Writer) (int64, error) { return from.Copy(ctx, t, chunk, to) })
			if err != nil {
				return err
			}
			b.ClickHouse = append(b.ClickHouse, part)
		}
	}
	return nil
}
