package dump

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

const (
	// copyPrefix begins the names of the tables that exist only during a backup or a restore.
	copyPrefix = "waft_copy_"
	// chunkRows is the most rows that one statement reads or writes, so that an engine that keeps a response in memory has enough of it.
	chunkRows = 500_000
)

// unmerged keeps the parts of a table as they are. Then rows can be counted, because merges of aggregating tables make them fewer.
const unmerged = " MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1, max_bytes_to_merge_at_min_space_in_pool = 1, " +
	"max_number_of_merges_with_ttl_in_pool = 0"

// Table is a table with the columns that are copied.
type Table struct {
	Name    string
	Columns []string
}

func (t Table) copyName() string { return copyPrefix + t.Name }

func (t Table) columns() string {
	all := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		all[i] = quoted(c)
	}
	return strings.Join(all, ", ")
}

// Snapshot copies tables out of one state. Its own tables share the data of the originals on the disk.
type Snapshot struct {
	// Version is the version of the schema.
	Version int64

	client *client
	tables []Table
}

// Prepare makes the empty tables of a snapshot. It removes the tables of an interrupted backup. The caller calls Drop at the end in any
// case.
func Prepare(ctx context.Context, clickHouseURL string) (_ *Snapshot, err error) {
	c, err := newClient(clickHouseURL)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{client: c}
	if err := c.dropCopies(ctx); err != nil {
		return nil, err
	}
	versions, err := c.number(ctx, "SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = 'waft_schema_versions'")
	if err == nil && versions == 0 {
		err = errors.New("the ClickHouse database does not have Waft's schema; check CLICKHOUSE_URL")
	}
	if err != nil {
		return nil, err
	}
	if s.Version, err = c.number(ctx, "SELECT max(version_id) FROM waft_schema_versions WHERE is_applied"); err != nil {
		return nil, err
	}
	if s.tables, err = c.tables(ctx); err != nil {
		return nil, err
	}
	for _, t := range s.tables {
		if err := c.makeCopy(ctx, t); err != nil {
			return nil, errors.Join(err, s.Drop(ctx))
		}
	}
	return s, nil
}

// Fix fixes the state. Nothing should be inserted during the call, which links data and does not read it.
func (s *Snapshot) Fix(ctx context.Context) error {
	for _, t := range s.tables {
		if err := s.client.attach(ctx, t.Name, t.copyName()); err != nil {
			return err
		}
	}
	return nil
}

// Drop removes the snapshot's tables.
func (s *Snapshot) Drop(ctx context.Context) error {
	return s.client.dropCopies(context.WithoutCancel(ctx))
}

// Tables returns the tables of the snapshot.
func (s *Snapshot) Tables() []Table { return s.tables }

// Chunk is a condition that selects rows of a table.
type Chunk struct{ where string }

// Chunks returns the chunks of a table: together they have each row once.
func (s *Snapshot) Chunks(ctx context.Context, t Table) ([]Chunk, error) {
	parts, err := s.client.lines(ctx, "SELECT name, rows FROM system.parts WHERE database = currentDatabase() AND active AND table = "+
		text(t.copyName())+" ORDER BY name", nil)
	if err != nil {
		return nil, err
	}
	var all []Chunk
	var small []string
	smallRows := 0
	flush := func() {
		if len(small) > 0 {
			all = append(all, Chunk{"_part IN (" + strings.Join(small, ", ") + ")"})
		}
		small, smallRows = nil, 0
	}
	for _, p := range parts {
		rows, err := strconv.Atoi(p[1])
		if err != nil {
			return nil, fmt.Errorf("rows of the part %s: %w", p[0], err)
		}
		for from := 0; rows > chunkRows && from < rows; from += chunkRows {
			all = append(all, Chunk{fmt.Sprintf("_part = %s AND _part_offset >= %d AND _part_offset < %d", text(p[0]), from, from+chunkRows)})
		}
		if rows > chunkRows {
			continue
		}
		if smallRows+rows > chunkRows {
			flush()
		}
		small, smallRows = append(small, text(p[0])), smallRows+rows
	}
	flush()
	return all, nil
}

// Copy writes the rows of a chunk in the format Native, and returns their number.
func (s *Snapshot) Copy(ctx context.Context, t Table, chunk Chunk, to io.Writer) (rows int64, err error) {
	from := " FROM " + quoted(t.copyName()) + " WHERE " + chunk.where
	if rows, err = s.client.number(ctx, "SELECT count()"+from); err != nil {
		return 0, err
	}
	body, err := s.client.open(ctx, "SELECT "+t.columns()+from+" FORMAT Native", nil, nil)
	if err != nil {
		return 0, err
	}
	defer body.Close()
	if _, err := io.Copy(to, body); err != nil {
		return 0, fmt.Errorf("copy the table %s: %w", t.Name, err)
	}
	return rows, nil
}

// tables returns the tables with rows. Views and tables of the engine Null do not have rows, and the table of schema versions is left out.
func (c *client) tables(ctx context.Context) ([]Table, error) {
	rows, err := c.lines(ctx, `SELECT table, name FROM system.columns
		WHERE database = currentDatabase() AND default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL') AND table IN
			(SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'
				AND name NOT IN ('waft_schema_versions', '`+markTable+`') AND NOT startsWith(name, '`+copyPrefix+`'))
		ORDER BY table, position`, nil)
	if err != nil {
		return nil, err
	}
	var all []Table
	for _, r := range rows {
		if len(all) == 0 || all[len(all)-1].Name != r[0] {
			all = append(all, Table{Name: r[0]})
		}
		last := &all[len(all)-1]
		last.Columns = append(last.Columns, r[1])
	}
	return all, nil
}

func (c *client) makeCopy(ctx context.Context, t Table) error {
	if err := c.exec(ctx, "CREATE TABLE "+quoted(t.copyName())+" AS "+quoted(t.Name)); err != nil {
		return err
	}
	return c.exec(ctx, "ALTER TABLE "+quoted(t.copyName())+unmerged)
}

// attach gives a table the parts of another one, which keeps them. Views do not see the rows.
func (c *client) attach(ctx context.Context, from, to string) error {
	return c.exec(ctx, "ALTER TABLE "+quoted(to)+" ATTACH PARTITION ALL FROM "+quoted(from))
}

func (c *client) dropCopies(ctx context.Context) error {
	rows, err := c.lines(ctx, "SELECT name FROM system.tables WHERE database = currentDatabase() AND startsWith(name, '"+copyPrefix+"')", nil)
	for _, r := range rows {
		err = errors.Join(err, c.drop(ctx, r[0]))
	}
	return err
}
