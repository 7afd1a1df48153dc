package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/waft-ota/waft/telemetry"
)

// telemetryRounds is how often each question is asked.
const telemetryRounds = 40

// measured is a number of events and what is found out with it.
type measured struct {
	millions int64
	store    *telemetry.ClickHouse
	topic    topic
	took     map[string]samples
	disk     []tableSize
}

// tableSize is what a table takes: of the days that it keeps, for each event of these.
type tableSize struct {
	table                string
	rows, bytes          int64
	rowsAnEvent, anEvent float64
	days                 int
}

// runTelemetry measures what dashboards' questions cost with more and more events,
// which ClickHouse invents by itself, and what an event takes on disk.
func runTelemetry(ctx context.Context, o options) (err error) {
	engines := &engines{}
	defer func() { err = errors.Join(err, engines.close()) }()
	var all []measured
	defer func() {
		for _, m := range all {
			err = errors.Join(err, m.store.Close())
		}
	}()
	for _, millions := range o.millions {
		m, err := prepareTelemetry(ctx, engines, millions)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	before := load()
	order, err := askTelemetry(ctx, all)
	if err != nil {
		return err
	}
	if err := reportTelemetry(all, order); err != nil {
		return err
	}
	fmt.Printf("\nload average before %s, after %s\n", before, load())
	return reportDisk(all[len(all)-1])
}

// prepareTelemetry has so many events invented in a database of their own.
func prepareTelemetry(ctx context.Context, engines *engines, millions int64) (m measured, err error) {
	m = measured{millions: millions, took: map[string]samples{}}
	address, err := engines.clickHouse(ctx)
	if err != nil {
		return m, err
	}
	past, err := engines.clickHouse(ctx)
	if err != nil {
		return m, err
	}
	if err := telemetry.Migrate(ctx, address); err != nil {
		return m, err
	}
	began := time.Now()
	now := began.UTC()
	if err := newInvention(address, past, millions*1_000_000, now).all(ctx); err != nil {
		return m, err
	}
	fmt.Fprintf(os.Stderr, "%d million events invented in %s\n", millions, time.Since(began).Round(time.Second))
	if m.disk, err = telemetryDisk(ctx, address); err != nil {
		return m, err
	}
	if m.store, err = telemetry.Open(ctx, address); err != nil {
		return m, err
	}
	if m.topic, err = newTopic(ctx, address, m.store, now); err != nil {
		return m, errors.Join(err, m.store.Close())
	}
	return m, nil
}

// askTelemetry asks every question in turns, of all numbers of events one after the
// other, so that an hour in which the machine is slow is slow for all of them. The first
// turn reads from the disk and is thrown away. It returns the questions' names.
func askTelemetry(ctx context.Context, all []measured) (order []string, err error) {
	for round := range telemetryRounds + 1 {
		questions := make([][]dashboard, len(all))
		for i, m := range all {
			questions[i] = m.topic.dashboards(round)
		}
		for n, d := range questions[0] {
			if round == 0 {
				order = append(order, d.name)
			}
			for i, m := range all {
				began := time.Now()
				if err := questions[i][n].ask(ctx, m.store); err != nil {
					return nil, fmt.Errorf("%s: %w", d.name, err)
				}
				if round > 0 {
					m.took[d.name] = m.took[d.name].plus(samples{took: []time.Duration{time.Since(began)}})
				}
			}
		}
	}
	return order, nil
}

// query runs SQL over ClickHouse's HTTP interface and returns the answer as text.
func query(ctx context.Context, address, sql string) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", errors.New("CLICKHOUSE_URL is malformed")
	}
	u.RawQuery = url.Values{"database": {strings.TrimPrefix(u.Path, "/")}}.Encode()
	u.Path = "/"
	answer, err := send(ctx, http.MethodPost, u.String(), "text/plain", sql, nil, http.StatusOK)
	return strings.TrimSpace(string(answer)), err
}

// keptDays is how many of the invented days tables have, where it is not all.
var keptDays = map[string]int{
	"health_events": eventDays, "health_reports": eventDays, "exposures": eventDays, "refused_requests": eventDays,
}

// telemetryDisk is what each table takes.
func telemetryDisk(ctx context.Context, address string) ([]tableSize, error) {
	text, err := query(ctx, address, `SELECT table, sum(rows), sum(bytes_on_disk)
FROM system.parts WHERE active AND database = currentDatabase() AND table LIKE '%\\_v%' GROUP BY table ORDER BY 3 DESC FORMAT TSV`)
	if err != nil {
		return nil, err
	}
	events, err := query(ctx, address, fmt.Sprintf("SELECT count() FROM health_events WHERE project_id = %d", telemetryProject))
	if err != nil {
		return nil, err
	}
	kept, err := strconv.ParseFloat(events, 64)
	if err != nil || kept == 0 {
		return nil, fmt.Errorf("there are %q events", events)
	}
	var sizes []tableSize
	for line := range strings.SplitSeq(text, "\n") {
		s := tableSize{days: inventedDays}
		if _, err := fmt.Sscan(line, &s.table, &s.rows, &s.bytes); err != nil {
			return nil, fmt.Errorf("sizes on disk: %q: %w", line, err)
		}
		if days, ok := keptDays[s.table]; ok {
			s.days = days
		}
		of := kept * float64(s.days) / eventDays
		s.rowsAnEvent, s.anEvent = float64(s.rows)/of, float64(s.bytes)/of
		sizes = append(sizes, s)
	}
	return sizes, nil
}

func reportTelemetry(all []measured, order []string) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprint(w, "| median / p95 in ms \t")
	for _, m := range all {
		fmt.Fprintf(w, "| %d million events \t", m.millions)
	}
	fmt.Fprintf(w, "| growth of the last step \t|\n%s|\n", strings.Repeat("|---\t", len(all)+2))
	last := all[len(all)-1]
	for _, name := range order {
		fmt.Fprintf(w, "| %s \t", name)
		for _, m := range all {
			fmt.Fprintf(w, "| %.0f / %.0f \t", ms(m.took[name].quantile(.5)), ms(m.took[name].quantile(.95)))
		}
		growth := "–"
		if len(all) > 1 {
			growth = fmt.Sprintf("%.2f", float64(last.took[name].quantile(.5))/float64(all[len(all)-2].took[name].quantile(.5)))
		}
		fmt.Fprintf(w, "| %s \t|\n", growth)
	}
	return w.Flush()
}

// reportDisk is the table of sizes on disk.
func reportDisk(m measured) error {
	fmt.Println()
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintf(w, "| on disk, %d million events \t| days \t| MB \t| rows an event \t| bytes an event \t|\n%s|\n", m.millions, strings.Repeat("|---\t", 5))
	for _, s := range m.disk {
		fmt.Fprintf(w, "| `%s` \t| %d \t| %.1f \t| %.3f \t| %.2f \t|\n", s.table, s.days, float64(s.bytes)/1e6, s.rowsAnEvent, s.anEvent)
	}
	return w.Flush()
}
