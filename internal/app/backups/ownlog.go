package backups

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/crash/symbols"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/telemetry"
	"github.com/waft-ota/waft/telemetry/ingest"
)

// moveOwnLog moves the entries of the ingest log in WAFT_DATA_DIR to ClickHouse if no process runs that would do it. It reports whether
// the log is empty.
func (b *backup) moveOwnLog(ctx context.Context) (empty bool) {
	dir := filepath.Join(b.cfg.DataDir, "ingest")
	if b.cfg.DataDir == "" || b.cfg.ClickHouseCluster != "" || !isOwn(dir) {
		return false
	}
	left, err := b.drain(ctx, dir)
	switch {
	case errors.Is(err, ingest.ErrInUse):
		return false // the process that uses the log is asked
	case err != nil:
		b.warn("reports that wait in %s are not in the backup: %v", dir, err)
	case left > 0:
		b.warn("%s of the ingest log in %s could not be inserted into ClickHouse and %s not in the backup",
			count.Of(left, "entry"), dir, count.Choose(left, "is", "are"))
	}
	return err == nil && left == 0
}

// isOwn reports whether a folder exists and belongs to the user of this process. The API cannot use a log in which another user, such as
// root, has made files.
func isOwn(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil {
		return false
	}
	status, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(status.Uid) == os.Geteuid()
}

// drain inserts the entries of a log as an API process does, and returns the number of entries that are left.
func (b *backup) drain(ctx context.Context, dir string) (left int, err error) {
	records, err := store.Open(ctx, b.cfg.DatabaseURL, store.WithLog(b.log))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, records.Close()) }()
	sink, err := telemetry.Open(ctx, b.cfg.ClickHouseURL)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, sink.Close()) }()
	registry := prometheus.NewRegistry()
	maps := symbols.New(symbols.Options{
		Store: records, Memory: b.cfg.SourceMapMemoryBytes, Log: b.log, Now: time.Now,
		Open: func(ctx context.Context, projectID int64, md5 string) (io.ReadCloser, error) {
			return b.files.bucket.Open(ctx, projectID, md5)
		},
	})
	log, err := ingest.Open(ingest.Options{
		Dir: dir, Sink: sink, Claims: records, Erasures: records, Groups: symbols.NewGrouper(maps, time.Now, registry),
		MaxBytes: b.cfg.IngestLogBytes, Log: b.log, Registerer: registry, CloseTimeout: reportsWait,
	})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if err := errors.Join(records.CheckSchema(ctx), sink.CheckSchema(ctx)); err != nil {
		return 0, err
	}
	return log.Drain(ctx)
}
