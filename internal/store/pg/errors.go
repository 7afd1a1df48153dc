package pg

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"github.com/waft-ota/waft/models"
)

// beginError is the error of a transaction that never began, so it did not write anything.
type beginError struct{ error }

func (e *beginError) Unwrap() error { return e.error }

// commitError is the error of a commit without a response: the transaction may have been committed.
type commitError struct{ error }

func (e *commitError) Unwrap() error { return e.error }

// constraintErrors maps constraints to the errors that callers get if a row violates them. Constraints that only a bug
// can violate are not listed.
var constraintErrors = map[string]*models.Error{
	"projects_slug_key":        models.Errorf(models.CodeAlreadyExists, "a project with this slug already exists"),
	"api_keys_prefix_key":      models.Errorf(models.CodeAlreadyExists, "a key with this prefix already exists; try again"),
	"users_email_key":          models.Errorf(models.CodeAlreadyExists, "an account with this email address already exists"),
	"passkeys_credential_key":  models.Errorf(models.CodeAlreadyExists, "this passkey is already registered"),
	"terminal_logins_code_key": models.Errorf(models.CodeAlreadyExists, "another sign-in of a terminal has this code"),
	"invitations_email_key":    models.Errorf(models.CodeAlreadyExists, "this address is already invited; delete the invitation first"),
	"branches_name_key":        models.Errorf(models.CodeAlreadyExists, "a branch with this name already exists"),
	"channels_name_key":        models.Errorf(models.CodeAlreadyExists, "a channel with this name already exists"),
	"user_overrides_user_key":  models.Errorf(models.CodeAlreadyExists, "this user already has an override; delete it first"),
	"branches_live_check":      models.Errorf(models.CodeNotFound, "the branch has been deleted"),
	"branches_unused_check":    models.Errorf(models.CodeInUse, "a channel or a user override points to the branch"),
	"builds_embedded_key":      models.Errorf(models.CodeAlreadyExists, "a build with this embeddedUpdateId already exists"),
	"releases_group_key": models.Errorf(models.CodeAlreadyExists, "the group already has a release for this "+
		"platform and branch; use a new groupId"),
	"flags_key_key":                 models.Errorf(models.CodeAlreadyExists, "a flag with this key already exists"),
	"segments_key_key":              models.Errorf(models.CodeAlreadyExists, "a segment with this key already exists"),
	"rollout_policies_locked_check": models.Errorf(models.CodePolicyLocked, "rollouts under this policy are running or paused"),
	"rollout_executions_open_key":   models.Errorf(models.CodeRolloutInProgress, "a rollout of this release is already running or paused"),
}

// Codes and classes of Postgres errors. See appendix A of the Postgres manual.
const (
	sqlSerializationFailure = "40001"
	sqlDeadlock             = "40P01"
	sqlForeignKey           = "23503"
	sqlLockNotAvailable     = "55P03" // after lock_timeout
	sqlReadOnly             = "25006" // a standby, in the middle of a failover
	sqlBadUnicode           = "22P05" // \u0000 inside JSON
	sqlBadEncoding          = "22021" // NUL or broken UTF-8 inside text
	sqlClassConnection      = "08"
	sqlClassResources       = "53"
	sqlClassOperator        = "57P" // shutting down, starting up
)

// Translate returns a database error as an error of package models if a caller can do something about it. It returns
// errors of package models and other errors unchanged.
func Translate(err error) error {
	var domain *models.Error
	var refused *pgconn.PgError
	switch {
	case err == nil, errors.As(err, &domain):
		return err
	case connectionFailed(err):
		return unavailable(err)
	case errors.As(err, &refused):
		return translateRefusal(refused)
	case errors.Is(err, gorm.ErrRecordNotFound):
		return &models.Error{Code: models.CodeNotFound, Message: "this record does not exist", Cause: err}
	default:
		return err // not from Postgres: for example, a secret that cannot be decrypted
	}
}

// translateRefusal translates an error that Postgres itself returned.
func translateRefusal(refused *pgconn.PgError) error {
	if known, ok := constraintErrors[refused.ConstraintName]; ok {
		return &models.Error{Code: known.Code, Message: known.Message, Cause: refused}
	}
	switch {
	case conflict(refused):
		return &models.Error{
			Code:       models.CodeUnavailable,
			Message:    "too many changes of the same records at the same time; nothing was changed, try again",
			RetryAfter: models.Unavailable("", nil).RetryAfter,
			Cause:      refused,
		}
	case refused.Code == sqlLockNotAvailable:
		e := models.Unavailable("", refused)
		e.Message = "the project is being changed; nothing was changed by this request, try again"
		return e
	case refused.Code == sqlForeignKey && strings.HasSuffix(refused.ConstraintName, "_project_fkey"):
		return &models.Error{Code: models.CodeNotFound, Message: "the project does not exist", Cause: refused}
	case refused.Code == sqlBadUnicode, refused.Code == sqlBadEncoding:
		return &models.Error{Code: models.CodeInvalid, Message: "a string contains a character that cannot be stored (NUL)", Cause: refused}
	default:
		return fmt.Errorf("postgres: %w", refused)
	}
}

// unavailable returns the error for an unreachable Postgres. If the connection was lost during a commit, the change may
// have been made.
func unavailable(err error) error {
	e := models.Unavailable("Postgres", err)
	var lost *commitError
	if errors.As(err, &lost) {
		e.Message = "the connection to Postgres was lost while saving, so the change was made completely or not at all; " +
			"read the record before you try again"
	}
	return e
}

// retryable reports whether the transaction may succeed if it runs again immediately. That is so if it conflicted with
// another transaction, or if its pooled connection was dead before the first statement. If Postgres does not accept
// connections, the transaction is not retried.
func retryable(err error) bool {
	var refused *pgconn.PgError
	if errors.As(err, &refused) && conflict(refused) {
		return true
	}
	var begin *beginError
	var connect *pgconn.ConnectError
	return errors.As(err, &begin) && connectionFailed(err) && !errors.As(err, &connect) && !pgconn.Timeout(err)
}

// IsConflict reports whether a translated error was caused by a conflict with another transaction.
func IsConflict(err error) bool {
	var refused *pgconn.PgError
	return errors.As(err, &refused) && (conflict(refused) || refused.Code == sqlLockNotAvailable)
}

func conflict(refused *pgconn.PgError) bool {
	// Only previews can collide with another release's time, because they do not lock the project's release clock.
	clock := refused.ConstraintName == "releases_created_at_key" || refused.ConstraintName == "release_aliases_created_at_key"
	return clock || refused.Code == sqlSerializationFailure || refused.Code == sqlDeadlock
}

// connectionFailed reports whether Postgres is unreachable or unable to work. It returns false if the caller cancelled,
// or if Postgres refused the request itself.
func connectionFailed(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	var refused *pgconn.PgError
	if errors.As(err, &refused) {
		return strings.HasPrefix(refused.Code, sqlClassConnection) || strings.HasPrefix(refused.Code, sqlClassResources) ||
			strings.HasPrefix(refused.Code, sqlClassOperator) || refused.Code == sqlReadOnly
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, net.ErrClosed) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}
