package webhookstore_test

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
	"github.com/waft-ota/waft/internal/store/storetest"
	"github.com/waft-ota/waft/models"
)

func deliveriesOf(f *storetest.Fixture, webhookID int64) []models.WebhookDelivery {
	f.T.Helper()
	list, err := f.ListWebhookDeliveries(f.T.Context(), f.Demo.ID, webhookID, models.DeliveryFilter{}, models.Page{})
	require.NoError(f.T, err)
	return list
}

func bodyOf(f *storetest.Fixture, d models.WebhookDelivery) string {
	f.T.Helper()
	return storetest.Query[string](f, "SELECT body FROM webhook_deliveries WHERE id = $1", d.ID)[0]
}

func subscribed(events ...string) func(*models.NewWebhook) {
	return func(n *models.NewWebhook) { n.Events = events }
}

func inactive(n *models.NewWebhook) { n.IsActive = false }

func TestAChangeTellsWebhooks(t *testing.T) {
	t.Parallel()
	now, clock := storetest.StoppedClock()
	f := storetest.Setup(t, clock)
	told, _ := webhook(f, subscribed("branch.created"))
	all, _ := webhook(f, subscribed("*"))
	deaf, _ := webhook(f, subscribed("branch.deleted"))
	off, _ := webhook(f, subscribed("*"), inactive)
	foreign := f.NewProject("other")
	theirs, _, err := f.CreateWebhook(t.Context(), foreign.ID, storetest.Alice,
		models.NewWebhook{URL: "https://example.com", Events: []string{"branch.created"}, IsActive: true})
	require.NoError(t, err)
	f.MustExec("DELETE FROM outbox")
	_, err = f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "next"})
	require.NoError(t, err)
	_, err = f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "next"})
	storetest.RequireCode(t, models.CodeAlreadyExists, err) // a change that fails is not sent to webhooks

	entry := f.Audited(1)[0]
	message, err := models.AuditMessage(entry)
	require.NoError(t, err)
	d := deliveriesOf(f, told.ID)
	require.Len(t, d, 1)
	require.Regexp(t, `^msg_[0-9a-f]{32}$`, d[0].MessageID)
	require.Equal(t, fmt.Sprintf(`%s%d,"projectSlug":"demo"%s`, message.Head, entry.ID, message.Tail), bodyOf(f, d[0]))
	require.Equal(t, models.WebhookDelivery{
		ID: d[0].ID, ProjectID: f.Demo.ID, WebhookID: told.ID, MessageID: d[0].MessageID, Event: "branch.created", Status: models.DeliveryPending,
		Attempts: []models.DeliveryAttempt{}, NextAttemptAt: &now, WorkflowID: d[0].WorkflowID, CreatedAt: now,
		Subject: &models.AuditSubject{Kind: "branch", ID: entry.EntityID, Name: entry.Details["name"].(string), Exists: true},
	}, d[0])
	other := deliveriesOf(f, all.ID)[0]
	require.NotEqual(t, d[0].MessageID, other.MessageID)
	require.Equal(t, bodyOf(f, d[0]), bodyOf(f, other))
	require.Empty(t, deliveriesOf(f, deaf.ID))
	require.Empty(t, deliveriesOf(f, off.ID))
	require.Zero(t, storetest.Query[int64](f, "SELECT count(*) FROM webhook_deliveries WHERE webhook_id = $1", theirs.ID)[0])

	promises := f.Outbox(models.OutboxWebhookDeliver)
	require.Len(t, promises, 2)
	var start models.WebhookStart
	require.NoError(t, json.Unmarshal([]byte(promises[0]), &start))
	if start.WebhookID != told.ID {
		require.NoError(t, json.Unmarshal([]byte(promises[1]), &start))
	}
	require.Equal(t, models.WebhookStart{
		DeliveryID: d[0].ID, ProjectID: f.Demo.ID, WorkflowID: d[0].WorkflowID, Project: "demo", WebhookID: told.ID, Event: "branch.created",
	}, start)
	require.Regexp(t, `^webhook/demo/\d+$`, start.WorkflowID)
}

