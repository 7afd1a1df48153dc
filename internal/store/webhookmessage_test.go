package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/store"
	"github.com/waft-ota/waft/models"
)

func (f *fixture) deliveries(webhookID int64) []models.WebhookDelivery {
	f.t.Helper()
	list, err := f.ListWebhookDeliveries(f.t.Context(), f.project.ID, webhookID, models.DeliveryFilter{}, models.Page{})
	require.NoError(f.t, err)
	return list
}

func (f *fixture) body(d models.WebhookDelivery) string {
	f.t.Helper()
	return query[string](f, "SELECT body FROM webhook_deliveries WHERE id = $1", d.ID)[0]
}

func subscribed(events ...string) func(*models.NewWebhook) {
	return func(n *models.NewWebhook) { n.Events = events }
}

func inactive(n *models.NewWebhook) { n.IsActive = false }

func TestAChangeTellsWebhooks(t *testing.T) {
	t.Parallel()
	now, clock := stoppedClock()
	f := setup(t, clock)
	told, _ := f.webhook(subscribed("branch.created"))
	all, _ := f.webhook(subscribed("*"))
	deaf, _ := f.webhook(subscribed("branch.deleted"))
	off, _ := f.webhook(subscribed("*"), inactive)
	foreign := f.newProject("other")
	theirs, _, err := f.CreateWebhook(t.Context(), foreign.ID, alice, models.NewWebhook{URL: "https://example.com", Events: []string{"branch.created"}, IsActive: true})
	require.NoError(t, err)
	f.exec("DELETE FROM outbox")
	_, err = f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "next"})
	require.NoError(t, err)
	_, err = f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "next"})
	requireCode(t, models.CodeAlreadyExists, err) // what did not happen is not told

	entry := f.audited(1)[0]
	message, err := models.AuditMessage(entry)
	require.NoError(t, err)
	d := f.deliveries(told.ID)
	require.Len(t, d, 1)
	require.Regexp(t, `^msg_[0-9a-f]{32}$`, d[0].MessageID)
	require.Equal(t, fmt.Sprintf(`%s%d,"projectSlug":"demo"%s`, message.Head, entry.ID, message.Tail), f.body(d[0]))
	require.Equal(t, models.WebhookDelivery{
		ID: d[0].ID, ProjectID: f.project.ID, WebhookID: told.ID, MessageID: d[0].MessageID, Event: "branch.created", Status: models.DeliveryPending,
		Attempts: []models.DeliveryAttempt{}, NextAttemptAt: &now, WorkflowID: d[0].WorkflowID, CreatedAt: now,
	}, d[0])
	other := f.deliveries(all.ID)[0]
	require.NotEqual(t, d[0].MessageID, other.MessageID)
	require.Equal(t, f.body(d[0]), f.body(other))
	require.Empty(t, f.deliveries(deaf.ID))
	require.Empty(t, f.deliveries(off.ID))
	require.Zero(t, query[int64](f, "SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1", theirs.ID)[0])

	promises := f.outbox(models.OutboxWebhookDeliver)
	require.Len(t, promises, 2)
	var start models.WebhookStart
	require.NoError(t, json.Unmarshal([]byte(promises[0]), &start))
	if start.WebhookID != told.ID {
		require.NoError(t, json.Unmarshal([]byte(promises[1]), &start))
	}
	require.Equal(t, models.WebhookStart{
		DeliveryID: d[0].ID, ProjectID: f.project.ID, WorkflowID: d[0].WorkflowID, Project: "demo", WebhookID: told.ID, Event: "branch.created",
	}, start)
	require.Regexp(t, `^webhook/demo/\d+$`, start.WorkflowID)
}

func TestAWebhookHearsOfItself(t *testing.T) {
	t.Parallel()
	f := setup(t)
	w, _ := f.webhook(subscribed("*"))
	require.Equal(t, "webhook.created", f.deliveries(w.ID)[0].Event)
	require.NotContains(t, f.body(f.deliveries(w.ID)[0]), "ecret\":\"", "of the secret it says nothing")
	_, _, err := f.RotateWebhookSecret(t.Context(), f.project.ID, alice, w.ID)
	require.NoError(t, err)
	require.Equal(t, "webhook.updated", f.deliveries(w.ID)[0].Event)
}

// Telling webhooks, one or many, is part of the statement that writes the entry.
func TestMessagesTakeNoRoundTrips(t *testing.T) {
	t.Parallel()
	var queries atomic.Int64
	f := setup(t, countQueries(&queries))
	asked := func(name string) int64 {
		before := queries.Load()
		_, err := f.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: name})
		require.NoError(t, err)
		return queries.Load() - before
	}
	without := asked("a")
	for range 5 {
		f.webhook(subscribed("*"))
	}
	require.Equal(t, without, asked("b"))
	require.Equal(t, int64(5), query[int64](f, "SELECT count(*) FROM webhook_deliveries WHERE event = 'branch.created'")[0])
}

