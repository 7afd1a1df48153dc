package workflows

import (
	"errors"
	"strings"
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"github.com/waft-ota/waft/models"
)

// maxAnswered bounds the commands that a history hands on to the next one. It is more
// than people give one rollout within models.IdempotencyLife.
const maxAnswered = 100

// AnsweredCommand is a command that its sender may send again, and how it was
// answered. Temporal knows a command by the id of its update, and that only within one
// history; the history that continues it has these.
type AnsweredCommand struct {
	// UpdateID is the name that the sender gave it; see updateID.
	UpdateID string    `json:"updateId"`
	At       time.Time `json:"at"`
	// ErrorType and Message are those of its refusal; "" for one that was carried out.
	ErrorType string `json:"errorType,omitempty"`
	Message   string `json:"message,omitempty"`
}

// again finds the command that the update at hand repeats. Only commands answered in
// an earlier history come here a second time.
func (r *rolloutRun) again(ctx workflow.Context) (a AnsweredCommand, found bool) {
	id := workflow.GetCurrentUpdateInfo(ctx).ID
	for _, a := range r.answered {
		if a.UpdateID == id {
			return a, true
		}
	}
	return AnsweredCommand{}, false
}

// remember keeps how the update at hand was answered, if its sender named it.
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

// handedOn are the commands that the next history must know, oldest first.
func (r *rolloutRun) handedOn(now time.Time) []AnsweredCommand {
	var kept []AnsweredCommand
	for _, a := range r.answered {
		if now.Sub(a.At) < models.IdempotencyLife {
			kept = append(kept, a)
		}
	}
	return kept[max(len(kept)-maxAnswered, 0):]
}

// outcome is the answer once more.
func (a AnsweredCommand) outcome() error {
	if a.ErrorType == "" {
		return nil
	}
	return temporal.NewApplicationError(a.Message, a.ErrorType)
}
