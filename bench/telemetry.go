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

// measured is what is found out with one number of events.
type measured struct {
	millions int64
	// order names the questions of took.
	order []string
	took  map[string]samples
	disk  []tableSize
	// loads are the machine's load averages before and after the questions.
	loads [2]string
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
func runTelemetry(ctx context.Context, o options) error {
	var all []measured
	for _, millions := range o.millions {
		m, err := measureTelemetry(ctx, millions)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	if err := reportTelemetry(all); err != nil {
		return err
	}
	return reportDisk(all[len(all)-1])
}

func measureTelemetry(ctx context.Context, millions int64) (m measured, err error) {
	m = measured{millions: millions, took: map[string]samples{}}
	engines := &engines{}
	defer func() { err = errors.Join(err, engines.close()) }()
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
	c, err := telemetry.Open(ctx, address)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	return m, m.ask(ctx, address, c, now)
}

// ask asks every question in turns; the first turn reads from the disk and is thrown
// away.
func (m *measured) ask(ctx context.Context, address string, c *telemetry.ClickHouse, now time.Time) error {
	s, err := newTopic(ctx, address, c, now)
	if err != nil {
		return err
	}
	m.loads[0] = load()
	for round := range telemetryRounds + 1 {
		for _, d := range s.dashboards(round) {
			began := time.Now()
			if err := d.ask(ctx, c); err != nil {
				return fmt.Errorf("%s: %w", d.name, err)
			}
			if round == 0 {
				m.order = append(m.order, d.name)
				continue
			}
			m.took[d.name] = m.took[d.name].plus(samples{took: []time.Duration{time.Since(began)}})
		}
	}
	m.loads[1] = load()
	return nil
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
	"health_events_v1": eventDays, "health_reports_v1": eventDays, "serves_v1": eventDays, "refused_v1": eventDays,
}

// telemetryDisk is what each table takes.
func telemetryDisk(ctx context.Context, address string) ([]tableSize, error) {
	text, err := query(ctx, address, `SELECT table, sum(rows), sum(bytes_on_disk)
FROM system.parts WHERE active AND database = currentDatabase() AND table LIKE '%\\_v%' GROUP BY table ORDER BY 3 DESC FORMAT TSV`)
	if err != nil {
		return nil, err
	}
	events, err := query(ctx, address, fmt.Sprintf("SELECT count() FROM health_events_v1 WHERE project_id = %d", telemetryProject))
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

func reportTelemetry(all []measured) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprint(w, "| median / p95 in ms \t")
	for _, m := range all {
		fmt.Fprintf(w, "| %d million events \t", m.millions)
	}
	fmt.Fprintf(w, "| growth of the last step \t|\n%s|\n", strings.Repeat("|---\t", len(all)+2))
	last := all[len(all)-1]
	for _, name := range last.order {
		fmt.Fprintf(w, "| %s \t", name)
		for _, m := range all {
			fmt.Fprintf(w, "| %.0f / %.0f \t", ms(m.took[name].quantile(.5)), ms(m.took[name].quantile(.95)))
		}
		growth := "–"
		if len(all) > 1 {
			growth = fmt.Sprintf("%.1f", float64(last.took[name].quantile(.5))/float64(all[len(all)-2].took[name].quantile(.5)))
		}
		fmt.Fprintf(w, "| %s \t|\n", growth)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, m := range all {
		fmt.Printf("\n%d million events: load average before %s, after %s", m.millions, m.loads[0], m.loads[1])
	}
	fmt.Println()
	return nil
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
