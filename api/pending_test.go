package api

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestACallThatMustWaitIsStored(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.updateChannel = func(string, models.ChannelPatch) (models.Channel, error) {
		return models.Channel{}, &models.ApprovalNeeded{Summary: "change it", Required: 2}
	}
	var stored models.StoredOperation
	w.store.request = func(actor models.Actor, op models.StoredOperation, needed *models.ApprovalNeeded) (models.Approval, error) {
		require.Equal(t, models.Actor{Type: models.ActorAPIKey, ID: "101", Name: "editor", RequestID: "req-1", Role: models.RoleEditor}, actor)
		require.Equal(t, "change it", needed.Summary)
		stored = op
		return models.Approval{ID: 61, Status: models.ApprovalPending, StoredOperation: op}, nil
	}
	answer := w.do(request{
		method: patch, path: "/v1/ota/channels/a%2Fb", body: `{ "isPaused": true, "minRuntimeVersion": null }`, key: w.keys[models.RoleEditor],
		header: map[string]string{"X-Request-Id": "req-1"},
	})
	require.Equal(t, http.StatusAccepted, answer.Code, answer.Body)
	require.Equal(t, "channel.update", stored.Action)
	const input = `{"channel":"a/b","change":{"minRuntimeVersion":null,"isPaused":true}}`
	require.JSONEq(t, input, string(stored.Input))
	require.Contains(t, answer.Body.String(), `"input":`+input)
}

// Only operations in the table can be applied later, so a change outside the table that asks for approval is a
// defect.
func TestAChangeThatCannotWaitDoesNotAsk(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.deleteBranch = func(string) error { return &models.ApprovalNeeded{Summary: "delete it", Required: 1} }
	answer := w.do(request{method: remove, path: "/v1/ota/branches/next", key: w.keys[models.RoleEditor]})
	require.Equal(t, http.StatusInternalServerError, answer.Code, answer.Body)
}
