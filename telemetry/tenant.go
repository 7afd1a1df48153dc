package telemetry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// tenantTables are all tables with rows of projects.
var tenantTables = []string{
	"activity", "adoption_days", "device_days", "device_releases", "device_totals", "devices", "downloads", "error_activity",
	"error_flags", "error_groups", "error_samples", "exposures", "failed_devices", "flag_activity",
	"flag_evaluations", "flag_spans", "health_events", "health_reports", "limited_devices", "refused_hours", "refused_requests",
	"release_days", "rollout_observations",
}

// projectQuery is the text of a query about a single project.
type projectQuery string

// mustProjectQuery returns the text of a query like mustQuery. The query must name the project for each table that it
// reads, so that the primary key is used. mustProjectQuery panics at start if it does not.
func mustProjectQuery(name string) projectQuery {
	text := mustQuery(name)
	reads := 0
	for _, table := range tenantTables {
		reads += strings.Count(text, "FROM "+table+"\n") + strings.Count(text, "FROM "+table+" FINAL\n")
	}
	if named := strings.Count(text, "WHERE project_id = {project_id:Int64}\n"); reads == 0 || named != reads {
		panic(fmt.Sprintf("queries/%s.sql reads %d tables and names the project for %d of them", name, reads, named))
	}
	return projectQuery(text)
}

// errNoProject is returned for a programming error.
var errNoProject = errors.New("telemetry: a query without a project")

// selectOf runs a query about a project and returns its rows.
func selectOf[T any](
	ctx context.Context, db *database, projectID int64, what string, query projectQuery, args ...driver.NamedValue,
) ([]T, error) {
	if projectID <= 0 {
		return nil, errNoProject
	}
	running, done, err := db.turn(ctx, projectID)
	if err != nil {
		return nil, err
	}
	defer done()
	args = append(slices.Clip(args), clickhouse.Named("project_id", projectID))
	rows, err := selectSeeing[T](running, db, []int64{projectID}, what, string(query), args)
	if err != nil && ctx.Err() == nil && db.turns != nil {
		err = costlyError(running, err)
	}
	return rows, err
}

// selectSeeing runs a query that sees only the rows of the projects, whatever its own conditions are. ClickHouse adds
// the conditions of the setting to every table.
func selectSeeing[T any](
	ctx context.Context, db *database, projectIDs []int64, what, query string, args []driver.NamedValue,
) (rows []T, err error) {
	named := make([]any, len(args))
	for i, a := range args {
		named[i] = a
	}
	ctx = seeingOnly(ctx, projectIDs)
	if err := db.conn.Select(ctx, &rows, query, named...); err != nil {
		return nil, queryError("read "+what, err)
	}
	return rows, nil
}

func seeingOnly(ctx context.Context, projectIDs []int64) context.Context {
	return clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
		"additional_table_filters": onlyProjects(projectIDs),
	}))
}

// onlyProjects returns the value of the setting: a map from tables to conditions.
func onlyProjects(projectIDs []int64) string {
	ids := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(projectIDs)), ","), "[]")
	filters := make([]string, len(tenantTables))
	for i, table := range tenantTables {
		filters[i] = fmt.Sprintf("'%s': 'project_id IN (%s)'", table, ids)
	}
	return "{" + strings.Join(filters, ", ") + "}"
}

// second returns a time as a parameter of type DateTime.
func second(name string, t time.Time) driver.NamedValue {
	return clickhouse.Named(name, t.UTC().Format(time.DateTime))
}

func milli(name string, t time.Time) driver.NamedValue {
	return clickhouse.Named(name, t.UTC().Format(millisecondFormat))
}

const millisecondFormat = "2006-01-02 15:04:05.000"

// startOfDay returns the start of the day (UTC) n days before t.
func startOfDay(t time.Time, n int) time.Time {
	return t.UTC().Truncate(24*time.Hour).AddDate(0, 0, -n)
}
