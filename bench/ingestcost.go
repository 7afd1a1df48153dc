package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/waft-ota/waft/internal/app"
)

// maxGroupsCost is the part of ingest's rate that error groups may cost.
const maxGroupsCost = 0.05

// runIngestCost measures how much parts of ingest lower its rate, through the whole server until queries see the reports. It
// compares the server with a server that does not group errors, and with a server without the totals of devices. It fails if error
// groups cost more than maxGroupsCost.
func runIngestCost(ctx context.Context, s *session) error {
	s.limit = ingestLimit
	variants := []struct {
		name, drop string
		options    []app.Option
	}{
		{name: "Waft"},
		{name: "without error groups", options: []app.Option{app.WithoutErrorGroups()}},
		{name: "without totals of devices", drop: "DROP VIEW device_totals_mv"},
	}
	benches := make([]*ingestBench, len(variants))
	for i, v := range variants {
		address, err := s.clickHouse(ctx)
		if err != nil {
			return err
		}
		server, err := s.start(ctx, map[string]string{"CLICKHOUSE_URL": address}, func(settings map[string]string) (string, error) {
			return s.serve(ctx, settings, app.Role{API: true}, v.options...)
		})
		if err != nil {
			return err
		}
		if v.drop != "" {
			if _, err := query(ctx, address, v.drop); err != nil {
				return err
			}
		}
		b := &ingestBench{session: s, clickHouse: address}
		if b.project, err = server.project(ctx, uniqueSlug("cost")); err != nil {
			return err
		}
		if err := b.add(ctx, newReporter(b.project.slug), v.name, server.addr, ""); err != nil {
			return err
		}
		if err := b.ready(ctx); err != nil {
			return err
		}
		benches[i] = b
	}
	before := load()
	rates := make([][]float64, len(variants))
	for round := range s.rounds + 1 {
		for n := range variants {
			i := (n + round) % len(variants)
			got, err := benches[i].kinds[0].measure(ctx, s.clients, s.requests, s.limit)
			if err != nil {
				return fmt.Errorf("%s: %w", variants[i].name, err)
			}
			if round > 0 { // the first one fills caches
				rates[i] = append(rates[i], got.perSecond())
			}
		}
	}
	fmt.Printf("%d connections, %d rounds of %d reports of %.1f events; %s\n\n",
		s.clients, s.rounds, s.requests, benches[0].events, machine(before))
	t := newMarkdown("\treports a second, median\tratio to Waft, median of rounds\tleast\tmost")
	ratio := make([]float64, len(variants))
	for i, v := range variants {
		ratios := make([]float64, s.rounds)
		for round := range ratios {
			ratios[round] = rates[i][round] / rates[0][round]
		}
		ratio[i] = median(ratios)
		t.row("%s\t%.0f\t%.3f\t%.3f\t%.3f", v.name, median(rates[i]), ratio[i], slices.Min(ratios), slices.Max(ratios))
	}
	if err := t.print(); err != nil {
		return err
	}
	if cost := 1 - 1/ratio[1]; cost > maxGroupsCost {
		return s.tooSlow("error groups cost %.1f %% of the rate", 100*cost)
	}
	return nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
