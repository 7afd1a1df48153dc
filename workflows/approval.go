package workflows

import (
	"fmt"
	"time"

	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// Approval waits until people have decided about a call, or its time is up, and has it carried out
// when they approved. Postgres holds the decision: a signal only says that there is one.
func Approval(ctx workflow.Context, s models.ApprovalStart) (ApprovalResult, error) {
	requested := ctx
	ctx, _ = workflow.NewDisconnectedContext(ctx) // the end of a cancelled wait takes an activity, too
	result := ApprovalResult{Status: models.ApprovalPending}
	decided := workflow.GetSignalChannel(ctx, SignalDecided)
	for {
		step := models.ApprovalStep{ApprovalStart: s, Cancelled: requested.Err() != nil}
		settle := takenOver(ctx, settleTimeout, "carry the call out, or end the wait, if it is decided")
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
			receiveAll(decided) // the SDK warns of signals that nothing receives
			return result, nil
		}
		called := func() bool { return decided.Len() > 0 || requested.Err() != nil }
		// At the end of the wait Postgres's clock may be a little behind.
		left := max(s.ExpiresAt.Sub(clockTime(ctx)), time.Second)
		_, err = workflow.AwaitWithOptions(ctx, workflow.AwaitOptions{
			Timeout: left, TimerOptions: workflow.TimerOptions{Summary: "until the call expires"},
		}, called)
		if err != nil {
			return result, err
		}
		receiveAll(decided) // what they say is read next
	}
}

func receiveAll(signals workflow.ReceiveChannel) {
	for signals.ReceiveAsync(nil) {
	}
}
