package store

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

const (
	// onceWait is how long a request waits for another one with the same key that
	// is still being answered.
	onceWait = 3 * time.Second
	// onceSweep is how many answers that are too old each new one clears away: more
	// than one, so that the table shrinks to what is needed.
	onceSweep = 20

	sqlLockTimeout = "55P03"
)

// answeredRequest is a row of idempotency_keys.
type answeredRequest struct {
	ID          int64
	ProjectID   *int64
	Caller      string
	Path        string
	Key         string
	Fingerprint []byte
	Status      int
	ContentType string
	Answer      []byte
	CreatedAt   time.Time
}

// TableName is what the migration calls it.
func (answeredRequest) TableName() string { return "idempotency_keys" }

// errUnanswered takes back what a request did that was not answered in the end.
var errUnanswered = errors.New("the request was not answered")

// Answered returns how the request was answered within models.IdempotencyLife;
// found is false when it was not. The same key with another fingerprint is
// idempotency_mismatch.
func (s *Store) Answered(ctx context.Context, r models.IdempotentRequest) (a models.IdempotentAnswer, found bool, err error) {
	err = s.read(ctx, func(tx *gorm.DB) error {
		a, found, err = answered(tx, r)
		return err
	})
	return a, found, err
}

// Once answers the request by do, unless it was answered within
// models.IdempotencyLife: then it returns that answer and replayed is true.
//
// Everything that do writes through the Store with the context that it is given
// is committed together with the answer, or not at all; so a process that dies at
// any moment leaves a request that is answered, or one that never was. An answer
// from 400 on takes back what do wrote and is kept; one from 500 on is not kept.
// Of several calls at once one runs do and the others wait for it, for up to
// onceWait; then they are unavailable. do may run again after a conflict.
func (s *Store) Once(
	ctx context.Context, r models.IdempotentRequest, do func(context.Context) (models.IdempotentAnswer, error),
) (a models.IdempotentAnswer, replayed bool, err error) {
	err = s.write(ctx, func(tx *gorm.DB) error {
		if err := lockRequest(tx, r); err != nil {
			return err
		}
		if a, replayed, err = answered(tx, r); err != nil || replayed {
			return err
		}
		refused := errors.New("the request was refused")
		err := nested(tx, func(tx *gorm.DB) error {
			if a, err = do(within(ctx, tx)); err != nil {
				return err
			}
			if a.Status >= 400 {
				return refused
			}
			return nil
		})
		switch {
		case err != nil && !errors.Is(err, refused):
			return err
		case a.Status >= 500:
			return errUnanswered
		}
		return keepAnswer(tx, r, a)
	})
	if errors.Is(err, errUnanswered) {
		err = nil
	}
	return a, replayed, err
}

// lockRequest makes others with the same key wait until the transaction ends. It
// locks a number made from the key, since there is no row to lock yet; two keys
// of one number only wait for each other.
func lockRequest(tx *gorm.DB, r models.IdempotentRequest) error {
	wait := strconv.FormatInt(onceWait.Milliseconds(), 10)
	if err := tx.Exec("SELECT set_config('lock_timeout', ?, true)", wait).Error; err != nil {
		return err
	}
	err := tx.Exec("SELECT pg_advisory_xact_lock(hashtextextended(jsonb_build_array(?::bigint, ?::text, ?::text, ?::text)::text, 0))",
		r.ProjectID, r.Caller, r.Path, r.Key).Error
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == sqlLockTimeout {
		return &models.Error{
			Code:       models.CodeUnavailable,
			Message:    "a request with this Idempotency-Key is still being answered; ask again for its answer",
			RetryAfter: onceWait,
			Cause:      err,
		}
	}
	if err != nil {
		return err
	}
	return tx.Exec("SET LOCAL lock_timeout TO DEFAULT").Error
}

func answered(tx *gorm.DB, r models.IdempotentRequest) (a models.IdempotentAnswer, found bool, err error) {
	var row answeredRequest
	err = tx.Where("project_id IS NOT DISTINCT FROM ? AND caller = ? AND path = ? AND key = ? AND created_at > ?",
		requestProject(r), r.Caller, r.Path, r.Key, tx.NowFunc().Add(-models.IdempotencyLife)).Take(&row).Error
	switch {
	case errors.Is(err, gorm.ErrRecordNotFound):
		return a, false, nil
	case err != nil:
		return a, false, err
	case !bytes.Equal(row.Fingerprint, r.Fingerprint):
		return a, false, models.Errorf(models.CodeIdempotencyMismatch,
			"this Idempotency-Key was sent with another body before; use a new key for a new request")
	}
	return models.IdempotentAnswer{Status: row.Status, ContentType: row.ContentType, Body: row.Answer}, true, nil
}

func keepAnswer(tx *gorm.DB, r models.IdempotentRequest, a models.IdempotentAnswer) error {
	err := tx.Exec(`DELETE FROM idempotency_keys WHERE id IN (
			SELECT id FROM idempotency_keys WHERE created_at <= ? ORDER BY created_at LIMIT ? FOR UPDATE SKIP LOCKED)`,
		tx.NowFunc().Add(-models.IdempotencyLife), onceSweep).Error
	if err != nil {
		return err
	}
	body := a.Body
	if body == nil {
		body = []byte{}
	}
	// What the sweep has not come to yet may still hold the key.
	return tx.Exec(`INSERT INTO idempotency_keys (project_id, caller, path, key, fingerprint, status, content_type, answer, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT ON CONSTRAINT idempotency_keys_request_key DO UPDATE SET fingerprint = EXCLUDED.fingerprint,
			status = EXCLUDED.status, content_type = EXCLUDED.content_type, answer = EXCLUDED.answer, created_at = EXCLUDED.created_at`,
		requestProject(r), r.Caller, r.Path, r.Key, r.Fingerprint, a.Status, a.ContentType, body, tx.NowFunc()).Error
}

// requestProject is NULL for a request about the installation.
func requestProject(r models.IdempotentRequest) *int64 {
	if r.ProjectID == 0 {
		return nil
	}
	return &r.ProjectID
}
