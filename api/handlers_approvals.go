package api

import "log/slog"

// ApprovalsHandlers handle approvals.
type ApprovalsHandlers struct {
	Approvals Approvals
	Log       *slog.Logger
}

// NewApprovalsHandlers returns the handlers, or an error that names what is missing.
func NewApprovalsHandlers(h ApprovalsHandlers) (*ApprovalsHandlers, error) {
	if err := complete("approvals", h); err != nil {
		return nil, err
	}
	return &h, nil
}
