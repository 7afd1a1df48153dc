package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// What reports of the last month leave behind is made by storing them. Of older ones
// only what is derived is still there, so they go to tables that keep nothing, in a
// database of their own, whose views are the schema's own, text for text, and write
// into the schema's tables. check proves it.

// expired are conditions on what views derive that the tables still keep after a
// month; of others they keep all.
var expired = map[string]string{"activity": "grain = 'day'"}

// derivation is a materialised view of the schema.
type derivation struct{ view, target, query string }

// derivations are all views that read events, reports or serves.
func (v invention) derivations(ctx context.Context) ([]derivation, error) {
	text, err := query(ctx, v.address, `SELECT name, extract(create_table_query, ' TO \\S+\\.(\\w+)'), replaceAll(as_select, '\n', ' ')
FROM system.tables
WHERE database = currentDatabase() AND engine = 'MaterializedView' AND match(as_select, 'health_reports|health_events|exposures')
ORDER BY name FORMAT TSVRaw`)
	if err != nil {
		return nil, err
	}
	var all []derivation
	for line := range strings.SplitSeq(text, "\n") {
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("views of the schema: %q", line)
		}
		all = append(all, derivation{fields[0], fields[1], fields[2]})
	}
	return all, nil
}

// standIn makes the tables and views of the past.
func (v invention) standIn(ctx context.Context) error {
	derivations, err := v.derivations(ctx)
	if err != nil {
		return err
	}
	now, past := databaseOf(v.address), databaseOf(v.past)
	var statements []string
	for _, table := range reported {
		statements = append(statements,
			fmt.Sprintf("CREATE TABLE %s.%s ENGINE = Null EMPTY AS SELECT * FROM %s.%s", past, table, now, table))
	}
	for _, d := range derivations {
		where := ""
		if kept, ok := expired[d.target]; ok {
			where = " WHERE " + kept
		}
		statements = append(statements, fmt.Sprintf("CREATE MATERIALIZED VIEW %s.%s TO %s.%s AS SELECT * FROM (%s)%s",
			past, d.view, now, d.target, strings.ReplaceAll(d.query, " "+now+".", " "+past+"."), where))
	}
	for _, s := range statements {
		if _, err := query(ctx, v.past, s); err != nil {
			return err
		}
	}
	return nil
}

// check invents the same day twice, for one project with the schema's tables and
// views and for another with those of the past, and fails unless all that is derived
// is the same.
func (v invention) check(ctx context.Context) error {
	const day, reports, devices = 17, 20_000, 3_000
	v.reports, v.devices = reports, devices
	for project, address := range map[int]string{viewedProject: v.address, pastProject: v.past} {
		v.project = project
		for _, table := range reported {
			if err := v.add(ctx, address, table, day, 1); err != nil {
				return err
			}
		}
	}
	derivations, err := v.derivations(ctx)
	if err != nil {
		return err
	}
	if len(derivations) == 0 {
		return errors.New("no view derives anything")
	}
	for _, d := range derivations {
		viewed, err := v.sum(ctx, d.target, viewedProject)
		if err != nil {
			return err
		}
		past, err := v.sum(ctx, d.target, pastProject)
		if err != nil {
			return err
		}
		if viewed != past || strings.HasPrefix(viewed, "0\t") {
			return fmt.Errorf("%s: what is invented of the past (%q) is not what %s derives (%q)", d.target, past, d.view, viewed)
		}
	}
	return nil
}

// sum is the number of a project's rows in a table and a hash of all that is in them,
// whatever their order.
func (v invention) sum(ctx context.Context, table string, project int) (string, error) {
	columns, err := query(ctx, v.address, fmt.Sprintf(`SELECT arrayStringConcat(groupArray(
    if(type LIKE 'AggregateFunction%%', concat('finalizeAggregation(', name, ')'), concat('toString(', name, ')'))
), ', ')
FROM system.columns WHERE database = currentDatabase() AND table = '%s' AND name != 'project_id' FORMAT TSVRaw`, table))
	if err != nil {
		return "", err
	}
	where := fmt.Sprintf("project_id = %d", project)
	if kept, ok := expired[table]; ok {
		where += " AND " + kept
	}
	return query(ctx, v.address, fmt.Sprintf("SELECT count(), sum(cityHash64(%s)) FROM %s FINAL WHERE %s", columns, table, where))
}

// databaseOf is the name of the database in an address.
func databaseOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/")
}
