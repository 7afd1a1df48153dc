package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/rollout"
)

// outcome is one of the ways in which a command ends.
type outcome struct {
	exitCode int
	// code names the outcome in the errors that --json prints.
	code string
	// meaning explains the outcome in help texts and in the reference.
	meaning string
}

// The outcomes of waft. Scripts depend on the exit codes and on the codes.
var (
	done         = outcome{0, "", "done"}
	failed       = outcome{1, "error", "any other error"}
	misused      = outcome{2, "usage", "the command line is wrong: a command, a flag or an argument"}
	notCompleted = outcome{3, "rollout_not_completed", "the rollout was cancelled or rolled back"}
	pending      = outcome{4, "pending_approval", "the call waits for approval (see `waft approvals`)"}
	refused      = outcome{5, "sign_in_refused", "the server refused the key or the session, or none is set"}
	notFound     = outcome{6, "not_found", "what the command names does not exist"}
	unreachable  = outcome{7, "no_connection", "the server cannot be reached"}
	interrupted  = outcome{130, "interrupted", "interrupted, as shells report it"}

	outcomes = []outcome{done, failed, misused, notCompleted, pending, refused, notFound, unreachable, interrupted}
)

// exitCodesText returns the exit codes and their meanings for a help text.
func exitCodesText() string {
	var b strings.Builder
	for _, o := range outcomes {
		fmt.Fprintf(&b, "  %-3d  %s\n", o.exitCode, o.meaning)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// outcomeOf returns the outcome for the error that a command returned.
func outcomeOf(err error) outcome {
	var (
		ended   *rollout.EndedError
		waits   *client.PendingError
		usage   *command.UsageError
		unknown *command.NotFoundError
		signIn  *command.SignInError
		away    *url.Error
		refusal *client.Error
	)
	switch {
	case err == nil:
		return done
	case errors.Is(err, context.Canceled):
		return interrupted
	case errors.As(err, &ended):
		return notCompleted
	case errors.As(err, &waits):
		return pending
	case errors.As(err, &usage):
		return misused
	case errors.As(err, &unknown):
		return notFound
	case errors.As(err, &signIn):
		return refused
	case errors.As(err, &refusal):
		return outcomeOfStatus(refusal)
	case errors.As(err, &away):
		return unreachable
	}
	return failed
}

// outcomeOfStatus returns the outcome for an error response. A response without one of Waft's codes comes from a proxy or from
// another server. Its 401, 403 or 404 means neither that Waft refuses the key nor that a record does not exist.
func outcomeOfStatus(e *client.Error) outcome {
	switch {
	case e.Code != "" && (e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden):
		return refused
	case e.Status == http.StatusNotFound && e.Code != "":
		return notFound
	case e.Status == http.StatusBadGateway, e.Status == http.StatusServiceUnavailable, e.Status == http.StatusGatewayTimeout:
		return unreachable
	}
	return failed
}

// ExitCode returns the exit code of the process for the error that a command returned.
func ExitCode(err error) int { return outcomeOf(err).exitCode }
