package unit

import (
	"bytes"
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"github.com/waft-ota/waft/internal/base/backoff"
	"github.com/waft-ota/waft/internal/store/pg"
	"github.com/waft-ota/waft/models"
)

const (
	// keyWait is the time that a request waits for another request with the same key, and keyPoll is the interval at
	// which it tries to lock the key. It does not hold a connection while it waits.
	keyWait = 3 * time.Second
	keyPoll = 25 * time.Millisecond
	// answersSwept is the number of expired responses that each new response deletes, so that the table shrinks.
	answersSwept = 20
)

var (
	// errNotKept rolls back the work of a request whose response is not stored.
	errNotKept = errors.New("the response is not stored")
	// errKeyHeld says that another request with the same key is still running.
	errKeyHeld = errors.New("another request with this key is still running")
)

// Answered returns the stored response to the request; found is false if there was none within models.IdempotencyLife.
// It returns idempotency_mismatch if the key was used with another fingerprint.
func (s *Units) Answered(ctx context.Context, r models.IdempotentRequest) (a models.IdempotentAnswer, found bool, err error) {
	err = s.db.ReadOne(ctx, func(db *gorm.DB) error {
		a, found, err = answered(db, r)
		return err
	})
	return a, found, err
}

// AnswerOnce runs do and returns its response. If the request already has a response from within
// models.IdempotencyLife, AnswerOnce returns that one and replayed is true.
//
// Everything that do writes through the Store with its context is committed together with the response, or not at all,
// even if the process crashes. do must not have other effects and must not wait, because the transaction holds a
// connection from the pool.
//
// A response with status 400 or above rolls back what do wrote but is stored; a response that is not final is not
// stored. If calls run concurrently, one runs do. The others wait up to keyWait for its response and then fail as
// unavailable. do may run again after a conflict.
func (s *Units) AnswerOnce(
	ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
) (a models.IdempotentAnswer, replayed bool, err error) {
	err = s.withKey(ctx, r, func(tx *gorm.DB) error {
		if a, replayed, err = answered(tx, r); err != nil || replayed {
			return err
		}
		err := pg.Nested(tx, func(tx *gorm.DB) error {
			if a, err = do(pg.Within(ctx, tx)); err == nil && a.Status >= 400 {
				err = errNotKept
			}
			return err
		})
		switch {
		case err != nil && !errors.Is(err, errNotKept):
			return err
		case !a.Final():
			return errNotKept
		}
		return keepAnswer(tx, r, a)
	})
	if errors.Is(err, errNotKept) {
		err = nil
	}
	return a, replayed, err
}

// KeepAnswer stores the response to a request whose work is not a single Postgres transaction. If another response was
// stored in the meantime, KeepAnswer returns that one and replayed is true.
func (s *Units) KeepAnswer(
	ctx context.Context, r models.IdempotentRequest, a models.IdempotentAnswer,
) (kept models.IdempotentAnswer, replayed bool, err error) {
	return s.AnswerOnce(ctx, r, func(context.Context) (models.IdempotentAnswer, error) { return a, nil })
}

// withKey runs fn in a transaction that locks the request's key across all processes.
func (s *Units) withKey(ctx context.Context, r models.IdempotentRequest, fn func(tx *gorm.DB) error) error {
	for giveUp := time.Now().Add(keyWait); ; {
		err := s.db.InTx(ctx, func(tx *gorm.DB) error {
			if err := lockKey(tx, r); err != nil {
				return err
			}
			return fn(tx)
		})
		if !errors.Is(err, errKeyHeld) {
			return err
		}
		if time.Now().After(giveUp) {
			return &models.Error{
				Code:       models.CodeUnavailable,
				Message:    "a request with this Idempotency-Key is still running; retry to get its response",
				RetryAfter: keyWait,
			}
		}
		if err := backoff.Sleep(ctx, backoff.Jitter(keyPoll)); err != nil {
			return pg.Translate(err)
		}
	}
}

// lockKey locks the request's key until the transaction ends, or returns errKeyHeld. It locks a hash of the key because
// there is no row yet, so two keys with the same hash wait for each other. Postgres releases the lock when the
// connection ends, even if the process crashes.
func lockKey(tx *gorm.DB, r models.IdempotentRequest) error {
	var locked bool
	err := tx.Raw("SELECT pg_try_advisory_xact_lock(hashtextextended(jsonb_build_array(?::bigint, ?::text, ?::text, ?::text)::text, 0))",
		r.ProjectID, r.Caller, r.Path, r.Key).Scan(&locked).Error
	if err == nil && !locked {
		return errKeyHeld
	}
	return err
}

func answered(tx *gorm.DB, r models.IdempotentRequest) (a models.IdempotentAnswer, found bool, err error) {
	var row struct {
		Fingerprint []byte
		models.IdempotentAnswer
	}
	err = tx.Table("idempotency_keys").Select("fingerprint, status, content_type, answer AS body").
		Where("project_id IS NOT DISTINCT FROM nullif(?::bigint, 0) AND caller = ? AND path = ? AND key = ? AND created_at > ?",
			r.ProjectID, r.Caller, r.Path, r.Key, tx.NowFunc().Add(-models.IdempotencyLife)).Take(&row).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		return a, false, nil
	case err != nil:
		return a, false, err
	case !bytes.Equal(row.Fingerprint, r.Fingerprint):
		return a, false, models.Errorf(models.CodeIdempotencyMismatch,
			"this Idempotency-Key was sent with another body before; use a new key for a new request")
	}
	return row.IdempotentAnswer, true, nil
}

func keepAnswer(tx *gorm.DB, r models.IdempotentRequest, a models.IdempotentAnswer) error {
	err := tx.Exec(`DELETE FROM idempotency_keys WHERE id IN (
			SELECT id FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED)`,
		tx.NowFunc().Add(-models.IdempotencyLife), answersSwept).Error
	if err != nil {
		return err
	}
	// An expired response that is not deleted yet may still have the key.
	return tx.Exec(`INSERT INTO idempotency_keys (project_id, caller, path, key, fingerprint, status, content_type, answer, created_at)
		VALUES (nullif(?::bigint, 0), ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT ON CONSTRAINT idempotency_keys_request_key DO UPDATE SET fingerprint = EXCLUDED.fingerprint,
			status = EXCLUDED.status, content_type = EXCLUDED.content_type, answer = EXCLUDED.answer, created_at = EXCLUDED.created_at`,
		r.ProjectID, r.Caller, r.Path, r.Key, r.Fingerprint, a.Status, a.ContentType, append([]byte{}, a.Body...), tx.NowFunc()).Error
}
