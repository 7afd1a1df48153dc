package telemetry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// tenantTables are all tables that hold rows of projects.
var tenantTables = []string{
	"activity", "device_days", "device_releases", "devices", "downloads", "exposures", "failed_devices", "flag_activity",
	"flag_evaluations", "flag_spans", "health_events", "health_reports", "limited_devices", "refused_requests", "release_days",
}

// projectQuery is the text of a query about one project.
type projectQuery string

// mustProjectQuery is mustQuery for a text that names the project for each table that
// it reads, so that the primary key serves it; it panics at start when one does not.
func mustProjectQuery(name string) projectQuery {
	text := mustQuery(name)
	reads := 0
	for _, table := range tenantTables {
		reads += strings.Count(text, "FROM "+table+"\n") + strings.Count(text, "FROM "+table+" FINAL\n")
	}
	if named := strings.Count(text, "WHERE project_id = {project_id:Int64}\n"); reads == 0 || named != reads {
		panic(fmt.Sprintf("queries/%s.sql reads %d tables and names the project for %d", name, reads, named))
	}
	return projectQuery(text)
}

// errNoProject is a fault of ours: the project was forgotten.
var errNoProject = errors.New("telemetry: a query without a project")

// selectOf runs a query about a project and reads its rows into dest, a pointer to a
// slice of structs. Besides the query's own condition ClickHouse is told, as a
// setting, to see the project's rows alone in every table.
func (c *ClickHouse) selectOf(
	ctx context.Context, projectID int64, what string, dest any, query projectQuery, args ...driver.NamedValue,
) error {
	if projectID <= 0 {
		return errNoProject
	}
	named := make([]any, 0, len(args)+1)
	for _, a := range args {
		named = append(named, a)
	}
	named = append(named, clickhouse.Named("project_id", projectID))
	ctx = seeingOnly(ctx, projectID)
	if err := c.conn.Select(ctx, dest, string(query), named...); err != nil {
		return queryError("read "+what, err)
	}
	return nil
}

// seeingOnly makes queries under the context see rows of the projects alone, whatever
// they ask for. Each query that reads rows of projects runs under it.
func seeingOnly(ctx context.Context, projectIDs ...int64) context.Context {
	return clickhouse.Context(ctx, clickhouse.WithSettings(clickhouse.Settings{
		"additional_table_filters": onlyProjects(projectIDs),
	}))
}

// onlyProjects is the setting's value: a map of tables to conditions.
func onlyProjects(projectIDs []int64) string {
	ids := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(projectIDs)), ","), "[]")
	filters := make([]string, len(tenantTables))
	for i, table := range tenantTables {
		filters[i] = fmt.Sprintf("'%s': 'project_id IN (%s)'", table, ids)
	}
	return "{" + strings.Join(filters, ", ") + "}"
}

// second and milli are moments as parameters of the types DateTime and DateTime64(3).
func second(name string, t time.Time) driver.NamedValue {
	return clickhouse.Named(name, t.UTC().Format(time.DateTime))
}

func milli(name string, t time.Time) driver.NamedValue {
	return clickhouse.Named(name, t.UTC().Format(millisecondFormat))
}

const millisecondFormat = "2006-01-02 15:04:05.000"

// startOfDay is the begin of the day (UTC) that is n days before that of t.
func startOfDay(t time.Time, n int) time.Time {
	return t.UTC().Truncate(24*time.Hour).AddDate(0, 0, -n)
}

// firstMonday is the first Monday from the day on.
func firstMonday(day time.Time) time.Time {
	return day.AddDate(0, 0, int(8-day.Weekday())%7)
}

// capped keeps an estimate of some devices from being above that of all.
func capped(part, whole uint64) int64 { return int64(min(part, whole)) }
