package storetest

import (
	"context"
	"sync/atomic"

	"github.com/jackc/pgx/v5"

	"github.com/waft-ota/waft/internal/store"
)

// queryCounter counts statements.
type queryCounter struct{ queries *atomic.Int64 }

// CountQueries returns an option that counts the statements sent by a store.
func CountQueries(queries *atomic.Int64) store.Option { return store.WithTracer(queryCounter{queries}) }

func (c queryCounter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	c.queries.Add(1)
	return ctx
}

func (queryCounter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
