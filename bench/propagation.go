package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waft-ota/waft/internal/secrets"
	"github.com/waft-ota/waft/internal/snapshot"
	"github.com/waft-ota/waft/internal/store"
)

const (
	propagated   = 50
	apiProcesses = 2
	// lookEvery is how often a device asks whether the new release is there.
	lookEvery = time.Millisecond
	// pauseAfter lets a publish's own work end before the next one.
	pauseAfter = 100 * time.Millisecond
)

// largeHistory gives a project as many releases more, each with a build of its own
// in which one of the files is another; $1 is its slug.
var largeHistory = `WITH base AS MATERIALIZED (
		SELECT r.* FROM releases r JOIN projects p ON p.id = r.project_id WHERE p.slug = $1 ORDER BY r.created_at LIMIT 1
	), copies AS MATERIALIZED (
		SELECT n, nextval('waft_ids') AS build_id, md5(gen_random_uuid()::text) AS bundle,
			translate(rtrim(encode(sha256(n::text::bytea), 'base64'), '='), '+/', '-_') AS sum
		FROM generate_series(1, ` + strconv.Itoa(largeReleases-smallReleases) + `) n
	), made_blobs AS (
		INSERT INTO blobs (project_id, md5, sha256, size_bytes) SELECT base.project_id, bundle, sum, 1000 FROM copies, base
	), made_builds AS (
		INSERT INTO builds SELECT (jsonb_populate_record(b, jsonb_build_object('id', c.build_id, 'uuid', gen_random_uuid()))).*
		FROM builds b JOIN base ON b.id = base.build_id, copies c
	), made_assets AS (
		INSERT INTO build_assets SELECT (jsonb_populate_record(a, jsonb_build_object('build_id', c.build_id,
			'md5', CASE WHEN a.is_launch_asset THEN c.bundle ELSE a.md5 END,
			'sha256', CASE WHEN a.is_launch_asset THEN c.sum ELSE a.sha256 END))).*
		FROM build_assets a JOIN base ON a.build_id = base.build_id, copies c
	)
	INSERT INTO releases SELECT (jsonb_populate_record(r, jsonb_build_object(
		'id', nextval('waft_ids'), 'build_id', c.build_id, 'update_uuid', gen_random_uuid(), 'group_id', gen_random_uuid(),
		'created_at', r.created_at - c.n * interval '1 ms'))).*
	FROM releases r JOIN base ON r.id = base.id, copies c`

// runPropagation measures how long after its commit a release is served, by every
// API process, and what the snapshots take in memory.
func runPropagation(ctx context.Context, _ options) (err error) {
	engines, err := newEngines(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, engines.close()) }()
	first, err := startWaft(ctx, engines)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, first.close()) }()
	p := &propagation{engines: engines, out: tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)}
	if p.subject, err = first.deliveryProject(ctx, "large"); err != nil {
		return err
	}
	fmt.Printf("%d publishes each, %d CPUs, %s; load average before %s\n\n", propagated, runtime.NumCPU(), runtime.Version(), load())
	fmt.Fprintln(p.out, "\tAPI processes\tmedian ms\tp99 ms\tmost ms\tpublish ms\tsnapshot MiB\tfirst read ms\t")
	servers := []*waft{first}
	if err := p.measure(ctx, "10 releases", servers); err != nil {
		return err
	}
	for _, step := range []struct {
		name       string
		statements []string
	}{
		{fmt.Sprintf("%d releases", largeReleases), []string{largeHistory}},
		{fmt.Sprintf("and %d channels", largeChannels), manyChannels},
		{fmt.Sprintf("and %d overrides", manyOverrides), manyUsers},
	} {
		if err := engines.fill(ctx, "large", append(step.statements, "SELECT pg_notify('waft_snapshot', id::text) FROM projects WHERE slug = $1")...); err != nil {
			return err
		}
		if err := p.measure(ctx, step.name, servers); err != nil {
			return err
		}
	}
	for len(servers) < apiProcesses {
		another, err := startWaft(ctx, engines)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, another.close()) }()
		servers = append(servers, another)
	}
	if err := p.measure(ctx, "the same", servers); err != nil {
		return err
	}
	fmt.Println("Load average after:", load())
	return p.out.Flush()
}

// propagation propagated to one project.
type propagation struct {
	engines *engines
	subject *subject
	out     *tabwriter.Writer
}

