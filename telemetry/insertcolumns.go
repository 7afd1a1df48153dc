package telemetry

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/waft-ota/waft/models"
)

// rowsAtOnce is how many rows are gathered before the driver gets their columns.
const rowsAtOnce = 1024

// reportRows turns reports into rows of a table, by column: the driver takes a column
// of a thousand texts for what it takes a row of twenty.
type reportRows interface {
	// add fails for a report that the table cannot hold.
	add(r models.HealthReport) error
	// count is how many rows there are since clear.
	count() int
	// columns are as the table's insert statement lists them.
	columns() []any
	clear()
}

// insertRows inserts the rows that the reports make.
func (c *ClickHouse) insertRows(ctx context.Context, statement string, reports []models.HealthReport, rows reportRows) (err error) {
	if ctx, err = c.knownColumns(ctx, statement); err != nil {
		return err
	}
	batch, err := c.conn.PrepareBatch(ctx, statement)
	if err != nil {
		c.inserted.forget(statement)
		return fmt.Errorf("prepare: %w", err)
	}
	defer func() {
		// After Send it has nothing to do; before, it gives the connection back.
		_ = batch.Close()
		if err != nil {
			c.inserted.forget(statement)
		}
	}()
	for i, r := range reports {
		if err := rows.add(r); err != nil {
			return err
		}
		if rows.count() < rowsAtOnce && i < len(reports)-1 {
			continue
		}
		for n, values := range rows.columns() {
			if err := appendColumn(batch.Column(n), values); err != nil {
				return fmt.Errorf("column %d: %w", n+1, err)
			}
		}
		rows.clear()
	}
	if batch.Rows() == 0 {
		return nil
	}
	if err := batch.Send(); err != nil {
		return fmt.Errorf("send: %w", err)
	}
	return nil
}

func appendColumn(to driver.BatchColumn, values any) error {
	if rows, ok := values.([]models.Texts); ok {
		return appendTexts(to, rows)
	}
	return to.Append(values)
}

// knownColumns spares the driver the question for the columns of the statement's table
// before every insert over HTTP. It calls texts of low cardinality just texts, which
// ClickHouse makes dictionaries of faster than the driver.
func (c *ClickHouse) knownColumns(ctx context.Context, statement string) (context.Context, error) {
	columns, ok := c.inserted.columns(statement)
	if !ok {
		batch, err := c.conn.PrepareBatch(ctx, statement)
		if err != nil {
			return nil, fmt.Errorf("prepare: %w", err)
		}
		columns = columnsOf(batch)
		if err := batch.Close(); err != nil {
			return nil, fmt.Errorf("prepare: %w", err)
		}
		c.inserted.note(statement, columns)
	}
	return clickhouse.Context(ctx, clickhouse.WithColumnNamesAndTypes(columns)), nil
}

func columnsOf(batch driver.Batch) []clickhouse.ColumnNameAndType {
	var columns []clickhouse.ColumnNameAndType
	for _, column := range batch.Columns() {
		columns = append(columns, clickhouse.ColumnNameAndType{
			Name: column.Name(), Type: strings.ReplaceAll(string(column.Type()), "LowCardinality(String)", "String"),
		})
	}
	return columns
}

// insertColumns are the columns of insert statements, as ClickHouse last told them.
type insertColumns struct {
	mu    sync.Mutex
	known map[string][]clickhouse.ColumnNameAndType
}

func (k *insertColumns) columns(statement string) (columns []clickhouse.ColumnNameAndType, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	columns, ok = k.known[statement]
	return columns, ok
}

func (k *insertColumns) note(statement string, columns []clickhouse.ColumnNameAndType) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[string][]clickhouse.ColumnNameAndType{}
	}
	k.known[statement] = columns
}

// forget lets the next insert ask again: the table may have changed.
func (k *insertColumns) forget(statement string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.known, statement)
}
