package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func messageEntry(details map[string]any) models.AuditEntry {
	return models.AuditEntry{
		Action: "build.published", ActorType: models.ActorAPIKey, ActorID: "7", ActorName: `alice's "key"`, EntityType: "update", EntityID: "1042",
		Details: details, RequestID: "req-1", CreatedAt: time.Date(2026, 3, 4, 5, 6, 7, 8e6, time.UTC),
	}
}

// join does what the store does in SQL.
func join(b models.MessageBody, id int64, slug string) string {
	return fmt.Sprintf(`%s%d,"projectSlug":%q%s`, b.Head, id, slug, b.Tail)
}

func joined(t testing.TB, e models.AuditEntry) (text string, data map[string]any) {
	t.Helper()
	body, err := models.AuditMessage(e)
	require.NoError(t, err)
	text = join(body, 1<<62, strings.Repeat("s", 63))
	require.Less(t, len(text), models.MaxWebhookBody)
	var message map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &message))
	return text, message["data"].(map[string]any)
}

func TestAMessageIsTheEntry(t *testing.T) {
	t.Parallel()
	body, err := models.AuditMessage(messageEntry(map[string]any{"branch": "<next>", "percentage": 12.5}))
	require.NoError(t, err)
	require.JSONEq(t, `{"type": "build.published", "timestamp": "2026-03-04T05:06:07.008Z", "data": {
		"id": 12, "projectSlug": "demo", "action": "build.published", "actorType": "api_key", "actorId": "7", "actorName": "alice's \"key\"",
		"entityType": "update", "entityId": "1042", "details": {"branch": "<next>", "percentage": 12.5}, "requestId": "req-1",
		"createdAt": "2026-03-04T05:06:07.008Z"}}`, join(body, 12, "demo"))
}

func TestATestMessageHasTheFormOfOthers(t *testing.T) {
	t.Parallel()
	body, err := models.TestMessage(models.Webhook{ID: 31}, models.SystemActor("x"), time.UnixMilli(0))
	require.NoError(t, err)
	var test struct {
		Type string         `json:"type"`
		Data map[string]any `json:"data"`
	}
	require.NoError(t, json.Unmarshal([]byte(join(body, 1, "demo")), &test))
	require.Equal(t, "webhook.test", test.Type)
	require.False(t, models.KnownAction(test.Type))
	_, data := joined(t, messageEntry(nil))
	for name := range data {
		require.Contains(t, test.Data, name)
	}
}

func TestLargeDetailsAreLeftOutAndNamed(t *testing.T) {
	t.Parallel()
	small := map[string]any{"branch": "next", "note": strings.Repeat("n", 15_000)}
	_, data := joined(t, messageEntry(small))
	require.NotContains(t, data, "omittedDetails")
	require.Equal(t, small, data["details"])

	small["config"], small["more"] = strings.Repeat("c", 18_000), strings.Repeat("m", 16_000)
	_, data = joined(t, messageEntry(small))
	require.Equal(t, []any{"config", "more"}, data["omittedDetails"], "the largest go first, the rest stays")
	require.Equal(t, map[string]any{"branch": "next", "note": strings.Repeat("n", 15_000)}, data["details"])
	require.Contains(t, small, "config", "the audit log keeps them")

	many := map[string]any{}
	for i := range 5000 {
		many[fmt.Sprint("field", i)] = i
	}
	_, data = joined(t, messageEntry(many))
	require.Equal(t, []any{"*"}, data["omittedDetails"])
	require.Empty(t, data["details"])
}

func FuzzMessagesAreBelowTheirLimit(f *testing.F) {
	f.Add("a", 10, 100)
	f.Add("\x00é<", 300, 100)
	f.Add("long", 2, 30_000)
	f.Fuzz(func(t *testing.T, text string, n, length int) {
		details := map[string]any{}
		for i := range min(max(n, 0), 2000) {
			details[fmt.Sprint(i, text)] = strings.Repeat(text, min(max(length, 0), 30_000)/(1+len(text)))
		}
		_, data := joined(t, messageEntry(details))
		if data["omittedDetails"] == nil {
			require.Len(t, data["details"], len(details))
		}
	})
}
