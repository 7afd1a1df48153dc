package pg

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/base/tracing"
)

// maxAttempts is the number of attempts at a transaction before a conflict counts as a failure.
const maxAttempts = 5

var betweenAttempts = backoff.Policy{Min: 10 * time.Millisecond, Max: 80 * time.Millisecond}

// Read runs fn in a read-only transaction that sees a single state of the database. fn may run more than once. Inside
// AnswerOnce, fn is part of the outer transaction: it sees that transaction's writes, and what others have committed in
// the meantime.
func (s *DB) Read(ctx context.Context, fn func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	return retried(ctx, func() error { return s.Attempt(ctx, opts, fn) })
}

// Reading runs a query that has a result. run is DB.Read or DB.ReadOne.
func Reading[T any](
	ctx context.Context, run func(context.Context, func(tx *gorm.DB) error) error, query func(tx *gorm.DB) (T, error),
) (result T, err error) {
	err = run(ctx, func(tx *gorm.DB) error {
		result, err = query(tx)
		return err
	})
	return result, err
}

// ReadOne runs fn without a transaction, which saves two round trips. fn makes one query, or several that need not see
// the same state. fn may run more than once.
func (s *DB) ReadOne(ctx context.Context, fn func(db *gorm.DB) error) error {
	if outerOf(ctx) != nil {
		return s.Read(ctx, fn)
	}
	return retried(ctx, func() error {
		err := fn(s.gorm.WithContext(ctx))
		if connectionFailed(err) {
			return &beginError{err} // it did not write anything
		}
		return err
	})
}

// InTx runs fn in a transaction, which it commits unless fn fails. It runs fn again after a conflict with another
// transaction. Therefore fn must set the variables that it shares with its caller, not add to them. Inside AnswerOnce,
// fn is part of the outer transaction, which commits later.
func (s *DB) InTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{Isolation: sql.LevelReadCommitted}
	return retried(ctx, func() error { return s.Attempt(ctx, opts, fn) })
}

// InOneState runs fn like InTx, in a transaction that sees a single state of the database. The transaction fails, and
// runs again, if it writes or locks a row that another transaction has changed since it began.
func (s *DB) InOneState(ctx context.Context, fn func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{Isolation: sql.LevelRepeatableRead}
	return retried(ctx, func() error { return s.Attempt(ctx, opts, fn) })
}

// Exec runs one statement in a transaction, like InTx.
func (s *DB) Exec(ctx context.Context, sql string, args ...any) error {
	return s.InTx(ctx, func(tx *gorm.DB) error { return tx.Exec(sql, args...).Error })
}

// ExecCounted runs one statement once, without a transaction, and returns the number of rows that it changed.
func (s *DB) ExecCounted(ctx context.Context, sql string, args ...any) (changed int64, err error) {
	result := s.gorm.WithContext(ctx).Exec(sql, args...)
	return result.RowsAffected, Translate(result.Error)
}

// retried runs try again after a conflict with another transaction. Part of an outer transaction is not retried on its
// own, because the conflict remains until the whole transaction is retried.
func retried(ctx context.Context, try func() error) error {
	if outerOf(ctx) != nil {
		return Translate(try())
	}
	for attempt := 1; ; attempt++ {
		err := try()
		if err == nil || attempt == maxAttempts || !retryable(err) ||
			backoff.Sleep(ctx, betweenAttempts.After(attempt)) != nil {
			return Translate(err)
		}
	}
}

// Attempt runs fn once, in a transaction of its own or as part of the transaction that ctx carries.
func (s *DB) Attempt(ctx context.Context, opts *sql.TxOptions, fn func(tx *gorm.DB) error) (err error) {
	if outer := outerOf(ctx); outer != nil {
		return Nested(outer.WithContext(ctx), fn)
	}
	ctx, span := tracing.Start(ctx, "transaction")
	defer func() { tracing.End(span, err) }()
	tx := s.gorm.WithContext(ctx).Begin(opts)
	if tx.Error != nil {
		return &beginError{tx.Error}
	}
	ended := false
	defer func() {
		if !ended { // fn failed or panicked; its error is more useful than the error of a failed rollback
			tx.Rollback()
		}
	}()
	if err := setTraceContext(tx); err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		return err
	}
	ended = true
	if err := tx.Commit().Error; errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err() // the transaction was rolled back when its context ended
	} else if err != nil {
		return &commitError{err}
	}
	return nil
}

// setTraceContext sets the parameter from which outbox.trace_context gets its default value, so that outbox messages
// continue the trace of the transaction.
func setTraceContext(tx *gorm.DB) error {
	parent := tracing.Context(tx.Statement.Context)
	if parent == "" {
		return nil
	}
	return tx.Exec("SELECT set_config('waft.trace_context', ?, true)", parent).Error
}

// Nested runs fn within tx. If fn fails, Nested rolls back what it wrote.
func Nested(tx *gorm.DB, fn func(tx *gorm.DB) error) error {
	const savepoint = "nested"
	if err := tx.SavePoint(savepoint).Error; err != nil {
		return err
	}
	err := fn(tx)
	if err != nil {
		if undone := tx.RollbackTo(savepoint).Error; undone != nil {
			return errors.Join(err, undone)
		}
	}
	// Release it in both cases, because an outer savepoint has the same name.
	if released := tx.Exec("RELEASE SAVEPOINT " + savepoint).Error; err == nil {
		err = released
	}
	return err
}
