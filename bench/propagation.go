package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/serve/snapshot"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

const (
	propagated   = 50
	apiProcesses = 2
	// pauseAfter lets a publish's own work end before the next one.
	pauseAfter = 100 * time.Millisecond
)

// runPropagation measures how long after its commit a release is served, by every
// API process, and what the snapshots take in memory.
func runPropagation(ctx context.Context, s *session) error {
	first, err := s.waft(ctx, app.Role{API: true}, nil)
	if err != nil {
		return err
	}
	p := &propagation{
		servers: []*waft{first},
		table:   newTable("\tAPI processes\tmedian ms\tp99 ms\tmost ms\tpublish ms\tsnapshot MiB\tfirst read ms"),
	}
	if p.project, err = first.deliveryProject(ctx, large); err != nil {
		return err
	}
	before := load()
	if err := p.measure(ctx, "10 releases"); err != nil {
		return err
	}
	for _, step := range []struct{ file, name string }{
		{"history", fmt.Sprintf("%d releases", s.size(largeReleases))},
		{"channels", fmt.Sprintf("and %d channels", largeChannels)},
		{"overrides", fmt.Sprintf("and %d overrides", s.size(manyOverrides))},
	} {
		if err := first.fill(ctx, large, step.file); err != nil {
			return err
		}
		if err := p.measure(ctx, step.name); err != nil {
			return err
		}
	}
	for len(p.servers) < apiProcesses {
		another, err := s.waft(ctx, app.Role{API: true}, nil)
		if err != nil {
			return err
		}
		p.servers = append(p.servers, another)
	}
	if err := p.measure(ctx, "the same"); err != nil {
		return err
	}
	fmt.Printf("%d publishes each; %s\n\n", s.size(propagated), machine(before))
	return p.table.print()
}

// propagation is releases of one project on their way to all servers.
type propagation struct {
	servers []*waft
	project *project
	table   table
}

func (p *propagation) measure(ctx context.Context, name string) error {
	commits, err := p.servers[0].listen(ctx)
	if err != nil {
		return err
	}
	defer commits.Close(ctx)
	if err := p.settle(ctx); err != nil {
		return err
	}
	var took, publishing samples
	for n := range p.servers[0].size(propagated) + 1 {
		published, served, err := p.one(ctx, commits)
		if err != nil {
			return err
		}
		publishing.add([]time.Duration{published}, 0)
		if n > 0 { // the first one includes work of the statements
			took.add([]time.Duration{served}, 0)
		}
		pause := time.NewTimer(pauseAfter)
		if err := wait(ctx, pause.C); err != nil {
			return err
		}
	}
	size, first, err := p.memory(ctx)
	p.table.row("%s\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t%.0f", name, len(p.servers), took.ms(.5), took.ms(.99), took.ms(1),
		publishing.ms(.5), float64(size)/(1<<20), ms(first))
	return err
}

// one returns the duration of a publish, and the time from its commit until every server serves
// another update than before.
func (p *propagation) one(ctx context.Context, commits *pgx.Conn) (published, served time.Duration, err error) {
	last := make([]string, len(p.servers))
	for i, w := range p.servers {
		if last[i], err = w.update(ctx, large, device); err != nil {
			return 0, 0, err
		}
	}
	begun := time.Now()
	g, publishing := errgroup.WithContext(ctx)
	g.Go(func() error {
		err := p.project.publish(publishing)
		published = time.Since(begun)
		return err
	})
	g.Go(func() error {
		if _, err := commits.WaitForNotification(publishing); err != nil {
			return fmt.Errorf("wait for the commit: %w", err)
		}
		committed := time.Now()
		all, looking := errgroup.WithContext(publishing)
		for i, w := range p.servers {
			all.Go(func() error {
				_, err := w.awaitUpdate(looking, time.Millisecond, large, device, func(id string) bool { return id != last[i] })
				return err
			})
		}
		err := all.Wait()
		served = time.Since(committed)
		return err
	})
	err = g.Wait()
	return published, served, err
}

// listen returns a connection that is notified of every commit when the servers are.
func (e engines) listen(ctx context.Context) (*pgx.Conn, error) {
	conn, err := connect(ctx, e.databaseURL)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "LISTEN "+models.NotifySnapshot); err != nil {
		return nil, errors.Join(fmt.Errorf("listen: %w", err), conn.Close(ctx))
	}
	return conn, nil
}

// settle waits until every server has a snapshot with the rows of the statements.
func (p *propagation) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	return until(ctx, pauseAfter, func() (bool, error) {
		for _, w := range p.servers {
			id, err := w.update(ctx, large, device)
			if served := err == nil && id != ""; !served {
				return false, nil
			}
		}
		return true, nil
	})
}

// memory returns the memory of the project's snapshot in a separate process, in bytes, and the
// duration of its first reading.
func (p *propagation) memory(ctx context.Context) (size int64, took time.Duration, err error) {
	box, err := secrets.New(secrets.Key{})
	if err != nil {
		return 0, 0, err
	}
	st, err := store.Open(ctx, p.servers[0].databaseURL, store.WithSecrets(box))
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