// A rollback writes many entries at once, and each is told.
func TestManyEntriesAreToldOneByOne(t *testing.T) {
	t.Parallel()
	f := setup(t)
	first := f.publish()
	for range 3 {
		f.publish()
	}
	w, _ := f.webhook(subscribed("update.patched", "update.rollback"))
	_, err := f.Rollback(t.Context(), f.project.ID, alice, models.Rollback{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0", ToUpdateID: &first.ID})
	require.NoError(t, err)
	entries := map[string]bool{}
	for _, d := range f.deliveries(w.ID) {
		var message struct{ Data struct{ EntityID string } }
		require.NoError(t, json.Unmarshal([]byte(f.body(d)), &message))
		entries[message.Data.EntityID] = true
	}
	require.Len(t, f.deliveries(w.ID), 4)
	require.Len(t, entries, 4)
	f.requireInvariants()
}

func TestALargeChangeIsToldInPart(t *testing.T) {
	t.Parallel()
	f := setup(t)
	w, _ := f.webhook(subscribed("segment.created"))
	values := make([]string, 500)
	for i := range values {
		values[i] = strings.Repeat("v", 100)
	}
	_, err := f.CreateSegment(t.Context(), f.project.ID, alice, models.NewSegment{
		Key: "large", Name: "Large", MatchType: models.MatchAll, Conditions: []models.Condition{{Attribute: "a", Operator: models.OpIn, Values: values}},
	})
	require.NoError(t, err)
	body := f.body(f.deliveries(w.ID)[0])
	require.Less(t, len(body), models.MaxWebhookBody)
	require.Contains(t, body, `"omittedDetails":["conditions"]`)
	require.Len(t, f.audited(1)[0].Details["conditions"], 1, "the log has all of it")
}

// Whoever changes something does not fail because a webhook goes at that moment.
func TestAWebhookIsDeletedWhileItIsTold(t *testing.T) {
	t.Parallel()
	const atAudit = "INSERT INTO audit_log"
	create := func(f *fixture) change {
		return func(s *store.Store) error {
			_, err := s.CreateBranch(t.Context(), f.project.ID, alice, models.NewBranch{Name: "next"})
			return err
		}
	}
	remove := func(f *fixture, w models.Webhook) change {
		return func(s *store.Store) error { return s.DeleteWebhook(t.Context(), f.project.ID, alice, w.ID) }
	}
	for name, meet := range map[string]func(f *fixture, w models.Webhook) (error, error){
		"the deletion first": func(f *fixture, w models.Webhook) (error, error) { return f.duel(atAudit, remove(f, w), create(f)) },
		"the change first":   func(f *fixture, w models.Webhook) (error, error) { return f.duel(atAudit, create(f), remove(f, w)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := setup(t)
			w, _ := f.webhook(subscribed("*"))
			one, two := meet(f, w)
			require.NoError(t, one)
			require.NoError(t, two)
			require.Zero(t, query[int64](f, "SELECT count(*) FROM webhook_deliveries")[0])
			f.requireInvariants()
		})
	}
}

// A thousand messages to webhooks keep no rollout from beginning.
func TestWhatWebhooksAreToldIsRelayedLast(t *testing.T) {
	t.Parallel()
	f := setup(t)
	w, _ := f.webhook(subscribed("*"))
	for range 3 {
		f.publish()
	}
	require.Len(t, f.deliveries(w.ID), 7)
	f.exec("DELETE FROM outbox WHERE kind <> $1", string(models.OutboxWebhookDeliver))
	f.exec("UPDATE outbox SET created_at = now() - interval '1 hour', not_before = now() - interval '1 hour'")
	f.enqueue(1)
	kinds, release := make(chan models.OutboxKind, 100), make(chan struct{})
	relay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error {
		kinds <- m.Kind
		<-release
		return nil
	})
	var first []models.OutboxKind
	for range 4 { // the relay's four workers have one message each, until all four are known
		first = append(first, <-kinds)
	}
	close(release)
	require.True(t, slices.ContainsFunc(first, func(k models.OutboxKind) bool { return k != models.OutboxWebhookDeliver }), "%v", first)
}

// A project that goes takes its messages along, or there are none.
func TestAProjectIsDeletedWhileItsWebhooksAreTold(t *testing.T) {
	t.Parallel()
	for name, tell := range map[string]func(f *fixture, w models.Webhook) (statement string, c change){
		"by a test": func(f *fixture, w models.Webhook) (string, change) {
			return "INSERT INTO webhook_deliveries", func(s *store.Store) error {
				_, err := s.TestWebhook(f.t.Context(), f.project.ID, alice, w.ID)
				return err
			}
		},
		"of a change": func(f *fixture, w models.Webhook) (string, change) {
			return "INSERT INTO audit_log", func(s *store.Store) error {
				_, err := s.UpdateWebhook(f.t.Context(), f.project.ID, alice, w.ID, models.WebhookPatch{Description: new("late")})
				return err
			}
		},
	} {
		for _, deletionFirst := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, the deletion first: %t", name, deletionFirst), func(t *testing.T) {
				t.Parallel()
				f := setup(t)
				w, _ := f.webhook(subscribed("*"))
				f.webhook(subscribed("*"))
				statement, c := tell(f, w)
				remove := func(s *store.Store) error { return s.DeleteProject(t.Context(), alice, f.project.Slug) }
				var removed, told error
				if deletionFirst {
					removed, told = f.duel("DELETE FROM webhooks", remove, c)
				} else {
					told, removed = f.duel(statement, c, remove)
				}
				require.NoError(t, removed)
				if told != nil {
					requireCode(t, models.CodeNotFound, told)
				}
				require.Zero(t, query[int64](f, "SELECT count(*) FROM webhook_deliveries")[0])
				f.requireInvariants()
			})
		}
	}
}
