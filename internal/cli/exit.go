package cli

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/waft-ota/waft/models"
)

// Exit codes of waft beside 0 and 1, which is any error.
const (
	exitNotCompleted = 3   // the rollout that was watched ended, but not as completed
	exitInterrupted  = 130 // 128 + SIGINT, as shells have it
)

// ExitCode is the process's exit code for what a command returned.
func ExitCode(err error) int {
	var ended *endedError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &ended):
		return exitNotCompleted
	}
	return 1
}

// Message is what a person is told of what a command returned, "" for nothing.
func Message(err error) string {
	var unreached *url.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled): // whoever pressed Ctrl-C knows
		return ""
	case errors.As(err, &unreached):
		return fmt.Sprintf("%v; is the server running, and --url (WAFT_URL) right?", err)
	}
	return err.Error()
}

// endedError is a rollout that ended otherwise than by reaching everybody.
type endedError struct{ execution models.RolloutExecution }

func (e *endedError) Error() string {
	return fmt.Sprintf("rollout %d was %s: %s", e.execution.ID, words(string(e.execution.Status)), e.execution.Reason)
}
