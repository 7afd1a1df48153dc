package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// Message returns what to print for the error that a command returned, or "". It removes control characters, so that
// a server's response can only be displayed.
func Message(err error) string {
	lines := strings.Split(message(err), "\n")
	for i, line := range lines {
		lines[i] = terminal.Plain(line)
	}
	return strings.Join(lines, "\n")
}

func message(err error) string {
	var waits *client.PendingError
	var linked *command.LinkedError
	switch {
	case errors.As(err, &linked):
		return message(linked.Err) + "\n" + linked.Link
	case err == nil, errors.Is(err, context.Canceled):
		return ""
	case errors.As(err, &waits):
		return pendingMessage(err)
	}
	if fix := fixFor(err); fix != "" {
		return err.Error() + "; " + fix
	}
	return err.Error()
}

// pendingMessage describes the approvals that a call waits for, and the next step for each.
func pendingMessage(err error) string {
	var p *client.PendingError
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		var lines []string
		for _, one := range several.Unwrap() {
			lines = append(lines, message(one))
		}
		return strings.Join(lines, "\n")
	}
	errors.As(err, &p)
	return fmt.Sprintf("nothing has changed yet: %s\n"+
		"See it with `waft approvals show %d`. Someone else must approve it with `waft approvals approve %d`.",
		p.Error(), p.Approval.ID, p.Approval.ID)
}

// errorRecord is the JSON of an error. With --json, waft prints it within an object with the field error.
type errorRecord struct {
	// Code is the code of the API's problem, or the name of an outcome.
	Code     string `json:"code"`
	Message  string `json:"message"`
	ExitCode int    `json:"exitCode"`
	// RequestID identifies the request in the server's log; absent if the server did not respond.
	RequestID string `json:"requestId,omitempty"`
	// Fields are the invalid fields of the request.
	Fields []fieldRecord `json:"fields,omitempty"`
	// ApprovalIDs are the approvals that the call waits for.
	ApprovalIDs []int64 `json:"approvalIds,omitempty"`
}

// fieldRecord is an invalid field of a request.
type fieldRecord struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// errorRecordOf returns the record of the error that a command returned.
func errorRecordOf(err error) errorRecord {
	o := outcomeOf(err)
	r := errorRecord{Code: o.code, Message: Message(err), ExitCode: o.exitCode, ApprovalIDs: approvalsOf(err)}
	if o == interrupted {
		r.Message = "interrupted"
	}
	var refusal *client.Error
	if errors.As(err, &refusal) {
		r.RequestID = refusal.RequestID
		for _, f := range refusal.Fields {
			r.Fields = append(r.Fields, fieldRecord(f))
		}
		if refusal.Code != "" {
			r.Code = string(refusal.Code)
		}
	}
	return r
}

// approvalsOf returns the IDs of the approvals that the error names, in the error's order.
func approvalsOf(err error) (ids []int64) {
	var several interface{ Unwrap() []error }
	var waits *client.PendingError
	switch {
	case errors.As(err, &several):
		for _, one := range several.Unwrap() {
			ids = append(ids, approvalsOf(one)...)
		}
	case errors.As(err, &waits):
		ids = []int64{waits.Approval.ID}
	}
	return ids
}
