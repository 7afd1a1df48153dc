package activities

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/models"
)

// classify tells Temporal what to do about an error. Domain errors that no retry
// can mend end the activity; their type is the domain error's code, so that the
// workflow can tell them apart. Everything else is tried again, after the delay
// that the error asks for if it does.
func classify(err error) error {
	var domain *models.Error
	if !errors.As(err, &domain) {
		return err
	}
	return temporal.NewApplicationErrorWithOptions(domain.Message, string(domain.Code), temporal.ApplicationErrorOptions{
		NonRetryable:   final(domain.Code),
		NextRetryDelay: domain.RetryAfter,
		Cause:          err,
	})
}

func final(code models.ErrorCode) bool {
	switch code {
	case models.CodeInvalid, models.CodeNotFound, models.CodeInvalidTransition, models.CodeExpired:
		return true
	default:
		return false
	}
}
