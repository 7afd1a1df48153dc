package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/base/secrets"
	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

const (
	// prefix begins the slugs of the many projects.
	prefix = "many-"
	// creators create projects at the same time.
	creators = 8
	// askFor is how long one project's devices ask in a row of the table.
	askFor = 15 * time.Second
)

// runProjects measures the cost of s.requests projects with three releases each for an API process: its time to start and
// its memory. It also measures how long a device of a small project waits while a huge project is read again and again.
func runProjects(ctx context.Context, s *session) error {
	before := load()
	w, err := s.start(ctx, nil, func(map[string]string) (string, error) { return "", nil }) // only the databases
	if err != nil {
		return err
	}
	if err := w.manyProjects(ctx, s.requests); err != nil {
		return err
	}
	table := newTable(fmt.Sprintf("%d projects\tstart s\tresident MiB\tresident MiB, all asked", s.requests))
	first, err := s.measureStart(ctx, &table, "of three releases", w.engines)
	if err != nil {
		return err
	}
	if _, err := first.deliveryProject(ctx, large); err != nil {
		return err
	}
	if err := first.fill(ctx, large, "history", "flags"); err != nil {
		return err
	}
	if _, err := s.measureStart(ctx, &table, fmt.Sprintf("and one of %d releases, 1000 flags", s.size(largeReleases)), w.engines); err != nil {
		return err
	}
	waits := newTable("a manifest of a small project\tmedian ms\tp99 ms\tmost ms\trequests")
	quiet, err := first.askOne(ctx)
	if err != nil {
		return err
	}
	reloads, busy, err := first.askWhileReloading(ctx)
	if err != nil {
		return err
	}
	for _, row := range []struct {
		name string
		samples
	}{{"nothing else happens", quiet}, {fmt.Sprintf("the huge project is read again, %d times", reloads), busy}} {
		waits.row("%s\t%.2f\t%.2f\t%.1f\t%d", row.name, row.ms(.5), row.ms(.99), row.ms(1), len(row.took))
	}
	fmt.Println(machine(before))
	fmt.Println()
	if err := table.print(); err != nil {
		return err
	}
	fmt.Println()
	return waits.print()
}

// manyProjects makes n projects of three releases each.
func (w *waft) manyProjects(ctx context.Context, n int) (err error) {
	box, err := secrets.New(secrets.Key{})
	if err != nil {
		return err
	}
	st, err := store.Open(ctx, w.databaseURL, store.WithSecrets(box))
	if err != nil {
		return err
	}
	creating, c := errgroup.WithContext(ctx)
	creating.SetLimit(creators)
	for i := range n {
		creating.Go(func() error {
			slug := fmt.Sprint(prefix, i)
			_, err := st.CreateProject(c, models.Actor{Type: models.ActorSystem, Name: "bench"}, models.NewProject{Name: slug, Slug: slug})
			return err
		})
	}
	if err := creating.Wait(); err != nil {
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	return w.fill(ctx, prefix, "projects")
}

// measureStart starts a server in a process of its own, asks it for every project, and adds a row to the table.
func (s *session) measureStart(ctx context.Context, table *table, name string, e engines) (*waft, error) {
	s.engines = e
	var began time.Time
	w, err := s.start(ctx, nil, func(settings map[string]string) (string, error) {
		began = time.Now()
		return s.startProcess(ctx, "serve-api", settings)
	})
	if err != nil {
		return nil, err
	}
	started := time.Since(began)
	idle, err := residentMiB(s.child.pid)
	if err != nil {
		return nil, err
	}
	for i := range s.requests {
		if err := w.manifest(ctx, fmt.Sprint(prefix, i)); err != nil {
			return nil, err
		}
	}
	asked, err := residentMiB(s.child.pid)
	table.row("%s\t%.1f\t%.0f\t%.0f", name, started.Seconds(), idle, asked)
	return w, err
}

// residentMiB returns the resident memory of a process.
func residentMiB(pid int) (float64, error) {
	p, err := procfs.NewProc(pid)
	if err != nil {
		return 0, err
	}
	stat, err := p.Stat()
	return float64(stat.ResidentMemory()) / (1 << 20), err
}

// manifest asks for a small project's update.
func (w *waft) manifest(ctx context.Context, slug string) error {
	_, err := send(ctx, http.MethodGet, w.url+"/v1/ota/manifest/"+slug+"?channel=production", "", "", map[string]string{
		"Expo-Platform": "ios", "Expo-Runtime-Version": "1.0.0", "Expo-Protocol-Version": "1", "Accept": "multipart/mixed",
	}, http.StatusOK)
	return err
}

// askOne asks for one project's update again and again.
func (w *waft) askOne(ctx context.Context) (took samples, err error) {
	began := time.Now()
	for time.Since(began) < w.lasting(askFor) {
		asked := time.Now()
		if err := w.manifest(ctx, prefix+"7"); err != nil {
			return took, err
		}
		took.add([]time.Duration{time.Since(asked)}, 0)
	}
	return took, nil
}

// askWhileReloading runs askOne while every release of the huge project changes each second.
func (w *waft) askWhileReloading(ctx context.Context) (reloads int, took samples, err error) {
	conn, err := connect(ctx, w.databaseURL)
	if err != nil {
		return 0, took, err
	}
	defer conn.Close(ctx)
	asking, stop := context.WithCancel(ctx)
	changing, changes := errgroup.WithContext(ctx)
	changing.Go(func() error {
		for asking.Err() == nil {
			for _, statement := range []string{
				"UPDATE releases SET release_message = 'change ' || now() FROM projects p WHERE p.id = releases.project_id AND p.slug = $1",
				"UPDATE projects SET snapshot_version = snapshot_version + 1 WHERE slug = $1",
				"SELECT pg_notify('waft_snapshot', id::text) FROM projects WHERE slug = $1",
			} {
				if _, err := conn.Exec(changes, statement, large); err != nil {
					return err
				}
			}
			reloads++
			pause := time.NewTimer(time.Second)
			_ = wait(asking, pause.C) // the loop sees that asking ended
		}
		return nil
	})
	took, err = w.askOne(changes)
	stop()
	if failed := changing.Wait(); err == nil {
		err = failed
	}
	return reloads, took, err
}