func (p *propagation) measure(ctx context.Context, name string, servers []*waft) error {
	commits, err := p.listen(ctx)
	if err != nil {
		return err
	}
	defer commits.Close(ctx)
	var took, publishing samples
	if err := p.settle(ctx, servers); err != nil {
		return err
	}
	for n := range propagated + 1 {
		last, err := p.served(ctx, servers)
		if err != nil {
			return err
		}
		begun := time.Now()
		published := make(chan error, 1)
		go func() {
			err := p.subject.publish(ctx)
			publishing.took = append(publishing.took, time.Since(begun))
			published <- err
		}()
		if _, err := commits.WaitForNotification(ctx); err != nil {
			return fmt.Errorf("wait for the commit: %w", err)
		}
		committed := time.Now()
		if err := p.await(ctx, servers, last); err != nil {
			return err
		}
		if n > 0 { // the first one pays for what was seeded
			took.took = append(took.took, time.Since(committed))
		}
		if err := <-published; err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pauseAfter):
		}
	}
	size, first, err := p.memory(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f\t\n", name, len(servers), ms(took.quantile(.5)), ms(took.quantile(.99)),
		ms(slices.Max(took.took)), ms(publishing.quantile(.5)), float64(size)/(1<<20), ms(first))
	return nil
}

// listen hears of every commit at the moment that the servers do.
func (p *propagation) listen(ctx context.Context) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, p.engines.databaseURL)
	if err != nil {
		return nil, errors.New("DATABASE_URL: Postgres is not reachable")
	}
	if _, err := conn.Exec(ctx, "LISTEN "+snapshot.Channel); err != nil {
		conn.Close(ctx)
		return nil, fmt.Errorf("listen: %w", err)
	}
	return conn, nil
}

// settle waits until every server answers from a snapshot of what was seeded.
func (p *propagation) settle(ctx context.Context, servers []*waft) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	look := time.NewTicker(pauseAfter)
	defer look.Stop()
	for {
		_, err := p.served(ctx, servers)
		if err == nil || ctx.Err() != nil {
			return err
		}
		<-look.C
	}
}

// served are the ids of the updates that the servers answer with.
func (p *propagation) served(ctx context.Context, servers []*waft) ([]string, error) {
	ids := make([]string, len(servers))
	for i, w := range servers {
		id, err := w.servedUpdate(ctx)
		if err != nil {
			return nil, err
		}
		ids[i] = id
	}
	return ids, nil
}

// await returns when every server answers with another update than the last one.
func (p *propagation) await(ctx context.Context, servers []*waft, last []string) error {
	failed := make([]error, len(servers))
	var all sync.WaitGroup
	for i, w := range servers {
		all.Go(func() {
			look := time.NewTicker(lookEvery)
			defer look.Stop()
			for {
				id, err := w.servedUpdate(ctx)
				if err != nil || id != last[i] {
					failed[i] = err
					return
				}
				<-look.C
			}
		})
	}
	all.Wait()
	return errors.Join(failed...)
}

// servedUpdate is the id of the update in the manifest for a device without one.
func (w *waft) servedUpdate(ctx context.Context) (string, error) {
	body, err := send(ctx, http.MethodGet, w.url+"/v1/ota/manifest/large", "", "", device, http.StatusOK)
	if err != nil {
		return "", err
	}
	_, rest, ok := bytes.Cut(body, []byte(`{"id":"`))
	if !ok {
		return "", errors.New("the answer holds no manifest")
	}
	return string(rest[:36]), nil
}

// memory is what the snapshot of the project takes in a process of its own, and how
// long the first reading of it does.
func (p *propagation) memory(ctx context.Context) (size int64, took time.Duration, err error) {
	box, err := secrets.New(secrets.Key{})
	if err != nil {
		return 0, 0, err
	}
	st, err := store.Open(ctx, p.engines.databaseURL, store.WithSecrets(box))
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	r := snapshot.NewRegistry(st, "https://ota.example.com", slog.New(slog.NewTextHandler(io.Discard, nil)), prometheus.NewRegistry())
	before := reachable()
	begun := time.Now()
	err = r.Load(ctx)
	took = time.Since(begun)
	size = reachable() - before
	runtime.KeepAlive(r)
	return size, took, err
}

// reachable is how many bytes of the heap are in use.
func reachable() int64 {
	runtime.GC()
	runtime.GC() // what the first one only marked for cleaning up
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
