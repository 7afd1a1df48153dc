package e2e

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// auditKind is one form of entries in an audit log.
type auditKind struct {
	Action, EntityType string
	Details            []byte
}

// requireTrueExamples compares the examples of events with everything that a server has recorded. An example must have
// every detail that a webhook gets, in the same form, and must name the same kind of record. In an event about a
// change, the changed fields may differ.
func requireTrueExamples(t *testing.T, databaseURL string) {
	t.Helper()
	conn, err := pgx.Connect(context.WithoutCancel(t.Context()), databaseURL)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows, err := conn.Query(context.WithoutCancel(t.Context()),
		"SELECT DISTINCT action, entity_type, details FROM audit_log WHERE action <> 'project.deleted'")
	require.NoError(t, err)
	kinds, err := pgx.CollectRows(rows, pgx.RowToStructByPos[auditKind])
	require.NoError(t, err)
	require.NotEmpty(t, kinds)
	for _, kind := range kinds {
		event, ok := models.EventNamed(kind.Action)
		require.True(t, ok, kind.Action)
		require.Equal(t, event.Entity, kind.EntityType, kind.Action)
		var details map[string]any
		require.NoError(t, json.Unmarshal(kind.Details, &details))
		changes := false
		for _, value := range event.Details {
			changes = changes || isChange(value)
		}
		entry := models.AuditEntry{EntityType: kind.EntityType, Details: details}
		for name, value := range entry.DetailsFor(false) {
			example, known := event.Details[name]
			require.True(t, known || changes && isChange(value), "%s has the detail %q, the example does not", kind.Action, name)
			require.True(t, !known || isChange(example) == isChange(value), "%s: %q", kind.Action, name)
		}
	}
}

func isChange(value any) bool {
	change, ok := value.(map[string]any)
	_, before := change["before"]
	_, after := change["after"]
	return ok && before && after
}
