package api

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// withCheckout returns a testAPI whose project has one flag, and hashes IDs if hashKey is set.
func withCheckout(t *testing.T, hashKey []byte) *testAPI {
	t.Helper()
	return newTestAPI(t, func(d *parts) {
		d.Snapshots = newSnapshots(t, func(s *models.ProjectSnapshot) {
			s.HashKey = hashKey
			s.Flags = []models.Flag{{
				ID: 3, Key: "checkout", FlagType: models.FlagBoolean, DefaultValue: "false",
				Variations: []models.Variation{{ID: 4, Name: "On", Value: "true"}, {ID: 5, Name: "Off", Value: "false"}},
			}}
		})
	})
}

// evaluated returns a report of one evaluation, with additional fields.
func evaluated(more string) request {
	return request{method: post, path: "/v1/ota/flag-evaluations", anonymous: true, body: fmt.Sprintf(
		`{"projectSlug":"demo","evaluations":[{"flagKey":"checkout","value":true,"count":2%s}]}`, more)}
}

func contextOf(kind models.ContextKind, key, name string, attributes map[string]any) models.EvaluatedContext {
	return models.EvaluatedContext{
		ProjectID: demo.ID, Kind: kind, TargetingKey: key, Name: name, Attributes: attributes, Evaluations: 2, SeenAt: now.UTC(),
	}
}

func TestWhomFlagsAreEvaluatedForIsRecorded(t *testing.T) {
	t.Parallel()
	tooMany := make([]string, models.MaxContextAttributes+1)
	for i := range tooMany {
		tooMany[i] = fmt.Sprintf(`"a%d":1`, i)
	}
	for more, want := range map[string]models.EvaluatedContext{
		`,"targetingKey":"user-1"`:                contextOf("user", "user-1", "", nil),
		`,"targetingKey":"user-1","context":null`: contextOf("user", "user-1", "", nil),
		`,"targetingKey":"user-1","context":{"plan":"pro","age":41,"tags":["a"],"gone":null,"name":"Ada"}`: contextOf("user", "user-1", "Ada",
			map[string]any{"plan": "pro", "age": 41.0, "tags": []any{"a"}}),
		`,"context":{"kind":"device","targetingKey":"device-1"}`:                                                  contextOf("device", "device-1", "", map[string]any{}),
		`,"targetingKey":"user-1","context":{"kind":"planet","targetingKey":"other","name":7}`:                    contextOf("user", "user-1", "", map[string]any{}),
		`,"targetingKey":"user-1","context":{"name":"` + strings.Repeat("n", 201) + `"}`:                          contextOf("user", "user-1", "", map[string]any{}),
		`,"targetingKey":"user-1","context":{` + strings.Join(tooMany, ",") + `}`:                                 contextOf("user", "user-1", "", nil),
		`,"targetingKey":"user-1","context":{"a":"` + strings.Repeat("x", models.MaxContextAttributeBytes) + `"}`: contextOf("user", "user-1", "", nil),
		`,"targetingKey":"user-1","context":{"a":"\u0000"}`:                                                       contextOf("user", "user-1", "", nil),
		`,"targetingKey":"user-1","context":{"":1}`:                                                               contextOf("user", "user-1", "", nil),
	} {
		w := withCheckout(t, nil)
		answer := w.do(evaluated(more))
		require.Equal(t, 204, answer.Code, answer.Body.String())
		require.Equal(t, []models.EvaluatedContext{want}, w.store.contexts, more)
	}
}

func TestAnEvaluationForNobodyRecordsNobody(t *testing.T) {
	t.Parallel()
	w := withCheckout(t, nil)
	for _, more := range []string{"", `,"targetingKey":null`, `,"context":{"plan":"pro"}`, `,"context":{"targetingKey":7}`} {
		require.Equal(t, 204, w.do(evaluated(more)).Code, more)
	}
	require.Empty(t, w.store.contexts)
	require.Len(t, w.store.appended, 4)
	for more, field := range map[string]string{
		`,"targetingKey":7`: "evaluations[0].targetingKey", `,"targetingKey":"` + strings.Repeat("k", 257) + `"`: "evaluations[0].targetingKey",
		`,"context":[1]`: "evaluations[0].context",
	} {
		require.Equal(t, []string{field}, fieldsOf(w.problem(w.do(evaluated(more)), 400, models.CodeInvalid)))
	}
}

func TestARecordedContextIsHashedWhereTheProjectSaysSo(t *testing.T) {
	t.Parallel()
	key := []byte("0123456789abcdef0123456789abcdef")
	w := withCheckout(t, key)
	w.do(evaluated(`,"targetingKey":"User-1","context":{"name":"Ada","plan":"pro"}`))
	w.do(evaluated(`,"targetingKey":"acme","context":{"kind":"organization","name":"Acme"}`))
	require.Equal(t, []models.EvaluatedContext{
		contextOf("user", models.HashDeviceID(key, "user-1"), "", map[string]any{"plan": "pro"}),
		contextOf("organization", "acme", "Acme", map[string]any{}),
	}, w.store.contexts)
}

// Limits of one attribute: maxAttributeBytes in total. Each element of a list takes attributeScalar plus its string.
const (
	maxAttributeBytes = 4 << 10
	attributeScalar   = 2
)

// Every rule about an attribute reads the whole attribute, so large attributes are refused.
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
		{text(maxAttributeBytes), true}, {text(maxAttributeBytes + 1), false},
		{list(maxAttributeBytes / attributeScalar), true}, {list(maxAttributeBytes/attributeScalar + 1), false},
		{[]any{text(maxAttributeBytes - attributeScalar)}, true}, {[]any{text(maxAttributeBytes / 2), text(maxAttributeBytes / 2)}, false},
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
			require.Contains(t, answer.Body.String(), "must be a string of at most 4096 bytes")
			require.Contains(t, answer.Body.String(), strings.Replace(field, "explained", "context.plan", 1))
		}
	}
}

// The name of a bad attribute comes from the client too, so it is clipped.
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
