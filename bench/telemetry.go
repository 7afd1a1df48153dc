package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/waft-ota/waft/models"
	"github.com/waft-ota/waft/telemetry"
)

const (
	// telemetryProject is whose events are invented; telemetryDays how many days they
	// are spread over, today included.
	telemetryProject = 1
	telemetryDays    = 90
	// eventsPerReport and reportsPerDevice say how many reports and devices there are.
	eventsPerReport  = 4
	reportsPerDevice = 25
	// telemetryRounds is how often each query is asked.
	telemetryRounds = 40
)

// dashboard is a question that dashboards ask.
type dashboard struct {
	name string
	ask  func(ctx context.Context, c *telemetry.ClickHouse, now time.Time) error
}

// runTelemetry measures what dashboards' questions cost with more and more events,
// which ClickHouse invents by itself, and what an event takes on disk.
func runTelemetry(ctx context.Context, o options) error {
	took := map[int64]map[string]samples{}
	disk := map[int64]string{}
	for _, millions := range o.millions {
		events := millions * 1_000_000
		var err error
		if took[events], disk[events], err = measureTelemetry(ctx, events); err != nil {
			return err
		}
	}
	return reportTelemetry(o, took, disk)
}

func measureTelemetry(ctx context.Context, events int64) (took map[string]samples, disk string, err error) {
	engines := &engines{}
	defer func() { err = errors.Join(err, engines.close()) }()
	address, err := engines.clickHouse(ctx)
	if err != nil {
		return nil, "", err
	}
	if err := telemetry.Migrate(ctx, address); err != nil {
		return nil, "", err
	}
	now := time.Now().UTC()
	began := time.Now()
	if err := inventTelemetry(ctx, address, events, now); err != nil {
		return nil, "", err
	}
	fmt.Fprintf(os.Stderr, "%d million events in %s\n", events/1_000_000, time.Since(began).Round(time.Second))
	if disk, err = telemetryDisk(ctx, address, events); err != nil {
		return nil, "", err
	}
	c, err := telemetry.Open(ctx, address)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	took = map[string]samples{}
	for round := range telemetryRounds + 1 {
		for _, d := range dashboards() {
			began := time.Now()
			if err := d.ask(ctx, c, now); err != nil {
				return nil, "", fmt.Errorf("%s: %w", d.name, err)
			}
			if round > 0 { // the first one reads from the disk
				s := took[d.name]
				s.took = append(s.took, time.Since(began))
				took[d.name] = s
			}
		}
	}
	return took, disk, nil
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

// inventTelemetry fills the tables that reports go into, a day at a time, as if they
// had come day by day; all else is derived by the schema's own views.
func inventTelemetry(ctx context.Context, address string, events int64, now time.Time) error {
	reports := events / eventsPerReport
	for day := range int64(telemetryDays) {
		fill := strings.NewReplacer(
			"{day}", now.AddDate(0, 0, int(day)-telemetryDays+1).Format(time.DateOnly), "{n}", strconv.FormatInt(day, 10),
			"{reports}", strconv.FormatInt(reports/telemetryDays, 10), "{devices}", strconv.FormatInt(max(reports/reportsPerDevice, 1), 10),
			"{seconds}", strconv.FormatInt(secondsOf(day, now), 10), "{per}", strconv.Itoa(eventsPerReport),
			"{project}", strconv.Itoa(telemetryProject),
		)
		for _, sql := range []string{inventReports, inventEvents, inventServes} {
			if _, err := query(ctx, address, fill.Replace(sql)); err != nil {
				return err
			}
		}
	}
	for _, table := range []string{"activity_v1", "device_days_v1", "flag_activity_v1", "downloads_v1", "release_devices_v2"} {
		if _, err := query(ctx, address, "OPTIMIZE TABLE "+table); err != nil {
			return err
		}
	}
	return nil
}

// secondsOf is how much of the day has passed.
func secondsOf(day int64, now time.Time) int64 {
	if day == telemetryDays-1 {
		return max(int64(now.Sub(now.Truncate(24*time.Hour)).Seconds()), 1)
	}
	return 24 * 60 * 60
}

// inventedReport is one report: its device comes again on other days, and runs one of
// the newest releases, of which there is a new one every 3.5 days on each platform; a
// few stay on the bundle inside the app.
const inventedReport = `
    SELECT
        number,
        cityHash64(number, {n}) AS random,
        random % {devices} AS device,
        toDateTime64('{day} 00:00:00', 3, 'UTC') + (intDiv(random, 1000) % {seconds}) AS at,
        device % 2 = 0 AS ios,
        cityHash64(device, intDiv({n}, 4)) % 100 AS habit,
        greatest(0, intDiv({n} * 2, 7) - multiIf(habit < 60, 0, habit < 80, 1, habit < 88, 2, habit < 93, 3, habit < 96, 5, 7)) AS release,
        if(habit >= 98, '', toString(toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(release * 2 + ios), 12, '0'))))) AS update,
        concat('device-', toString(device)) AS device_name,
        if(device % 10 = 0, 'staging', 'production') AS on_channel,
        concat('1.', toString(intDiv(release, 8)), '.0') AS runtime
    FROM numbers({reports})`

const inventReports = `INSERT INTO health_reports_v1 (project_id, received_at, report_id, device_id, platform, channel,
    runtime_version, update_uuid, launches, js_errors, crashes, customs)
SELECT {project}, at, generateUUIDv4(number), device_name, if(ios, 'ios', 'android'), on_channel, runtime, update,
    1, random % 50 = 0, random % 300 = 0, 2
FROM (` + inventedReport + `)`

const inventEvents = `INSERT INTO health_events_v1 (project_id, received_at, report_id, event_index, device_id, platform, channel,
    runtime_version, update_uuid, type, name, message, error_name, stack_trace, component_stack, is_fatal, count, tags, flag_states)
SELECT {project}, at, generateUUIDv4(number), event, device_name, if(ios, 'ios', 'android'), on_channel, runtime, update,
    multiIf(event = 0, 'app_launch', event = 1 AND random % 50 = 0, 'js_error', event = 2 AND random % 300 = 0, 'crash', 'custom') AS kind,
    if(kind = 'custom', concat('screen-', toString(random % 40)), ''),
    if(kind IN ('js_error', 'crash'), concat('undefined is not an object, evaluating item ', toString(random % 200)), ''),
    if(kind IN ('js_error', 'crash'), 'TypeError', ''),
    if(kind IN ('js_error', 'crash'), repeat(concat('at render (index.bundle:', toString(random % 900), ')\n'), 20), ''), '',
    kind = 'crash', 1, map(),
    if(event = 3, map(), map('new-checkout', if(device % 5 = 0, 'true', 'false'), 'theme', toString(device % 3), 'search', 'a'))
FROM (` + inventedReport + `) ARRAY JOIN range({per}) AS event`

const inventServes = `INSERT INTO serves_v1 (project_id, served_at, device_id, platform, channel, runtime_version, update_uuid, kind)
SELECT {project}, at, device_name, if(ios, 'ios', 'android'), on_channel, runtime, update, 'manifest'
FROM (` + inventedReport + `)
WHERE update != '' AND random % 5 = 0`

// telemetryDisk is how many bytes each event takes, in the tables of events and
// reports and in all that is derived. Of the first, 30 days are kept.
func telemetryDisk(ctx context.Context, address string, events int64) (string, error) {
	text, err := query(ctx, address, `SELECT
    round(sumIf(bytes_on_disk, table = 'health_events_v1') / sumIf(rows, table = 'health_events_v1'), 1),
    round(sumIf(bytes_on_disk, table = 'health_reports_v1') / (`+strconv.Itoa(eventsPerReport)+` * sumIf(rows, table = 'health_reports_v1')), 1),
    round(sumIf(bytes_on_disk, table NOT IN ('health_events_v1', 'health_reports_v1')) / `+strconv.FormatInt(events, 10)+`, 1)
FROM system.parts WHERE active AND database = currentDatabase() FORMAT TSV`)
	fields := strings.Fields(text)
	if err == nil && len(fields) != 3 {
		err = fmt.Errorf("sizes on disk: %q", text)
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("events %s, reports %s, derived %s", fields[0], fields[1], fields[2]), nil
}

// dashboards are all questions. The release asked for is one of the latest.
func dashboards() []dashboard {
	update := fmt.Sprintf("00000000-0000-4000-8000-%012d", (telemetryDays-1)*2/7*2)
	series := func(q models.TimeseriesQuery) func(context.Context, *telemetry.ClickHouse, time.Time) error {
		return func(ctx context.Context, c *telemetry.ClickHouse, now time.Time) error {
			_, err := c.Timeseries(ctx, telemetryProject, q, now)
			return err
		}
	}
	adoption := func(days int) func(context.Context, *telemetry.ClickHouse, time.Time) error {
		return func(ctx context.Context, c *telemetry.ClickHouse, now time.Time) error {
			_, err := c.Adoption(ctx, telemetryProject, days, now)
			return err
		}
	}
	impacts := func(days int) func(context.Context, *telemetry.ClickHouse, time.Time) error {
		return func(ctx context.Context, c *telemetry.ClickHouse, now time.Time) error {
			_, err := c.FlagImpacts(ctx, telemetryProject, models.FlagImpactQuery{Days: days}, now)
			return err
		}
	}
	events := func(q models.EventQuery) func(context.Context, *telemetry.ClickHouse, time.Time) error {
		return func(ctx context.Context, c *telemetry.ClickHouse, now time.Time) error {
			q.Limit = 50
			_, err := c.Events(ctx, telemetryProject, q, now)
			return err
		}
	}
	errored := []models.HealthEventType{models.EventJSError, models.EventCrash, models.EventCustom}
	return []dashboard{
		{"adoption, 7 days", adoption(7)},
		{"adoption, 30 days", adoption(30)},
		{"adoption, 90 days", adoption(90)},
		{"timeseries, 1 h", series(models.TimeseriesQuery{Period: "1h"})},
		{"timeseries, 24 h", series(models.TimeseriesQuery{Period: "24h"})},
		{"timeseries, 7 days", series(models.TimeseriesQuery{Period: "7d"})},
		{"timeseries, 90 days", series(models.TimeseriesQuery{Period: "90d"})},
		{"timeseries, 7 days, one channel", series(models.TimeseriesQuery{Period: "7d", Channel: "production"})},
		{"timeseries, 90 days, one runtime version", series(models.TimeseriesQuery{Period: "90d", RuntimeVersion: "1.2.0"})},
		{"timeseries, 30 days, one release", series(models.TimeseriesQuery{Period: "30d", UpdateUUID: update})},
		{"flag impacts, 7 days", impacts(7)},
		{"flag impacts, 30 days", impacts(30)},
		{"flag health, 30 days", func(ctx context.Context, c *telemetry.ClickHouse, now time.Time) error {
			_, err := c.FlagHealth(ctx, telemetryProject, "new-checkout", 30, now)
			return err
		}},
		{"events, first page", events(models.EventQuery{Types: errored})},
		{"events, crashes of one release", events(models.EventQuery{Types: errored[1:2], UpdateUUID: update})},
		{"events, one device", events(models.EventQuery{Types: errored, DeviceIDs: []string{"device-17"}})},
		{"look for incidents", func(ctx context.Context, c *telemetry.ClickHouse, now time.Time) error {
			_, err := c.ReleaseHours(ctx, telemetryProject, now)
			return err
		}},
	}
}

func reportTelemetry(o options, took map[int64]map[string]samples, disk map[int64]string) error {
	sizes := slices.Clone(o.millions)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprint(w, "| median / p95 in ms \t")
	for _, millions := range sizes {
		fmt.Fprintf(w, "| %d million events \t", millions)
	}
	fmt.Fprintf(w, "| growth of the last step \t|\n%s|\n", strings.Repeat("|---\t", len(sizes)+2))
	for _, d := range dashboards() {
		fmt.Fprintf(w, "| %s \t", d.name)
		for _, millions := range sizes {
			s := took[millions*1_000_000][d.name]
			fmt.Fprintf(w, "| %.0f / %.0f \t", ms(s.quantile(.5)), ms(s.quantile(.95)))
		}
		growth := "–"
		if len(sizes) > 1 {
			before, after := took[sizes[len(sizes)-2]*1_000_000][d.name], took[sizes[len(sizes)-1]*1_000_000][d.name]
			growth = fmt.Sprintf("%.1f", float64(after.quantile(.5))/float64(before.quantile(.5)))
		}
		fmt.Fprintf(w, "| %s \t|\n", growth)
	}
	fmt.Fprint(w, "| bytes on disk, an event \t")
	for _, millions := range sizes {
		fmt.Fprintf(w, "| %s \t", disk[millions*1_000_000])
	}
	fmt.Fprint(w, "| – \t|\n")
	return w.Flush()
}
