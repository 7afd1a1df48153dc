package api

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The list, the document and the table of events are consistent, and every example matches the message's schema.
func TestEveryEventIsDocumented(t *testing.T) {
	t.Parallel()
	document, err := OpenAPI()
	doc := tree(t, document, err)
	documented := doc["webhooks"].(map[string]any)
	require.Len(t, documented, len(models.Events))
	w := newTestAPI(t)
	answer := w.do(request{method: get, path: "/v1/ota/webhooks/events"})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	var listed []map[string]any
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &listed))
	require.Len(t, listed, len(models.Events))
	schema := doc["components"].(map[string]any)["schemas"].(map[string]any)["WebhookMessage"].(map[string]any)
	data := doc["components"].(map[string]any)["schemas"].(map[string]any)["WebhookMessageData"].(map[string]any)
	for i, e := range models.Events {
		require.Equal(t, e.Name, listed[i]["event"])
		require.Equal(t, models.KnownAction(e.Name), listed[i]["subscribable"])
		operation := documented[e.Name].(map[string]any)["post"].(map[string]any)
		media := operation["requestBody"].(map[string]any)["content"].(map[string]any)["application/json"].(map[string]any)
		require.Equal(t, "#/components/schemas/WebhookMessage", media["schema"].(map[string]any)["$ref"])
		example := media["example"].(map[string]any)
		require.Equal(t, listed[i]["example"], example)
		require.Equal(t, e.Name, example["type"])
		for _, name := range schema["required"].([]any) {
			require.Contains(t, example, name)
		}
		for _, name := range data["required"].([]any) {
			require.Contains(t, example["data"], name)
		}
		require.NotEmpty(t, e.Sentence)
		require.NotEmpty(t, e.About)
	}
}
