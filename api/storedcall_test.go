package api

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// storedPatch is an approved call that pauses a channel of demo, by a key of an editor.
func storedPatch() models.Approval {
	return models.Approval{
		ID: 61, ProjectID: demo.ID, ProjectSlug: demo.Slug, Status: models.ApprovalApproved, AuthorType: models.ActorAPIKey, AuthorID: "101",
		AuthorName: "editor", RequestID: "req-1",
		StoredCall: models.StoredCall{Method: patch, Path: "/v1/ota/channels/a%2Fb", Body: []byte(`{"isPaused":true}`)},
	}
}

func TestAStoredCallIsMadeAsItsAuthor(t *testing.T) {
	t.Parallel()
	carryOut := func(t *testing.T, w *testAPI, a models.Approval) (models.CallOutcome, error) {
		t.Helper()
		return w.deps.storedCalls(t).CarryOut(t.Context(), a)
	}
	t.Run("with what it asked for", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		var asked models.ChannelPatch
		w.store.updateChannel = func(name string, patch models.ChannelPatch) (models.Channel, error) {
			require.Equal(t, "a/b", name)
			asked = patch
			return models.Channel{}, nil
		}
		outcome, err := carryOut(t, w, storedPatch())
		require.NoError(t, err)
		require.Equal(t, models.CallOutcome{Done: true}, outcome)
		require.Equal(t, models.ChannelPatch{IsPaused: new(true)}, asked)
	})
	t.Run("by a key that has expired", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.addKey(models.APIKey{ID: 150, ProjectID: demo.ID, Role: models.RoleEditor, ExpiresAt: new(now.Add(-time.Hour))})
		a := storedPatch()
		a.AuthorID = "150"
		outcome, err := carryOut(t, w, a)
		require.NoError(t, err)
		require.True(t, outcome.Done, outcome.Refusal)
	})
	for name, a := range map[string]func(w *testAPI, a *models.Approval){
		"by a revoked key": func(w *testAPI, a *models.Approval) {
			w.addKey(models.APIKey{ID: 151, ProjectID: demo.ID, Role: models.RoleEditor, RevokedAt: &now})
			a.AuthorID = "151"
		},
		"by a key of a lower role by now": func(_ *testAPI, a *models.Approval) { a.AuthorID = "100" },
		"by a person who left":            func(_ *testAPI, a *models.Approval) { a.AuthorType, a.AuthorID = models.ActorUser, "999" },
		"that is no longer valid":         func(_ *testAPI, a *models.Approval) { a.Body = []byte(`{"isPaused":7}`) },
		"that the store refuses": func(w *testAPI, _ *models.Approval) {
			w.store.updateChannel = func(string, models.ChannelPatch) (models.Channel, error) {
				return models.Channel{}, models.Errorf(models.CodeNotFound, "there is no channel")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, call := newTestAPI(t), storedPatch()
			a(w, &call)
			outcome, err := carryOut(t, w, call)
			require.NoError(t, err)
			require.False(t, outcome.Done)
			require.NotEmpty(t, outcome.Refusal)
		})
	}
	t.Run("again, when the server failed", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		w.store.updateChannel = func(string, models.ChannelPatch) (models.Channel, error) {
			return models.Channel{}, models.Unavailable("Postgres", errors.New("gone"))
		}
		_, err := carryOut(t, w, storedPatch())
		require.ErrorContains(t, err, "503")
	})
	t.Run("again, when the process stopped", func(t *testing.T) {
		t.Parallel()
		w := newTestAPI(t)
		ctx, stop := context.WithCancel(t.Context())
		w.store.updateChannel = func(string, models.ChannelPatch) (models.Channel, error) {
			stop()
			return models.Channel{}, ctx.Err()
		}
		_, err := w.deps.storedCalls(t).CarryOut(ctx, storedPatch())
		require.ErrorContains(t, err, "499")
	})
}

// No request from outside is taken for an approved call, whatever it sends.
func TestACallThatMustWaitIsStored(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.updateChannel = func(string, models.ChannelPatch) (models.Channel, error) {
		return models.Channel{}, &models.ApprovalNeeded{Action: "channel.update", Summary: "change it", Required: 2}
	}
	var stored models.StoredCall
	w.store.request = func(actor models.Actor, call models.StoredCall, needed *models.ApprovalNeeded) (models.Approval, error) {
		require.Equal(t, models.Actor{Type: models.ActorAPIKey, ID: "101", Name: "editor", RequestID: "req-1", Role: models.RoleEditor}, actor)
		require.Equal(t, "change it", needed.Summary)
		stored = call
		return models.Approval{ID: 61, Status: models.ApprovalPending}, nil
	}
	answer := w.do(request{
		method: patch, path: "/v1/ota/channels/a%2Fb", body: `{ "isPaused": true }`, key: w.keys[models.RoleEditor],
		header: map[string]string{"X-Request-Id": "req-1"},
	})
	require.Equal(t, http.StatusAccepted, answer.Code, answer.Body)
	require.Equal(t, models.StoredCall{Method: patch, Path: "/v1/ota/channels/a%2Fb", Body: []byte(`{ "isPaused": true }`)}, stored)
}
