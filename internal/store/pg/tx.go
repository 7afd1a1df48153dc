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

// maxAttempts is how often a transaction is tried before a conflict is a failure.
const maxAttempts = 5

var betweenAttempts = backoff.Policy{Min: 10 * time.Millisecond, Max: 80 * time.Millisecond}

// Read runs fn in a read-only transaction that sees one state of the database. fn may run
// more than once. Inside AnswerOnce it is part of that transaction: fn sees what that one
// wrote and what others commit meanwhile.
func (s *DB) Read(ctx context.Context, fn func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}
	return retried(ctx, func() error { return s.Attempt(ctx, opts, fn) })
}

// Reading runs a query with a result by run, which is DB.Read or DB.ReadOne.
func Reading[T any](
	ctx context.Context, run func(context.Context, func(tx *gorm.DB) error) error, query func(tx *gorm.DB) (T, error),
) (result T, err error) {
	err = run(ctx, func(tx *gorm.DB) error {
		result, err = query(tx)
		return err
	})
	return result, err
}

// ReadOne runs fn, which makes one query, or several that need not see the same state,
// without a transaction: that saves two round trips. fn may run more than once.
func (s *DB) ReadOne(ctx context.Context, fn func(db *gorm.DB) error) error {
	if outerOf(ctx) != nil {
		return s.Read(ctx, fn)
	}
	return retried(ctx, func() error {
		err := fn(s.gorm.WithContext(ctx))
		if connectionFailed(err) {
			return &beginError{err} // nothing was done
		}
		return err
	})
}

// InTx runs fn in a transaction and commits unless fn fails. It runs fn again after a
// conflict with another transaction, so fn must set, not add to, the variables that it
// shares with its caller. Inside AnswerOnce it is part of that transaction, which commits
// later.
func (s *DB) InTx(ctx context.Context, fn func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{Isolation: sql.LevelReadCommitted}
	return retried(ctx, func() error { return s.Attempt(ctx, opts, fn) })
}

// InOneState is InTx for a transaction that sees one state of the database. It fails, and runs again, when it writes or locks a
// row that somebody else has changed since.
func (s *DB) InOneState(ctx context.Context, fn func(tx *gorm.DB) error) error {
	opts := &sql.TxOptions{Isolation: sql.LevelRepeatableRead}
	return retried(ctx, func() error { return s.Attempt(ctx, opts, fn) })
}

// Exec runs one statement as InTx does.
func (s *DB) Exec(ctx context.Context, sql string, args ...any) error {
	return s.InTx(ctx, func(tx *gorm.DB) error { return tx.Exec(sql, args...).Error })
}

// ExecCounted runs one statement without a transaction, once, and returns how many rows it changed.
func (s *DB) ExecCounted(ctx context.Context, sql string, args ...any) (changed int64, err error) {
	result := s.gorm.WithContext(ctx).Exec(sql, args...)
	return result.RowsAffected, Translate(result.Error)
}

// retried runs try again after a conflict with another transaction. A part of a transaction is not run again by itself: the
// conflict stays until the whole is.
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

// Attempt runs fn in one transaction, or as part of the one that ctx carries, without trying again.
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
		if !ended { // fn failed or panicked; its error says more than a failed rollback
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
		return ctx.Err() // it was rolled back when its context ended
	} else if err != nil {
		return &commitError{err}
	}
	return nil
}

// setTraceContext sets the parameter that the default of outbox.trace_context reads, so
// that outbox messages continue the trace of the transaction.
func setTraceContext(tx *gorm.DB) error {
	parent := tracing.Context(tx.Statement.Context)
	if parent == "" {
		return nil
	}
	return tx.Exec("SELECT set_config('waft.trace_context', ?, true)", parent).Error
}

// Nested runs fn within tx, and rolls back what fn did when it fails.
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
	// Released in both cases: an outer savepoint has the same name.
	if released := tx.Exec("RELEASE SAVEPOINT " + savepoint).Error; err == nil {
		err = released
	}
	return err
}
