// Package activities has the activities of Waft's workflows, each a thin step between a workflow's
// values and the store, the telemetry or a webhook's receiver. The interfaces that they need are
// declared here.
//
// An activity may run more than once for one step of a workflow, so each may be repeated: a read by
// its nature, a write by the fence in its input.
package activities

import (
	"errors"
	"log/slog"
	"slices"

	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

// Activities are the activities with their dependencies. Temporal registers the methods by name,
// and recorded histories contain the names.
type Activities struct {
	Rollouts RolloutStore
	Health   HealthSource

	Patches PatchStore
	Running RunningUpdates
	Files   PatchFiles
	// PatchBases bounds the releases, and the embedded updates, for which binary patches to a
	// release are made.
	PatchBases int

	FileStore  FileStore
	Compressor Compressor

	Approvals  ApprovalStore
	Operations Operations

	Mails MailStore
	// Mailer is nil without a mail server.
	Mailer Mailer
	Log    *slog.Logger

	Deliveries DeliveryStore
	Sender     Sender
	// PublicURL is where people reach Waft, without a slash at its end: messages to chats link to it, and have no
	// links when it is empty.
	PublicURL string
	// WebhookSchedule is when a failed message is sent again.
	WebhookSchedule webhookclient.Schedule
	// Attempted is called after every attempt, unless nil.
	Attempted func(webhookclient.Result, models.DeliveryOutcome)
	Lanes     Lanes
}

// classify converts a domain error for Temporal. One that a retry cannot resolve ends the activity;
// its type is the domain error's code, for the workflow. Other errors are retried, after RetryAfter
// if that is set.
func classify(err error) error {
	var domain *models.Error
	if !errors.As(err, &domain) {
		return err
	}
	final := []models.ErrorCode{
		models.CodeInvalid, models.CodeNotFound, models.CodeInvalidTransition, models.CodeExpired,
		models.CodeForbidden, models.CodeApprovalPending,
	}
	return temporal.NewApplicationErrorWithOptions(domain.Message, string(domain.Code), temporal.ApplicationErrorOptions{
		NonRetryable:   slices.Contains(final, domain.Code),
		NextRetryDelay: domain.RetryAfter,
		Cause:          err,
	})
}
