package api

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// Audit reads the audit log.
type Audit interface {
	ListAudit(
		ctx context.Context, projectID int64, filter models.AuditFilter, page models.Page,
	) ([]models.AuditEntry, error)
}

type auditHandlers struct{ audit Audit }

var listAuditDoc = huma.Operation{
	OperationID: "listAuditLog", Tags: []string{tagAudit}, Summary: "List changes",
	Description: "All changes to the project. Each entry is written in the transaction of its change.",
}

// auditInput is a PageQuery with the audit log's own default.
type auditInput struct {
	Limit  int   `query:"limit" default:"200" minimum:"1" maximum:"200" doc:"Most entries to answer."`
	Before int64 `query:"before" minimum:"1" doc:"Only entries with a lower id than this one."`

	Action     string `query:"action" doc:"Only this action." example:"build.published"`
	EntityType string `query:"entity_type" doc:"Only changes of this kind of record." example:"update"`
	EntityID   string `query:"entity_id" doc:"Only changes of the record with this id."`
}

func (h auditHandlers) list(ctx context.Context, in *auditInput) (*List[AuditEntry], error) {
	filter := models.AuditFilter{Action: in.Action, EntityType: in.EntityType, EntityID: in.EntityID}
	return listed(ctx, PageQuery{Limit: in.Limit, Before: in.Before}, auditRecord, func(p models.Page) ([]models.AuditEntry, error) {
		return h.audit.ListAudit(ctx, projectOf(ctx), filter, p)
	})
}
