package models

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrorCode is the stable snake_case code of an error response.
type ErrorCode string

const (
	CodeInvalid             ErrorCode = "invalid_request"
	CodeUnauthenticated     ErrorCode = "unauthenticated"
	CodeForbidden           ErrorCode = "forbidden"
	CodeReauthenticate      ErrorCode = "reauthentication_required"
	CodeNotFound            ErrorCode = "not_found"
	CodeQuotaExceeded       ErrorCode = "quota_exceeded"
	CodeAlreadyExists       ErrorCode = "already_exists"
	CodeInUse               ErrorCode = "in_use"
	CodePolicyLocked        ErrorCode = "policy_locked"
	CodeApprovalPending     ErrorCode = "approval_pending"
	CodeRolloutInProgress   ErrorCode = "rollout_in_progress"
	CodeGoalDisabled        ErrorCode = "goal_disabled"
	CodeInvalidTransition   ErrorCode = "invalid_transition"
	CodeIdempotencyMismatch ErrorCode = "idempotency_mismatch"
	CodeFilesMissing        ErrorCode = "files_missing"
	CodeTooLarge            ErrorCode = "too_large"
	CodeNotAcceptable       ErrorCode = "not_acceptable"
	CodeUnsupportedMedia    ErrorCode = "unsupported_media_type"
	CodeRateLimited         ErrorCode = "rate_limited"
	CodeUnavailable         ErrorCode = "unavailable"
	CodePreconditionFailed  ErrorCode = "precondition_failed"
	CodePreconditionNeeded  ErrorCode = "precondition_required"
	CodeInternal            ErrorCode = "internal"
)

// CodeExpired refuses a step whose sender has stopped waiting; see ExecutionChange. Callers of the API never see it.
const CodeExpired ErrorCode = "expired"

// FieldError is a problem with one input field. Field is a path such as "stages[1].percentage".
type FieldError struct {
	Field   string
	Message string
}

// Error is an error that may be shown to a caller, except its Cause, which is for the log.
type Error struct {
	Code       ErrorCode
	Message    string
	Fields     []FieldError
	RetryAfter time.Duration
	// Part is the part of Waft whose outage caused the error, "" for any other error.
	Part Part
	// Goal is set for CodeGoalDisabled.
	Goal  *RollbackGoal
	Cause error
}

// Part is a part of Waft that may be unavailable while the rest works.
type Part string

// Parts with a message of their own in the dashboard.
const (
	PartPostgres   Part = "postgres"
	PartClickHouse Part = "clickhouse"
	PartTemporal   Part = "temporal"
	// PartWorker is the worker that applies rollouts.
	PartWorker Part = "worker"
)

// parts are the parts by the names that Unavailable takes.
var parts = map[string]Part{
	"Postgres": PartPostgres, "ClickHouse": PartClickHouse, "Temporal": PartTemporal, "the rollout worker": PartWorker,
}

func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.Code, e.Message)
	for _, f := range e.Fields {
		fmt.Fprintf(&b, "; %s: %s", f.Field, f.Message)
	}
	if e.Cause != nil {
		fmt.Fprintf(&b, ": %v", e.Cause)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Cause }

// Errorf returns an Error with the given code and a message for the caller.
func Errorf(code ErrorCode, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Unavailable returns an Error that tells the caller to try again because a part of Waft, such as Postgres, is unavailable.
func Unavailable(what string, cause error) *Error {
	return &Error{
		Code:       CodeUnavailable,
		Message:    what + " is unavailable; nothing was changed, try again",
		RetryAfter: 2 * time.Second,
		Part:       parts[what],
		Cause:      cause,
	}
}

// CodeOf returns the code of the first Error in err's chain, CodeInternal if the chain does not contain an Error, and "" for nil.
func CodeOf(err error) ErrorCode {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &e):
		return e.Code
	}
	return CodeInternal
}

// Problems collects every invalid field of one input, so that a caller can correct all of them together.
type Problems []FieldError

// Add records a problem with a field.
func (p *Problems) Add(field, format string, args ...any) {
	*p = append(*p, FieldError{Field: field, Message: fmt.Sprintf(format, args...)})
}

// Err returns a CodeInvalid Error that lists every problem, or nil if there are no problems.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	e := Errorf(CodeInvalid, "the request has %d invalid fields", len(p))
	if len(p) == 1 {
		e = Errorf(CodeInvalid, "%s: %s", p[0].Field, p[0].Message)
	}
	e.Fields = p
	return e
}
