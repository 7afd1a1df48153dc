package e2e

import (
	"bytes"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
	enumspb "go.temporal.io/api/enums/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/waft-ota/waft/internal/app"
)

// payloadKey returns a key for WAFT_TEMPORAL_PAYLOAD_KEYS.
func payloadKey(fill byte) string {
	return base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{fill}, 32))
}

// A rollout with encrypted payloads completes even if the key changes during the rollout. Without the keys its payloads
// cannot be read.
func TestARolloutWithEncryptedPayloads(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TEMPORAL_PAYLOAD_KEYS"] = payloadKey(1)
	address, stop := startRole(t, env, app.Role{API: true, Worker: true})
	p := installation{url: address, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.tenant(t)
	release, id := p.rollOut(p.inStages(0, 0, 50, 100))
	devices := p.inShareOf(release, 50, true, 1)
	p.awaitRollout(id, hasHappened("started"))
	p.awaitCommand(id, "pause", object{"reason": p.marker})
	stop()

	env["WAFT_TEMPORAL_PAYLOAD_KEYS"] = payloadKey(2) + "," + payloadKey(1)
	p.url = serve(t, env)
	p.run(devices, release["updateUuid"], "app_launch")
	p.awaitCommand(id, "resume", nil)
	p.awaitCommand(id, "advance", object{"reason": p.marker})
	p.awaitCommand(id, "advance", object{"reason": p.marker})
	e := p.awaitRollout(id, has("status", "completed"))

	keys := map[string]bool{}
	history := dialTemporal(t, env).GetWorkflowHistory(t.Context(), e["workflowId"].(string), "", false, enumspb.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for history.HasNext() {
		event, err := history.Next()
		require.NoError(t, err)
		for _, p := range event.GetWorkflowExecutionStartedEventAttributes().GetInput().GetPayloads() {
			require.Equal(t, "binary/encrypted", string(p.GetMetadata()["encoding"]))
		}
		for _, p := range event.GetActivityTaskCompletedEventAttributes().GetResult().GetPayloads() {
			keys[string(p.GetMetadata()["encryption-key-id"])] = true
		}
		if started := event.GetWorkflowExecutionStartedEventAttributes(); started != nil {
			started.SearchAttributes = nil
		}
		if event.GetEventType() == enumspb.EVENT_TYPE_UPSERT_WORKFLOW_SEARCH_ATTRIBUTES {
			continue // search attributes are never encrypted, because Temporal searches them
		}
		text, err := protojson.Marshal(event)
		require.NoError(t, err)
		plain := base64.StdEncoding.EncodeToString([]byte("json/plain"))
		require.NotContains(t, string(text), plain, event.GetEventType())
		require.NotContains(t, string(text), p.marker, event.GetEventType())
	}
	require.Len(t, keys, 2, "the results of activities must be encrypted with both keys")
	require.NotContains(t, keys, "")
}
