package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// Approval waits until a call is approved or rejected, or until it expires, and then has an approved call applied. The
// decision is in Postgres.
func Approval(ctx workflow.Context, s models.ApprovalStart) (ApprovalResult, error) {
	requested := ctx
	ctx, _ = workflow.NewDisconnectedContext(ctx) // a cancelled wait also ends with an activity
	result := ApprovalResult{Status: models.ApprovalPending}
	decided := workflow.GetSignalChannel(ctx, SignalDecided)
	for {
		step := models.ApprovalStep{ApprovalStart: s, Cancelled: requested.Err() != nil}
		settle := takenOver(ctx, settleTimeout, "apply the call or end the wait, if there is a decision")
		err := workflow.ExecuteActivity(settle, ActivitySettleApproval, step).Get(ctx, &result.Status)
		if isType(err, models.CodeNotFound) {
			return ApprovalResult{Status: models.ApprovalExpired}, nil // deleted with its project
		}
		if err != nil {
			return result, err
		}
		if err := workflow.UpsertTypedSearchAttributes(ctx, attributeStatus.ValueSet(string(result.Status))); err != nil {
			return result, err
		}
		workflow.SetCurrentDetails(ctx, fmt.Sprintf("**%s**: %s", result.Status, s.Summary))
		if !result.Status.Open() {
			receiveAll(decided) // the SDK warns of signals that the workflow does not receive
			return result, nil
		}
		called := func() bool { return decided.Len() > 0 || requested.Err() != nil }
		// At the end of the wait, Postgres's clock may still be slightly before the expiry.
		left := max(s.ExpiresAt.Sub(clockTime(ctx)), time.Second)
		_, err = workflow.AwaitWithOptions(ctx, workflow.AwaitOptions{
			Timeout: left, TimerOptions: workflow.TimerOptions{Summary: "until the call expires"},
		}, called)
		if err != nil {
			return result, err
		}
		receiveAll(decided) // the activity reads the decision next
	}
}

func receiveAll(signals workflow.ReceiveChannel) {
	for signals.ReceiveAsync(nil) {
	}
}
