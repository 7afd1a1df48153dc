package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/app"
)

const (
	// errorDays is how many days invented errors are spread over, today included.
	errorDays = 30
	// maxGroupsGrowth is how much more a page may cost with the most errors than with the fewest, at the median.
	maxGroupsGrowth = 1.5
)

// groupPages are the requests that are measured: of the group in the middle, and of the list.
var groupPages = []struct{ name, path string }{
	{"a group's page, of 24 hours", "/v1/ota/observe/groups/00000000000000fa?from=%s"},
	{"a group's page, of 30 days", "/v1/ota/observe/groups/00000000000000fa"},
	{"the list, of 24 hours", "/v1/ota/observe/groups"},
}

// grouped is a project with so many errors, and how long each of groupPages took.
type grouped struct {
	millions int64
	project  *project
	took     []samples
}

// runGroups measures the requests for error groups with more and more errors of 500 kinds. It fails when a group's page costs
// more with more errors.
func runGroups(ctx context.Context, s *session) error {
	var all []*grouped
	for _, millions := range s.millions {
		g, err := s.prepareGroups(ctx, millions)
		if err != nil {
			return err
		}
		all = append(all, g)
	}
	before := load()
	for round := range s.rounds + 1 {
		for i, page := range groupPages {
			for _, g := range all {
				took, err := g.ask(ctx, page.path)
				if err != nil {
					return err
				}
				if round > 0 { // the first one reads from the disk
					g.took[i].add([]time.Duration{took}, 0)
				}
			}
		}
	}
	fmt.Printf("%d requests each; %s\n\n", s.rounds, machine(before))
	t := newMarkdown("\tmillion errors\tmedian ms\tp95 ms\tbeside the fewest errors")
	growth := 0.0
	for i, page := range groupPages {
		for _, g := range all {
			ratio := g.took[i].ms(.5) / all[0].took[i].ms(.5)
			t.row("%s\t%d\t%.1f\t%.1f\t%.2f", page.name, g.millions, g.took[i].ms(.5), g.took[i].ms(.95), ratio)
			growth = max(growth, ratio)
		}
	}
	if err := t.print(); err != nil {
		return err
	}
	if growth > maxGroupsGrowth {
		return s.tooSlow("a page costs %.2f times as much with more errors", growth)
	}
	return nil
}

// prepareGroups starts a server with a project that has so many errors.
func (s *session) prepareGroups(ctx context.Context, millions int64) (*grouped, error) {
	address, err := s.clickHouse(ctx)
	if err != nil {
		return nil, err
	}
	w, err := s.waft(ctx, app.Role{API: true}, map[string]string{"CLICKHOUSE_URL": address})
	if err != nil {
		return nil, err
	}
	g := &grouped{millions: millions, took: make([]samples, len(groupPages))}
	if g.project, err = w.project(ctx, uniqueSlug("groups")); err != nil {
		return nil, err
	}
	id, err := g.project.id(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if err := generateErrors(ctx, address, id, millions*s.million(), began.UTC()); err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "%d million errors generated in %s\n", millions, time.Since(began).Round(time.Second))
	return g, nil
}

// generateErrors generates the given number of errors of a project in the tables that ingest inserts them into, and waits until what is
// stored has settled.
func generateErrors(ctx context.Context, address string, project, number int64, now time.Time) error {
	// Ingest inserts an error into both tables.
	const both = `CREATE MATERIALIZED VIEW invented_mv TO error_events_in AS SELECT project_id, received_at, report_id,
event_index, device_id, platform, channel, update_uuid, type, error_name, count, flag_states, fingerprint, culprit, title FROM health_events`
	if _, err := query(ctx, address, both); err != nil {
		return err
	}
	v := sampleData{address: address, project: project, now: now, reports: max(number/errorDays, 1), devices: max(number/100, 1000)}
	g, inserting := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU()) // one insert uses one
	for day := sampleDays - errorDays; day < sampleDays; day++ {
		g.Go(func() error { return v.add(inserting, "error_events", day, 1) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return v.settle(ctx)
}

func (g *grouped) ask(ctx context.Context, path string) (time.Duration, error) {
	if day := time.Now().UTC().Add(-24 * time.Hour).Format(time.RFC3339); path == groupPages[0].path {
		path = fmt.Sprintf(path, day)
	}
	began := time.Now()
	_, err := send(ctx, http.MethodGet, g.project.w.url+path, "", "", g.project.header, http.StatusOK)
	return time.Since(began), err
}
