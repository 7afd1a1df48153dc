package rollouts

import (
	"context"
	"net/url"
	"strings"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// TemporalUI is the web UI of Temporal, in which operators look at workflows.
type TemporalUI struct {
	// URL is the address of the UI, "" if it is not known.
	URL string
	// Namespace is the Temporal namespace of the workflows.
	Namespace string
}

// workflow returns the address of a run of a workflow, or nil if the UI's address is not known.
func (t TemporalUI) workflow(id, run string) *string {
	if t.URL == "" || id == "" {
		return nil
	}
	address := strings.TrimRight(t.URL, "/") + "/namespaces/" + url.PathEscape(t.Namespace) + "/workflows/" + url.PathEscape(id)
	if run != "" {
		address += "/" + url.PathEscape(run)
	}
	return &address
}

// getExecution returns a rollout. Only callers that may give commands to rollouts see the address of Temporal's UI.
func (h *Handlers) getExecution(ctx context.Context, in *rest.IDInput) (*rest.Output[RolloutExecution], error) {
	e, err := h.Executions.Execution(ctx, rest.ProjectOf(ctx), in.ID)
	record := ExecutionRecord(e)
	if rest.CallOf(ctx).Caller.Role.Allows(models.RoleEditor) {
		record.WorkflowURL = h.TemporalUI.workflow(e.WorkflowID, e.RunID)
	}
	return &rest.Output[RolloutExecution]{Body: record}, err
}
