package telemetry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/column"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// rowsAtOnce is the number of rows that are converted to columns before the driver copies them.
const rowsAtOnce = 1024

// insertRows inserts the rows, if any, exactly once per token. It inserts by column, because the driver copies a
// column of a thousand strings in the time of twenty rows.
func (w Writer) insertRows(
	ctx context.Context, token, what, statement string, rows []reportRow, columns func([]reportRow) []any,
) (err error) {
	if len(rows) == 0 {
		return nil
	}
	defer func() {
		if err != nil {
			w.inserted.Delete(statement) // the table may have changed
			err = queryError("insert "+what, err)
		}
	}()
	ctx = onceUnder(ctx, token)
	known, err := w.knownColumns(ctx, statement)
	if err != nil {
		return err
	}
	batch, err := w.conn.PrepareBatch(clickhouse.Context(ctx, clickhouse.WithColumnNamesAndTypes(known)), statement)
	if err != nil {
		return fmt.Errorf("prepare: %w", err)
	}
	// Before Send, Close returns the connection to the pool. After Send it has no effect.
	defer func() { _ = batch.Close() }()
	for some := range slices.Chunk(rows, rowsAtOnce) {
		for n, values := range columns(some) {
			if err := appendColumn(batch.Column(n), values); err != nil {
				return fmt.Errorf("column %d: %w", n+1, err)
			}
		}
	}
	return batch.Send()
}

// knownColumns returns the columns of the statement's table. Otherwise the driver would query them over HTTP before
// every insert. A column of type LowCardinality(String) is returned as String, because ClickHouse builds dictionaries
// faster than the driver.
func (w Writer) knownColumns(ctx context.Context, statement string) ([]clickhouse.ColumnNameAndType, error) {
	if columns, ok := w.inserted.Load(statement); ok {
		return columns.([]clickhouse.ColumnNameAndType), nil
	}
	batch, err := w.conn.PrepareBatch(ctx, statement)
	if err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	var columns []clickhouse.ColumnNameAndType
	for _, column := range batch.Columns() {
		columns = append(columns, clickhouse.ColumnNameAndType{
			Name: column.Name(), Type: strings.ReplaceAll(string(column.Type()), "LowCardinality(String)", "String"),
		})
	}
	if err := batch.Close(); err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}
	w.inserted.Store(statement, columns)
	return columns, nil
}

func appendColumn(to driver.BatchColumn, values any) error {
	rows, ok := values.([]models.Texts)
	if !ok {
		return to.Append(values)
	}
	for _, texts := range rows {
		if err := to.AppendRow(&textsRow{texts, -1}); err != nil {
			return err
		}
	}
	return nil
}

// textsRow is a row of a Map column. It implements the driver's ordered map, which the driver reads without
// reflection.
type textsRow struct {
	texts models.Texts
	at    int
}

// Iterator returns the row itself, because it is read only once.
func (r *textsRow) Iterator() column.MapIterator { return r }

// Next moves to the next entry and reports whether it exists.
func (r *textsRow) Next() bool {
	r.at++
	return r.at < len(r.texts)
}

// Key returns a pointer, because a string in an interface would be allocated. Value does the same.
func (r *textsRow) Key() any   { return &r.texts[r.at].Name }
func (r *textsRow) Value() any { return &r.texts[r.at].Value }

// Put implements column.OrderedMap for reading rows. It is never called.
func (r *textsRow) Put(_, _ any) {}
