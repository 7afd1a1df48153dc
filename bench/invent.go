package main

import (
	"context"
	"embed"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
)

//go:embed invented/*.sql
var inventedFiles embed.FS

const (
	// inventedDays is how many days events are spread over, today included; eventDays
	// how many of them tables of events, reports and serves keep.
	inventedDays = 90
	eventDays    = 30
	// eventsPerReport and reportsPerDevice say how many reports and devices there are.
	eventsPerReport  = 4
	reportsPerDevice = 25
	// reportsAtOnce is about how many reports an insert holds, of daysAtOnce at most:
	// each day is a part of its own in several tables.
	reportsAtOnce = 250_000
	daysAtOnce    = 20
	// settleTime is how long the engine may need to merge what was inserted.
	settleTime = 15 * time.Minute
)

// Projects: the one that dashboards ask about, and two that have the same, each made
// in another way.
const (
	telemetryProject = 1
	viewedProject    = 2
	pastProject      = 3
)

// reported are the tables that what devices report goes into.
var reported = []string{"health_events", "health_reports", "exposures"}

// invention has ClickHouse invent events in the tables that reports go into.
type invention struct {
	// address is that of the database, past that of one with the same tables, which
	// keep nothing, see standIn.
	address, past string
	project       int
	// reports of a whole day, from that many devices.
	reports, devices int64
	now              time.Time
}

func newInvention(address, past string, events int64, now time.Time) invention {
	reports := events / eventsPerReport
	return invention{
		address: address, past: past, project: telemetryProject,
		reports: max(reports/inventedDays, 1), devices: max(reports/reportsPerDevice, 1), now: now,
	}
}

// all invents everything and waits until what is stored has settled.
func (v invention) all(ctx context.Context) error {
	if err := v.standIn(ctx); err != nil {
		return err
	}
	if err := v.check(ctx); err != nil {
		return err
	}
	if err := v.everyDay(ctx); err != nil {
		return err
	}
	return v.settle(ctx)
}

// everyDay invents the days, oldest first, several at once where they are small. Today
// is one of its own.
func (v invention) everyDay(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.NumCPU()) // one insert is the work of one
	add := func(address string, from, until, step int, tables ...string) {
		for day := from; day < until; day += step {
			for _, table := range tables {
				g.Go(func() error { return v.add(ctx, address, table, day, min(step, until-day)) })
			}
		}
	}
	const old, today = inventedDays - eventDays, inventedDays - 1
	step := int(min(max(reportsAtOnce/v.reports, 1), daysAtOnce))
	add(v.past, 0, old, step, reported...)
	add(v.address, old, today, step, reported...)
	add(v.address, today, inventedDays, 1, reported...)
	add(v.address, old, today, eventDays, "refused_requests_in")
	add(v.address, today, inventedDays, 1, "refused_requests_in")
	add(v.address, 0, today, inventedDays, "flag_evaluations")
	add(v.address, today, inventedDays, 1, "flag_evaluations")
	return g.Wait()
}

// add invents rows of a table, of some days from one on, which is counted from 0.
func (v invention) add(ctx context.Context, address, table string, day, days int) error {
	sql, err := v.sql(address, table, day, days)
	if err != nil {
		return err
	}
	if _, err := query(ctx, address, sql); err != nil {
		return fmt.Errorf("invent %s of day %d: %w", table, day, err)
	}
	return nil
}

func (v invention) sql(address, table string, day, days int) (string, error) {
	report, err := inventedFiles.ReadFile("invented/report.sql")
	if err != nil {
		return "", fmt.Errorf("read the SQL of reports: %w", err)
	}
	insert, err := inventedFiles.ReadFile("invented/" + table + ".sql")
	if err != nil {
		return "", fmt.Errorf("read the SQL of %s: %w", table, err)
	}
	reports, length := v.reports, (24 * time.Hour).Milliseconds()
	if day == inventedDays-1 { // today is not over
		passed := max(v.now.Sub(v.now.Truncate(24*time.Hour)).Milliseconds(), 1)
		reports, length = max(reports*passed/length, 1), passed
	}
	text := strings.ReplaceAll(string(insert), "{report}", string(report))
	return strings.NewReplacer(
		"{database}", databaseOf(address), "{project}", strconv.Itoa(v.project),
		"{n}", strconv.Itoa(day), "{days}", strconv.Itoa(days),
		"{day}", v.now.AddDate(0, 0, day-inventedDays+1).Format(time.DateOnly),
		"{reports}", strconv.FormatInt(reports, 10), "{devices}", strconv.FormatInt(v.devices, 10),
		"{length}", strconv.FormatInt(length, 10),
	).Replace(text), nil
}

// settle waits until the engine has nothing left to merge and the disk nothing to write,
// as it is after a while with what comes in day by day.
func (v invention) settle(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, settleTime, fmt.Errorf("merges took longer than %v", settleTime))
	defer cancel()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for quiet := 0; quiet < 3; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		merges, err := query(ctx, v.address, "SELECT count() FROM system.merges WHERE database = currentDatabase()")
		if err != nil {
			return err
		}
		if quiet++; merges != "0" {
			quiet = 0
		}
	}
	syscall.Sync()
	return nil
}
