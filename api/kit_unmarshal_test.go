package api

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestANumberThatFitsNoFieldIsNamedByItsPath(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ path, body, field string }{
		"of the body":           {"/v1/ota/rollout-executions", `{"updateId": 1, "policyId": 1e30}`, "policyId"},
		"of an embedded struct": {"/v1/ota/builds/1/publish", `{"channel": "production", "rolloutPolicyId": 1e+30}`, "rolloutPolicyId"},
		"in a list":             {"/v1/ota/rollout-policies", `{"name": "p", "stages": [{"percentage": 5}, {"percentage": 100, "minDevices": 1e18}]}`, "stages[1].minDevices"},
		"beyond every number":   {"/v1/ota/rollout-policies", `{"name": "p", "stages": [{"percentage": 5}, {"percentage": 1e999}]}`, "stages[1].percentage"},
		"in free JSON":          {"/v1/ota/contexts", `{"kind": "user", "targetingKey": "k", "attributes": {"a": [], "b": [0, {"c": -1e400}]}}`, "attributes.b[1].c"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			p := w.problem(w.do(request{method: post, path: tc.path, body: tc.body}), 400, models.CodeInvalid)
			require.Equal(t, []string{tc.field}, fieldsOf(p))
			require.Contains(t, p.Errors[0].Message, "cannot hold the number")
		})
	}
}

func TestABodyThatIsNotUTF8IsRefused(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	p := w.problem(w.do(request{method: post, path: "/v1/ota/api-keys", body: "{\"name\": \"\xff\", \"role\": \"viewer\"}"}), 400, models.CodeInvalid)
	require.Contains(t, p.Detail, "UTF-8")
}

func TestTheMediaTypeOfABodyHasNoCase(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for _, media := range []string{"APPLICATION/JSON", "Application/Json; charset=UTF-8"} {
		answer := w.do(request{method: post, path: "/v1/ota/branches", body: `{"name":"next"}`, header: map[string]string{"Content-Type": media}})
		require.Equal(t, 201, answer.Code, media)
	}
}

func TestUnknownFieldsAreListedInOrder(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	const body = `{"name": 5, "q": 1, "d": 1, "k": 1, "a": 1, "m": 1, "b": 1, "z": 1}`
	p := w.problem(w.do(request{method: post, path: "/v1/ota/branches", body: body}), 400, models.CodeInvalid)
	require.Equal(t, []string{"name", "a", "b", "d", "k", "m", "q", "z"}, fieldsOf(p))
}
