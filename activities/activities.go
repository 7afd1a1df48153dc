// Package activities contains the activities of Waft's workflows. Each is a thin step between a workflow's values and
// the store, the telemetry or a webhook's receiver. The interfaces that they need are declared here.
//
// An activity may run more than once for one step of a workflow, so each is safe to repeat: reads by their nature,
// writes because of the fence in their input.
package activities

import (
	"errors"
	"log/slog"
	"slices"

	"go.temporal.io/sdk/temporal"

	"github.com/waft-ota/waft/internal/webhookclient"
	"github.com/waft-ota/waft/models"
)

// Activities contains the activities and their dependencies. Temporal registers the methods by name, and recorded
// histories contain the names.
type Activities struct {
	Rollouts RolloutStore
	Health   HealthSource

	Patches PatchStore
	Running RunningUpdates
	Files   PatchFiles
	// PatchBases is the maximum number of releases, and of embedded updates, from which binary patches to a release are
	// made.
	PatchBases int

	FileStore  FileStore
	Compressor Compressor

	Approvals  ApprovalStore
	Operations Operations

	Schedules          ScheduleStore
	ScheduleOperations ScheduleOperations

	Mails MailStore
	// Mailer is nil without a mail server.
	Mailer Mailer
	Log    *slog.Logger

	Deliveries DeliveryStore
	Sender     Sender
	// PublicURL is the URL at which people reach Waft, without a slash at its end. Chat messages link to it; they do
	// not have links if it is empty.
	PublicURL string
	// WebhookSchedule determines when a failed message is sent again.
	WebhookSchedule webhookclient.Schedule
	// Attempted is called after every attempt, unless it is nil.
	Attempted func(webhookclient.Result, models.DeliveryOutcome)
	Lanes     Lanes
}

// classify converts a domain error for Temporal. An error that a retry cannot resolve ends the activity; its type is
// the domain error's code, for the workflow. Other errors are retried, after RetryAfter if that is set.
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
