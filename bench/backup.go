package main

import (
	"context"
	"encoding/base64"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/app/backups"
	"github.com/waft-ota/waft/internal/app/backups/archive"
	"github.com/waft-ota/waft/internal/config"
)

// The small installation, and the releases that each million of events adds to it.
const (
	backupReleases, backupEvents = 4000, 100_000
	releasesPerMillion           = 20_000
)

// runBackup measures the time and size of backups of a growing installation, and the time of their restores.
func runBackup(ctx context.Context, s *session) error {
	server, err := s.waft(ctx, app.Role{API: true}, nil)
	if err != nil {
		return err
	}
	p, err := server.project(ctx, "backup")
	if err != nil {
		return err
	}
	launch, err := exported("stable", "ios")
	if err != nil {
		return err
	}
	for range s.size(publishes) {
		if _, err := p.upload(ctx, "", launch, unchanged()); err != nil {
			return err
		}
		if err := p.publish(ctx); err != nil {
			return err
		}
	}
	dir, err := s.folder()
	if err != nil {
		return err
	}
	before := load()
	t := newMarkdown("releases\tevents\tPostgres in MB\tClickHouse in MB\tbackup in MB\tfiles in MB\tfirst backup in s\tnext backup in s\t" +
		"restore in s")
	releases, events := s.size(backupReleases), int64(s.size(backupEvents))
	var allReleases int
	var allEvents int64
	for i := range len(s.millions) + 1 {
		if i > 0 {
			added := s.millions[i-1]
			releases, events = s.size(int(added)*releasesPerMillion), added*s.million()
		}
		if err := server.copyRelease(ctx, releases); err != nil {
			return err
		}
		if err := generate(ctx, server.clickHouseURL, telemetryProject, events, time.Now().UTC(), everyTable); err != nil {
			return err
		}
		allReleases, allEvents = allReleases+releases, allEvents+events
		line, err := s.measureBackup(ctx, server, filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			return err
		}
		t.row("%d\t%d\t%s", allReleases, allEvents, line)
	}
	if err := t.print(); err != nil {
		return err
	}
	fmt.Printf("\n%s\n", machine(before))
	return nil
}

// measureBackup makes two backups to a folder and restores the newer one. It returns the cells of the table.
func (s *session) measureBackup(ctx context.Context, w *waft, dir string) (cells string, err error) {
	cfg, err := w.backupConfig(w.databaseURL, w.clickHouseURL, w.dir)
	if err != nil {
		return "", err
	}
	log := slog.New(slog.DiscardHandler)
	var took [3]time.Duration
	var b archive.Backup
	for i := range 2 {
		began := time.Now()
		// Their names have seconds.
		now := func() time.Time { return began.Add(time.Duration(i-2) * time.Second) }
		if b, err = backups.Backup(ctx, cfg, backups.Options{Dir: dir, Log: log, Now: now}); err != nil {
			return "", err
		}
		took[i] = time.Since(began)
	}
	var to [3]string
	if to[0], err = s.postgres(ctx); err == nil {
		to[1], err = s.clickHouse(ctx)
	}
	if err == nil {
		to[2], err = s.folder()
	}
	if err != nil {
		return "", err
	}
	if cfg, err = w.backupConfig(to[0], to[1], to[2]); err != nil {
		return "", err
	}
	began := time.Now()
	if _, err := backups.Restore(ctx, cfg, backups.RestoreOptions{Dir: dir, Log: log, Now: time.Now}); err != nil {
		return "", err
	}
	took[2] = time.Since(began)
	files, err := sizeBelow(filepath.Join(dir, "files"))
	if err != nil {
		return "", err
	}
	records, reports, err := w.databaseSizes(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f", records/1e6, reports/1e6, float64(b.Bytes())/1e6, float64(files)/1e6,
		took[0].Seconds(), took[1].Seconds(), took[2].Seconds()), nil
}

// databaseSizes returns the sizes of both databases on the disk, in bytes.
func (w *waft) databaseSizes(ctx context.Context) (postgres, clickHouse float64, err error) {
	conn, err := connect(ctx, w.databaseURL)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&postgres); err != nil {
		return 0, 0, err
	}
	text, err := query(ctx, w.clickHouseURL, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = currentDatabase()")
	if err == nil {
		clickHouse, err = strconv.ParseFloat(text, 64)
	}
	return postgres, clickHouse, err
}

// copyRelease adds n copies of a release to its branch.
func (w *waft) copyRelease(ctx context.Context, n int) error {
	conn, err := connect(ctx, w.databaseURL)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, `INSERT INTO releases SELECT copy.* FROM releases r, generate_series(1, $1::int) i,
		jsonb_populate_record(r, jsonb_build_object('id', nextval('waft_ids'),
			'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(), 'created_at', r.created_at - i * interval '1 ms')) copy
		WHERE r.id = (SELECT id FROM releases ORDER BY created_at LIMIT 1)`, n)
	return err
}

func (w *waft) backupConfig(databaseURL, clickHouseURL, bucket string) (config.Config, error) {
	return config.RestoreFromMap(map[string]string{
		"TEMPORAL_ADDRESS": w.temporal, "TEMPORAL_NAMESPACE": "bench-" + uuid.NewString(), // a namespace that does not exist is empty
		"DATABASE_URL": databaseURL, "CLICKHOUSE_URL": clickHouseURL, "WAFT_ASSET_BUCKET_URL": "file://" + bucket,
		"WAFT_SECRET_KEY": base64.StdEncoding.EncodeToString(make([]byte, 32)), "WAFT_ADMIN_ADDR": "127.0.0.1:0",
	})
}

func sizeBelow(dir string) (size int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size += info.Size()
		}
		return err
	})
	return size, err
}
