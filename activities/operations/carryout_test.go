package operations

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// world contains the services of a test. It reads one key, and update changes a channel.
type world struct {
	Releases
	Rollouts
	Flags
	key    models.APIKey
	update func(name string, patch models.ChannelPatch) error
}

func (w *world) operations() *Operations {
	return &Operations{Releases: w, Rollouts: w, Flags: w, Authors: w}
}

func (w *world) APIKey(context.Context, int64, int64) (models.APIKey, error) { return w.key, nil }

func (w *world) User(context.Context, int64) (models.User, error) {
	return models.User{}, models.Errorf(models.CodeNotFound, "there is no such user")
}

func (w *world) Role(context.Context, int64, models.User) (models.Role, error) { panic("unused") }

func (w *world) UpdateChannel(
	_ context.Context, _ int64, actor models.Actor, name string, patch models.ChannelPatch,
) (models.Channel, error) {
	if actor.ApprovalID != 61 || actor.Role != w.key.Role || len(actor.Channels) != len(w.key.Channels) {
		return models.Channel{}, errors.New("another actor")
	}
	return models.Channel{}, w.update(name, patch)
}

// pausing returns an approved call by an editor's key that pauses a channel.
func pausing() models.Approval {
	return models.Approval{
		ID: 61, ProjectID: 1, ProjectSlug: "demo", Status: models.ApprovalApproved, AuthorType: models.ActorAPIKey, AuthorID: "101",
		AuthorName: "ci", RequestID: "req-1",
		StoredOperation: models.StoredOperation{
			Action: "channel.update", InputVersion: 1,
			Input: []byte(`{"channel":"a/b","change":{"isPaused":true,"rolloutBranchName":null}}`),
		},
	}
}

// newWorld returns a world in which the call is allowed.
func newWorld() *world {
	return &world{
		key:    models.APIKey{ID: 101, Role: models.RoleEditor, Channels: []string{"a/b"}},
		update: func(string, models.ChannelPatch) error { return nil },
	}
}

func TestAnApprovedOperationIsCarriedOutAsItsAuthor(t *testing.T) {
	t.Parallel()
	w := newWorld()
	var asked models.ChannelPatch
	w.update = func(name string, patch models.ChannelPatch) error {
		require.Equal(t, "a/b", name)
		asked = patch
		return nil
	}
	outcome, err := w.operations().CarryOut(t.Context(), pausing())
	require.NoError(t, err)
	require.Equal(t, models.CallOutcome{Done: true}, outcome)
	require.Equal(t, models.ChannelPatch{IsPaused: new(true), RolloutBranchName: models.Nullable[string]{Set: true}}, asked)

	w.key.ExpiresAt = new(time.Unix(1, 0))
	outcome, err = w.operations().CarryOut(t.Context(), pausing())
	require.NoError(t, err)
	require.True(t, outcome.Done, "the call of an expired key is still applied")
}

func TestAnOperationThatNoLongerAppliesIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  func(w *world, a *models.Approval)
		refusal string
	}{
		"by a revoked key": {
			func(w *world, _ *models.Approval) { w.key.RevokedAt = new(time.Unix(1, 0)) }, "no longer has access to the project",
		},
		"by a key of a lower role by now": {
			func(w *world, _ *models.Approval) { w.key.Role = models.RoleViewer }, "the requester ci is a viewer",
		},
		"by a person who left": {
			func(_ *world, a *models.Approval) { a.AuthorType = models.ActorUser }, "no longer has access to the project",
		},
		"of another version": {func(_ *world, a *models.Approval) { a.InputVersion = 2 }, "make the call again"},
		"that is unknown":    {func(_ *world, a *models.Approval) { a.Action = "channel.paint" }, "make the call again"},
		"with another type": {
			func(_ *world, a *models.Approval) { a.Input = []byte(`{"channel":"a","change":{"isPaused":7}}`) }, "cannot be read",
		},
		"with an unknown field": {
			func(_ *world, a *models.Approval) { a.Input = []byte(`{"channel":"a","change":{"paused":true}}`) }, `unknown field "paused"`,
		},
		"with something after its end": {func(_ *world, a *models.Approval) { a.Input = append(a.Input, "{}"...) }, "trailing data"},
		"that is not valid any more": {
			func(_ *world, a *models.Approval) {
				a.Input = []byte(`{"channel":"a","change":{"requiredApprovals":99}}`)
			}, "requiredApprovals: must",
		},
		"that the store refuses": {func(w *world, _ *models.Approval) {
			w.update = func(string, models.ChannelPatch) error {
				return models.Errorf(models.CodeNotFound, "there is no channel")
			}
		}, "there is no channel"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, a := newWorld(), pausing()
			c.change(w, &a)
			outcome, err := w.operations().CarryOut(t.Context(), a)
			require.NoError(t, err)
			require.False(t, outcome.Done)
			require.Contains(t, outcome.Refusal, c.refusal)
		})
	}
}

func TestWhatIsUnavailableIsTriedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld()
	ctx, stop := context.WithCancel(t.Context())
	for _, c := range []struct {
		name string
		fail func() error
	}{
		{"Postgres is unavailable", func() error { return models.Unavailable("Postgres", errors.New("gone")) }},
		{"the process stops", func() error { stop(); return ctx.Err() }},
		{"stopped in between", func() error { return models.Errorf(models.CodeForbidden, "no") }},
	} {
		w.update = func(string, models.ChannelPatch) error { return c.fail() }
		_, err := w.operations().CarryOut(ctx, pausing())
		require.Error(t, err, c.name)
	}
}

func TestAFailureOfTheCallIsAnOutcome(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.update = func(string, models.ChannelPatch) error { return errors.New("surprise") }
	outcome, err := w.operations().CarryOut(t.Context(), pausing())
	require.NoError(t, err)
	require.False(t, outcome.Failure.Final)
	require.Equal(t, "channel.update: surprise", outcome.Failure.Detail)

	w.update = func(string, models.ChannelPatch) error { panic("surprise") }
	outcome, err = w.operations().CarryOut(t.Context(), pausing())
	require.NoError(t, err)
	require.True(t, outcome.Failure.Final)
	require.Contains(t, outcome.Failure.Detail, "panic in channel.update: surprise")
	require.NotContains(t, outcome.Failure.Reason, "surprise")
	require.False(t, outcome.Done)
}
