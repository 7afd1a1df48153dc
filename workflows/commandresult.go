package workflows

import (
	"errors"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// maxAnswered is the maximum number of commands that a history passes to the next history. It is more than a rollout gets
// within models.IdempotencyLife.
const maxAnswered = 100

// AnsweredCommand is the result of a command that its sender may repeat. Temporal recognizes a repeated update ID only
// within one history, so the workflow passes these results to the next history.
type AnsweredCommand struct {
	// UpdateID identifies the command; see updateID.
	UpdateID string    `json:"updateId"`
	At       time.Time `json:"at"`
	// ErrorType and Message describe the command's error. They are "" if the command succeeded.
	ErrorType string `json:"errorType,omitempty"`
	Message   string `json:"message,omitempty"`
}

// again returns the result of the command that the current update repeats, if an earlier history contains it.
func (r *rolloutRun) again(ctx workflow.Context) (a AnsweredCommand, found bool) {
	id := workflow.GetCurrentUpdateInfo(ctx).ID
	for _, a := range r.answered {
		if a.UpdateID == id {
			return a, true
		}
	}
	return AnsweredCommand{}, false
}

// remember stores the result of the current update if the command has a request ID.
func (r *rolloutRun) remember(ctx workflow.Context, command models.RolloutCommand, err error) {
	id := workflow.GetCurrentUpdateInfo(ctx).ID
	if !strings.HasPrefix(id, updatePrefix(command)) {
		return
	}
	a := AnsweredCommand{UpdateID: id, At: clockTime(ctx)}
	var refused *temporal.ApplicationError
	if errors.As(err, &refused) {
		a.ErrorType, a.Message = refused.Type(), refused.Message()
	}
	r.answered = append(r.answered, a)
}

// handedOn returns the commands for the next history, oldest first.
func (r *rolloutRun) handedOn(now time.Time) []AnsweredCommand {
	var kept []AnsweredCommand
	for _, a := range r.answered {
		if now.Sub(a.At) < models.IdempotencyLife {
			kept = append(kept, a)
		}
	}
	return kept[max(len(kept)-maxAnswered, 0):]
}

// outcome returns the error of the command, or nil.
func (a AnsweredCommand) outcome() error {
	if a.ErrorType == "" {
		return nil
	}
	return temporal.NewApplicationError(a.Message, a.ErrorType)
}
