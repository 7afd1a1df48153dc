package main

import (
	"context"
	"embed"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

//go:embed sampledata/*.sql
var sampleFiles embed.FS

const (
	// sampleDays is how many days events are spread over, today included; eventDays
	// how many of them tables of events, reports and exposures keep. hourDays and slotDays are how many days of
	// hours and of slots activity keeps.
	sampleDays = 90
	eventDays  = 30
	hourDays   = 17
	slotDays   = 3
	// eventsPerReport and reportsPerDevice determine the numbers of reports and devices.
	eventsPerReport  = 4
	reportsPerDevice = 25
	// reportsAtOnce is about how many reports an insert holds, of daysAtOnce at most:
	// each day is a part of its own in several tables.
	reportsAtOnce = 250_000
	daysAtOnce    = 20
	// settleTime is how long the engine may need to merge what was inserted.
	settleTime = 15 * time.Minute
)

// telemetryProject is the project of all events, where no other is named.
const telemetryProject = 1

// every table for reports and requests, and overviewed, the tables that an overview reads.
var (
	everyTable = []string{"health_events", "health_reports", "exposures", "refused_requests_in", "flag_evaluations"}
	overviewed = []string{"health_reports", "exposures", "refused_streams"}
)

// sampleData makes ClickHouse generate events in the tables that reports go into.
type sampleData struct {
	address string // of the database
	project int64
	tables  []string
	// reports of a whole day, from that many devices.
	reports, devices int64
	now              time.Time
}

// generate generates the given number of events of a project in some tables and waits until what is stored has settled.
func generate(ctx context.Context, address string, project, events int64, now time.Time, tables []string) error {
	reports := events / eventsPerReport
	v := sampleData{
		address: address, project: project, tables: tables, reports: max(reports/sampleDays, 1),
		devices: max(reports/reportsPerDevice, 1), now: now,
	}
	if err := v.everyDay(ctx); err != nil {
		return err
	}
	if err := v.expire(ctx); err != nil {
		return err
	}
	return v.settle(ctx)
}

// everyDay generates the days, oldest first.
func (v sampleData) everyDay(ctx context.Context) error {
	text, err := query(ctx, v.address, "SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = 'activity_mv' FORMAT TSVRaw")
	if err != nil {
		return err
	}
	// For old days, activity gets only the rows that it keeps: generating five-minute slots takes most of the time.
	coarse := func(finest, grains string) *strings.Replacer {
		return strings.NewReplacer("toStartOfFiveMinutes(", finest+"(", "if(dims = 14, [2, 3], [1, 2, 3])", grains)
	}
	from := 0
	for _, kept := range []struct {
		until    int
		activity string
	}{
		{sampleDays - hourDays, coarse("toStartOfDay", "[3]").Replace(text)},
		{sampleDays - slotDays, coarse("toStartOfHour", "[2, 3]").Replace(text)},
		{sampleDays, text},
	} {
		if _, err := query(ctx, v.address, "ALTER TABLE activity_mv MODIFY QUERY "+kept.activity); err != nil {
			return err
		}
		if err := v.daysUntil(ctx, from, kept.until); err != nil {
			return err
		}
		from = kept.until
	}
	return nil
}

// daysUntil generates the days from begin until before end, several small days in one statement. Today has its own statement.
func (v sampleData) daysUntil(ctx context.Context, begin, end int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU()) // one insert uses one
	const old, today = sampleDays - eventDays, sampleDays - 1
	add := func(from, step int, tables ...string) {
		for from = max(from, begin); from < end; {
			first, days := from, 1
			if from < today {
				days = min(step, today-from, end-from)
			}
			for _, table := range tables {
				if !slices.Contains(v.tables, table) {
					continue
				}
				g.Go(func() error { return v.add(ctx, table, first, days) })
			}
			from += days
		}
	}
	step := int(min(max(reportsAtOnce/v.reports, 1), daysAtOnce))
	add(0, step, "health_events", "health_reports", "exposures")
	add(old, eventDays, "refused_requests_in", "refused_streams")
	add(0, sampleDays, "flag_evaluations")
	return g.Wait()
}

// expire deletes the events that the tables do not keep after eventDays.
func (v sampleData) expire(ctx context.Context) error {
	until := v.date(sampleDays - eventDays)
	for table, where := range map[string]string{
		"health_events": "received_at <", "health_reports": "received_at <", "exposures": "served_at <",
	} {
		sql := fmt.Sprintf("ALTER TABLE %s DELETE WHERE %s '%s' SETTINGS mutations_sync = 2", table, where, until)
		if _, err := query(ctx, v.address, sql); err != nil {
			return err
		}
	}
	return nil
}

// date returns the date of a day, which is counted from 0.
func (v sampleData) date(day int) string {
	return v.now.AddDate(0, 0, day-sampleDays+1).Format(time.DateOnly)
}

// add generates rows of a table, of some days from one on.
func (v sampleData) add(ctx context.Context, table string, day, days int) error {
	sql, err := v.sql(table, day, days)
	if err != nil {
		return err
	}
	if _, err := query(ctx, v.address, sql); err != nil {
		return fmt.Errorf("generate %s of day %d: %w", table, day, err)
	}
	return nil
}

func (v sampleData) sql(table string, day, days int) (string, error) {
	report, err := sampleFiles.ReadFile("sampledata/report.sql")
	if err != nil {
		return "", fmt.Errorf("read the SQL of reports: %w", err)
	}
	insert, err := sampleFiles.ReadFile("sampledata/" + table + ".sql")
	if err != nil {
		return "", fmt.Errorf("read the SQL of %s: %w", table, err)
	}
	reports, length := v.reports, (24 * time.Hour).Milliseconds()
	if day == sampleDays-1 { // today is not over
		passed := max(v.now.Sub(v.now.Truncate(24*time.Hour)).Milliseconds(), 1)
		reports, length = max(reports*passed/length, 1), passed
	}
	text := strings.ReplaceAll(string(insert), "{report}", string(report))
	return strings.NewReplacer(
		"{project}", strconv.FormatInt(v.project, 10),
		"{n}", strconv.Itoa(day), "{days}", strconv.Itoa(days),
		"{day}", v.date(day),
		"{reports}", strconv.FormatInt(reports, 10), "{devices}", strconv.FormatInt(v.devices, 10),
		"{length}", strconv.FormatInt(length, 10),
	).Replace(text), nil
}

// settle waits until the engine has nothing to merge and the disk nothing to write, as with
// events of many days.
func (v sampleData) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, settleTime, fmt.Errorf("merges took longer than %v", settleTime))
	defer cancel()
	quietFor := 0
	err := until(ctx, time.Second, func() (bool, error) {
		merges, err := merging(ctx, v.address)
		if quietFor++; merges {
			quietFor = 0
		}
		return quietFor == 3, err
	})
	if err != nil {
		return err
	}
	syscall.Sync()
	return nil
}
