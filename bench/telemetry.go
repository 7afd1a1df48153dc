package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/waft-ota/waft/telemetry"
)

// telemetryRounds is how often each query runs.
const telemetryRounds = 40

// measured is a number of events and what was measured with it.
type measured struct {
	millions int64
	store    *telemetry.ClickHouse
	topic    topic
	took     map[string]*samples
	// disk is a line of each table with the cells of reportDisk.
	disk string
}

// runTelemetry measures the cost of dashboards' queries with growing numbers of events,
// which ClickHouse generates, and the size of an event on disk.
func runTelemetry(ctx context.Context, s *session) error {
	var all []measured
	for _, millions := range s.millions {
		m, err := s.prepareTelemetry(ctx, millions)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	before := load()
	order, err := s.askTelemetry(ctx, all)
	if err != nil {
		return err
	}
	if err := reportTelemetry(all, order); err != nil {
		return err
	}
	fmt.Printf("\n%s\n\n", machine(before))
	return reportDisk(all[len(all)-1])
}

// prepareTelemetry generates the given millions of events in a separate database.
func (s *session) prepareTelemetry(ctx context.Context, millions int64) (m measured, err error) {
	m = measured{millions: millions, took: map[string]*samples{}}
	address, err := s.clickHouse(ctx)
	if err != nil {
		return m, err
	}
	if err := telemetry.Migrate(ctx, address); err != nil {
		return m, err
	}
	began := time.Now()
	now := began.UTC()
	if err := generate(ctx, address, telemetryProject, millions*s.million(), now, everyTable); err != nil {
		return m, err
	}
	fmt.Fprintf(os.Stderr, "%d million events generated in %s\n", millions, time.Since(began).Round(time.Second))
	sizes := strings.NewReplacer("{kept}", strconv.Itoa(eventDays), "{all}", strconv.Itoa(sampleDays)).Replace(tableSizes)
	if m.disk, err = query(ctx, address, sizes); err != nil {
		return m, err
	}
	if m.store, err = telemetry.Open(ctx, address); err != nil {
		return m, err
	}
	s.atEnd(m.store.Close)
	m.topic, err = newTopic(ctx, address, m.store, now)
	return m, err
}

// askTelemetry runs every query in turns, with each number of events, so that a busy machine
// slows all of them down. The first turn reads from the disk and is discarded. It returns the
// queries' names.
func (s *session) askTelemetry(ctx context.Context, all []measured) (order []string, err error) {
	for round := range s.size(telemetryRounds) + 1 {
		questions := make([][]dashboard, len(all))
		for i, m := range all {
			questions[i] = m.topic.dashboards(round)
		}
		for n, d := range questions[0] {
			if round == 0 {
				order = append(order, d.name)
				for _, m := range all {
					m.took[d.name] = &samples{}
				}
			}
			for i, m := range all {
				began := time.Now()
				if _, err := questions[i][n].ask(ctx, m.store); err != nil {
					return nil, fmt.Errorf("%s: %w", d.name, err)
				}
				if round > 0 {
					m.took[d.name].add([]time.Duration{time.Since(began)}, 0)
				}
			}
		}
	}
	return order, nil
}

// tableSizes reads the size of each table: in all, and for each event of the days that it keeps.
const tableSizes = `WITH if(table IN ('health_events', 'health_reports', 'exposures', 'refused_requests'), {kept}, {all}) AS days,
    (SELECT count() FROM health_events) * days / {kept} AS events
SELECT table, days, round(sum(bytes_on_disk) / 1e6, 1), round(sum(rows) / events, 3), round(sum(bytes_on_disk) / events, 2)
FROM system.parts WHERE active AND database = currentDatabase() AND table != 'waft_schema_versions'
GROUP BY table ORDER BY sum(bytes_on_disk) DESC FORMAT TSVRaw`

func reportTelemetry(all []measured, order []string) error {
	heading := []string{"median / p95 in ms"}
	for _, m := range all {
		heading = append(heading, fmt.Sprintf("%d million events", m.millions))
	}
	t := newMarkdown(strings.Join(append(heading, "growth of the last step"), "\t"))
	for _, name := range order {
		cells, growth := []string{name}, "–"
		for i, m := range all {
			r := m.took[name]
			cells = append(cells, fmt.Sprintf("%.0f / %.0f", r.ms(.5), r.ms(.95)))
			if i > 0 {
				growth = fmt.Sprintf("%.2f", r.ms(.5)/all[i-1].took[name].ms(.5))
			}
		}
		t.row("%s", strings.Join(append(cells, growth), "\t"))
	}
	return t.print()
}

// reportDisk prints the table of sizes on disk.
func reportDisk(m measured) error {
	t := newMarkdown(fmt.Sprintf("on disk, %d million events\tdays\tMB\trows an event\tbytes an event", m.millions))
	for line := range strings.SplitSeq(m.disk, "\n") {
		t.row("%s", line)
	}
	return t.print()
}
