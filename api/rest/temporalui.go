package rest

import (
	"context"
	"net/url"
	"strings"

	"github.com/waft-ota/waft/models"
)

// TemporalUI is the web UI of Temporal, in which operators look at workflows.
type TemporalUI struct {
	// URL is the address of the UI, "" if it is not known.
	URL string
	// Namespace is the Temporal namespace of the workflows.
	Namespace string
}

// Link returns the address of a run of a workflow, or of its newest run if run is "". It returns nil if the UI's address is not known,
// and for callers who may not change anything: the UI shows data of every project, and can end workflows.
func (t TemporalUI) Link(ctx context.Context, id, run string) *string {
	if !CallOf(ctx).Caller.Role.Allows(models.RoleEditor) {
		return nil
	}
	return t.workflow(id, run)
}

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