func TestAWebhookHearsOfItself(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _ := webhook(f, subscribed("*"))
	require.Equal(t, "webhook.created", deliveriesOf(f, w.ID)[0].Event)
	require.NotContains(t, bodyOf(f, deliveriesOf(f, w.ID)[0]), "ecret\":\"", "the message does not contain the secret")
	_, _, err := f.RotateWebhookSecret(t.Context(), f.Demo.ID, storetest.Alice, w.ID, false)
	require.NoError(t, err)
	require.Equal(t, "webhook.updated", deliveriesOf(f, w.ID)[0].Event)
}

// Messages to webhooks, one or many, are written by the statement that writes the audit entry.
func TestMessagesTakeNoRoundTrips(t *testing.T) {
	t.Parallel()
	var queries atomic.Int64
	f := storetest.Setup(t, storetest.CountQueries(&queries))
	asked := func(name string) int64 {
		before := queries.Load()
		_, err := f.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: name})
		require.NoError(t, err)
		return queries.Load() - before
	}
	without := asked("a")
	for range 5 {
		webhook(f, subscribed("*"))
	}
	require.Equal(t, without, asked("b"))
	require.Equal(t, int64(5), storetest.Query[int64](f, "SELECT count(*) FROM webhook_deliveries WHERE event = 'branch.created'")[0])
}

