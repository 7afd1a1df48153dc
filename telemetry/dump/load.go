package dump

import (
	"context"
	"fmt"
	"io"
)

// Rows are the rows of a chunk of a table, in the format Native.
type Rows struct {
	Table
	Count int64
	Open  func() (io.ReadCloser, error)
}

// Load loads rows into the empty tables of the database, whose schema is the schema from which the rows come. Rows of a table follow each
// other. Materialized views do not see the rows, because the tables that they fill are loaded too.
func Load(ctx context.Context, clickHouseURL string, all []Rows) error {
	c, err := newClient(clickHouseURL)
	if err != nil {
		return err
	}
	if err := c.dropCopies(ctx); err != nil {
		return err
	}
	for len(all) > 0 {
		table, n := all[0].Table, 0
		for n < len(all) && all[n].Name == table.Name {
			n++
		}
		if err := c.load(ctx, table, all[:n]); err != nil {
			return fmt.Errorf("load the table %s: %w", table.Name, err)
		}
		all = all[n:]
	}
	return nil
}

// load loads a table through a copy of it, from which it gets the parts.
func (c *client) load(ctx context.Context, t Table, chunks []Rows) error {
	if err := c.makeCopy(ctx, t); err != nil {
		return err
	}
	var expected int64
	for _, chunk := range chunks {
		if err := c.insert(ctx, chunk); err != nil {
			return err
		}
		expected += chunk.Count
	}
	rows, err := c.number(ctx, "SELECT count() FROM "+quoted(t.copyName()))
	if err != nil {
		return err
	}
	if rows != expected {
		return fmt.Errorf("it got %d rows instead of %d", rows, expected)
	}
	if err := c.attach(ctx, t.copyName(), t.Name); err != nil {
		return err
	}
	return c.drop(ctx, t.copyName())
}

// insert inserts rows exactly as they are: equal rows stay, and a repeated insert is not left out.
func (c *client) insert(ctx context.Context, rows Rows) error {
	from, err := rows.Open()
	if err != nil {
		return err
	}
	defer from.Close()
	body, err := c.open(ctx, "INSERT INTO "+quoted(rows.copyName())+" ("+rows.columns()+") FORMAT Native", from, settings{
		"optimize_on_insert": "0", "insert_deduplicate": "0", "max_partitions_per_insert_block": "0", "async_insert": "0",
	})
	if err != nil {
		return err
	}
	return body.Close()
}

// markTable is the name of a table that marks a database as the target of a restore. It names the backup.
const markTable = "waft_restore"

// Begin marks the empty database as the target of the restore of a backup, and creates it if it is missing. It returns an error if the
// database has tables.
func Begin(ctx context.Context, clickHouseURL, backup string) error {
	c, err := newClient(clickHouseURL)
	if err != nil {
		return err
	}
	marked, err := c.marked(ctx, backup)
	if err != nil || marked {
		return err
	}
	server := *c
	server.database = "system" // because the database may be missing
	n, err := server.number(ctx, "SELECT count() FROM system.tables WHERE database = "+text(c.database))
	if err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("the ClickHouse database %s is not empty: it has %d tables; create an empty database and name it in CLICKHOUSE_URL",
			c.database, n)
	}
	exists, err := server.number(ctx, "SELECT count() FROM system.databases WHERE name = "+text(c.database))
	if err == nil && exists == 0 {
		err = server.exec(ctx, "CREATE DATABASE IF NOT EXISTS "+quoted(c.database))
	}
	if err == nil {
		err = c.exec(ctx, "CREATE TABLE "+markTable+" (backup String) ENGINE = MergeTree ORDER BY tuple() COMMENT "+text(backup))
	}
	return err
}

// marked reports whether the database is the target of the restore of a backup.
func (c *client) marked(ctx context.Context, backup string) (bool, error) {
	server := *c
	server.database = "system"
	n, err := server.number(ctx, "SELECT count() FROM system.tables WHERE database = "+text(c.database)+
		" AND name = '"+markTable+"' AND comment = "+text(backup))
	return n > 0, err
}

// Clear drops every table of a database except the mark of Begin. It returns an error if Begin did not mark the database for the backup.
func Clear(ctx context.Context, clickHouseURL, backup string) error {
	c, err := newClient(clickHouseURL)
	if err != nil {
		return err
	}
	marked, err := c.marked(ctx, backup)
	if err == nil && !marked {
		err = fmt.Errorf("the restore of the backup %s began in another ClickHouse database than %s; set CLICKHOUSE_URL as it was, or use empty "+
			"databases", backup, c.database)
	}
	if err != nil {
		return err
	}
	// Views first, because they read tables.
	rows, err := c.lines(ctx, "SELECT name FROM system.tables WHERE database = currentDatabase() AND name != '"+markTable+
		"' ORDER BY engine NOT LIKE '%View', name", nil)
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := c.drop(ctx, r[0]); err != nil {
			return err
		}
	}
	return nil
}

// End removes the mark of Begin.
func End(ctx context.Context, clickHouseURL string) error {
	c, err := newClient(clickHouseURL)
	if err != nil {
		return err
	}
	return c.drop(ctx, markTable)
}
