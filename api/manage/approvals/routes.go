package approvals

import (
	"net/http"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Routes returns the routes of approvals.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/approvals", Access: rest.Viewer,
			Schemas: rest.SchemasOf(PendingApproval{}),
			Serve:   rest.Operation(listApprovalsDoc, h.listApprovals),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/approvals/{id}", Access: rest.Viewer,
			Serve: rest.Operation(getApprovalDoc, h.getApproval),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/approvals/{id}/approve", Access: rest.Editor,
			Serve: rest.Operation(approveApprovalDoc, h.decide(models.VerdictApprove)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/approvals/{id}/withdraw", Access: rest.Editor,
			Serve: rest.Operation(withdrawApprovalDoc, h.withdraw),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/approvals/{id}/reject", Access: rest.Editor, ChannelKeys: true,
			Serve: rest.Operation(rejectApprovalDoc, h.decide(models.VerdictReject)),
		},
	}
}