// A rollback writes many audit entries with one statement, and each entry has its own webhook message.
func TestManyEntriesAreToldOneByOne(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	first := f.MustPublish()
	for range 3 {
		f.MustPublish()
	}
	w, _ := webhook(f, subscribed("update.patched", "update.rollback"))
	_, err := f.Rollback(t.Context(), f.Demo.ID, storetest.Alice,
		models.Rollback{Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0.0", ToUpdateID: &first.ID})
	require.NoError(t, err)
	entries := map[string]bool{}
	for _, d := range deliveriesOf(f, w.ID) {
		var message struct{ Data struct{ EntityID string } }
		require.NoError(t, json.Unmarshal([]byte(bodyOf(f, d)), &message))
		entries[message.Data.EntityID] = true
	}
	require.Len(t, deliveriesOf(f, w.ID), 4)
	require.Len(t, entries, 4)
	storetest.RequireInvariants(f)
}

func TestALargeChangeIsToldInPart(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _ := webhook(f, subscribed("segment.created"))
	values := make([]string, 500)
	for i := range values {
		values[i] = strings.Repeat("v", 100)
	}
	_, err := f.CreateSegment(t.Context(), f.Demo.ID, storetest.Alice, models.NewSegment{
		Key: "large", Name: "Large", MatchType: models.MatchAll, Conditions: []models.Condition{{Attribute: "a", Operator: models.OpIn,
			Values: values}},
	})
	require.NoError(t, err)
	body := bodyOf(f, deliveriesOf(f, w.ID)[0])
	require.Less(t, len(body), models.MaxWebhookBody)
	require.Contains(t, body, `"omittedDetails":["conditions"]`)
	require.Len(t, f.Audited(1)[0].Details["conditions"], 1, "the audit log contains all of it")
}

// A change does not fail because a webhook is being deleted at the same moment.
func TestAWebhookIsDeletedWhileItIsTold(t *testing.T) {
	t.Parallel()
	const atAudit = "INSERT INTO audit_log"
	create := func(f *storetest.Fixture) storetest.Step {
		return func(s *store.Store) error {
			_, err := s.CreateBranch(t.Context(), f.Demo.ID, storetest.Alice, models.NewBranch{Name: "next"})
			return err
		}
	}
	remove := func(f *storetest.Fixture, w models.Webhook) storetest.Step {
		return func(s *store.Store) error { return s.DeleteWebhook(t.Context(), f.Demo.ID, storetest.Alice, w.ID) }
	}
	for name, meet := range map[string]func(f *storetest.Fixture, w models.Webhook) (error, error){
		"the deletion first": func(f *storetest.Fixture, w models.Webhook) (error, error) {
			return storetest.Duel(f, atAudit, remove(f, w), create(f))
		},
		"the change first": func(f *storetest.Fixture, w models.Webhook) (error, error) {
			return storetest.Duel(f, atAudit, create(f), remove(f, w))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := storetest.Setup(t)
			w, _ := webhook(f, subscribed("*"))
			one, two := meet(f, w)
			require.NoError(t, one)
			require.NoError(t, two)
			require.Zero(t, storetest.Query[int64](f, "SELECT count(*) FROM webhook_deliveries")[0])
			storetest.RequireInvariants(f)
		})
	}
}

// A thousand webhook messages do not delay the start of a rollout.
func TestWhatWebhooksAreToldIsRelayedLast(t *testing.T) {
	t.Parallel()
	f := storetest.Setup(t)
	w, _ := webhook(f, subscribed("*"))
	for range 3 {
		f.MustPublish()
	}
	require.Len(t, deliveriesOf(f, w.ID), 7)
	f.MustExec("DELETE FROM outbox WHERE kind <> $1", string(models.OutboxWebhookDeliver))
	f.MustExec("UPDATE outbox SET created_at = now() - interval '1 hour', not_before = now() - interval '1 hour'")
	storetest.Enqueue(f, 1)
	kinds, release := make(chan models.OutboxKind, 100), make(chan struct{})
	storetest.RunRelay(t, f.Store, func(_ context.Context, m models.OutboxMessage) error {
		kinds <- m.Kind
		<-release
		return nil
	})
	var first []models.OutboxKind
	for range 4 { // each of the relay's four workers takes one message, until all four kinds are known
		first = append(first, <-kinds)
	}
	close(release)
	require.True(t, slices.ContainsFunc(first, func(k models.OutboxKind) bool { return k != models.OutboxWebhookDeliver }), "%v", first)
}

// If a project is deleted, its messages are either deleted with it or never written.
func TestAProjectIsDeletedWhileItsWebhooksAreTold(t *testing.T) {
	t.Parallel()
	for name, tell := range map[string]func(f *storetest.Fixture, w models.Webhook) (statement string, c storetest.Step){
		"by a test": func(f *storetest.Fixture, w models.Webhook) (string, storetest.Step) {
			return "INSERT INTO webhook_deliveries", func(s *store.Store) error {
				_, err := s.TestWebhook(f.T.Context(), f.Demo.ID, storetest.Alice, w.ID)
				return err
			}
		},
		"of a change": func(f *storetest.Fixture, w models.Webhook) (string, storetest.Step) {
			return "INSERT INTO audit_log", func(s *store.Store) error {
				_, err := s.UpdateWebhook(f.T.Context(), f.Demo.ID, storetest.Alice, w.ID, models.WebhookPatch{Description: new("late")})
				return err
			}
		},
	} {
		for _, deletionFirst := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, the deletion first: %t", name, deletionFirst), func(t *testing.T) {
				t.Parallel()
				f := storetest.Setup(t)
				w, _ := webhook(f, subscribed("*"))
				webhook(f, subscribed("*"))
				statement, c := tell(f, w)
				remove := func(s *store.Store) error { return s.DeleteProject(t.Context(), storetest.Alice, f.Demo.Slug) }
				var removed, told error
				if deletionFirst {
					removed, told = storetest.Duel(f, "DELETE FROM webhooks", remove, c)
				} else {
					told, removed = storetest.Duel(f, statement, c, remove)
				}
				require.NoError(t, removed)
				if told != nil {
					storetest.RequireCode(t, models.CodeNotFound, told)
				}
				require.Zero(t, storetest.Query[int64](f, "SELECT count(*) FROM webhook_deliveries")[0])
				storetest.RequireInvariants(f)
			})
		}
	}
}
