package api

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The bounds of attributes: mostAttributeBytes of all, of which each value that is no text takes attributeScalar.
const (
	mostAttributeBytes = 4 << 10
	attributeScalar    = 2
)

// Every rule about an attribute reads all of it, so a stranger may not send a large one.
func TestALargeAttributeIsRefused(t *testing.T) {
	t.Parallel()
	w := withCheckout(t, nil)
	text := func(bytes int) string { return strings.Repeat("x", bytes) }
	list := func(elements int) []any {
		all := make([]any, elements)
		for i := range all {
			all[i] = 1
		}
		return all
	}
	for _, tc := range []struct {
		value    any
		accepted bool
	}{
		{text(mostAttributeBytes), true}, {text(mostAttributeBytes + 1), false},
		{list(mostAttributeBytes / attributeScalar), true}, {list(mostAttributeBytes/attributeScalar + 1), false},
		{[]any{text(mostAttributeBytes - attributeScalar)}, true}, {[]any{text(mostAttributeBytes / 2), text(mostAttributeBytes / 2)}, false},
		{map[string]any{"no rule": text(100_000)}, true},
	} {
		for field, call := range map[string]request{
			"attributes.plan": {path: "/v1/ota/flag-evaluations-bulk", anonymous: true, body: map[string]any{
				"projectSlug": "demo", "deviceId": "d", "attributes": map[string]any{"plan": tc.value, "other": text(100)},
			}},
			"explained": {path: "/v1/ota/flags/explain", body: map[string]any{"context": map[string]any{"targetingKey": "u", "plan": tc.value}}},
			"context.plan": {path: "/ofrep/v1/evaluate/flags", body: map[string]any{
				"context": map[string]any{"targetingKey": "u", "plan": tc.value, "other": text(100)},
			}},
		} {
			body, err := json.Marshal(call.body)
			require.NoError(t, err)
			call.method, call.body, call.header = post, string(body), map[string]string{"Content-Type": "application/json"}
			answer := w.do(call)
			if tc.accepted {
				require.Equal(t, 200, answer.Code, answer.Body.String())
				continue
			}
			require.Equal(t, 400, answer.Code, answer.Body.String())
			require.Contains(t, answer.Body.String(), "must be at most 4096 bytes")
			require.Contains(t, answer.Body.String(), strings.Replace(field, "explained", "context.plan", 1))
		}
	}
}

// The name of a bad attribute is a stranger's, too.
func TestALongNameOfAnAttributeIsClipped(t *testing.T) {
	t.Parallel()
	w := withCheckout(t, nil)
	answer := w.do(request{
		method: post, path: "/v1/ota/flag-evaluations-bulk", anonymous: true, header: map[string]string{"Content-Type": "application/json"},
		body: `{"projectSlug":"demo","deviceId":"d","attributes":{"` + strings.Repeat("n", 100_000) + `":"` + strings.Repeat("x", 5000) + `"}}`,
	})
	w.problem(answer, 400, models.CodeInvalid)
	require.Less(t, answer.Body.Len(), 3000)
}
