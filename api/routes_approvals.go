package api

import (
	"net/http"

	"github.com/waft-ota/waft/models"
)

// routes are the rows of approvals.
func (h *ApprovalsHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/ota/approvals", access: viewer,
			schemas: schemasOf(PendingApproval{}),
			serve:   operation(listApprovalsDoc, h.listApprovals),
		},
		{
			method: http.MethodGet, path: "/v1/ota/approvals/{id}", access: viewer,
			serve: operation(getApprovalDoc, getting(h.Approvals, Approvals.Approval, approvalRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/approvals/{id}/approve", access: editor,
			serve: operation(approveApprovalDoc, h.decide(models.VerdictApprove)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/approvals/{id}/reject", access: editor,
			serve: operation(rejectApprovalDoc, h.decide(models.VerdictReject)),
		},
	}
}
