package store

import (
	"context"
	"database/sql"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/backoff"
	"github.com/waft-ota/waft/internal/tracing"
)

// maxAttempts is how often a transaction is tried before a conflict counts as a
// failure.
const maxAttempts = 5

var betweenAttempts = backoff.Policy{Min: 10 * time.Millisecond, Max: 80 * time.Millisecond}

// read runs fn in a read-only transaction that sees one state of the database
// throughout. fn may run more than once. Inside AnswerOnce it is part of that
// transaction: fn sees what that one wrote and what others commit meanwhile.
func (s *Store) read(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return s.transact(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true}, fn)
}

// reading is read for a query with one result.
func reading[T any](ctx context.Context, s *Store, query func(tx *gorm.DB) (T, error)) (result T, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		result, err = query(tx)
		return err
	})
	return result, err
}

// readOne runs fn, which makes one query, or several that need not see the same state
// of the database. It saves the round trips that begin and end a transaction. fn may
// run more than once.
func (s *Store) readOne(ctx context.Context, fn func(db *gorm.DB) error) error {
	if outerOf(ctx) != nil {
		return s.read(ctx, fn)
	}
	return retried(ctx, func() error {
		err := fn(s.db.WithContext(ctx))
		if connectionFailed(err) {
			return &beginError{err} // nothing was done
		}
		return err
	})
}

// write runs fn in a transaction and commits unless fn fails. It runs fn again after
// a conflict with another transaction, so fn must set, not add to, the variables that
// it shares with its caller. Inside AnswerOnce it is part of that transaction, which
// commits later.
func (s *Store) write(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return s.transact(ctx, &sql.TxOptions{Isolation: sql.LevelReadCommitted}, fn)
}

func (s *Store) transact(ctx context.Context, opts *sql.TxOptions, fn func(tx *gorm.DB) error) error {
	return retried(ctx, func() error { return s.attempt(ctx, opts, fn) })
}

// retried runs try again while it conflicts with other transactions.
func retried(ctx context.Context, try func() error) error {
	for attempt := 1; ; attempt++ {
		err := try()
		if err == nil || attempt == maxAttempts || !retryable(err) ||
			backoff.Sleep(ctx, betweenAttempts.After(attempt)) != nil {
			return translate(err)
		}
	}
}

func (s *Store) attempt(ctx context.Context, opts *sql.TxOptions, fn func(tx *gorm.DB) error) (err error) {
	if outer := outerOf(ctx); outer != nil {
		return nested(outer.WithContext(ctx), fn)
	}
	ctx, span := tracing.Start(ctx, "transaction")
	defer func() { tracing.End(span, err) }()
	tx := s.db.WithContext(ctx).Begin(opts)
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
	if err := tx.Commit().Error; err != nil {
		return &commitError{err}
	}
	return nil
}

// setTraceContext makes the outbox messages that the transaction writes continue its trace:
// the default of outbox.trace_context reads the parameter.
func setTraceContext(tx *gorm.DB) error {
	parent := tracing.Context(tx.Statement.Context)
	if parent == "" {
		return nil
	}
	return tx.Exec("SELECT set_config('waft.trace_context', ?, true)", parent).Error
}
