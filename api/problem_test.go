package api

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func TestEveryErrorOfTheDomainHasItsAnswer(t *testing.T) {
	t.Parallel()
	statuses := map[models.ErrorCode]int{
		models.CodeInvalid: 400, models.CodeUnauthenticated: 401, models.CodeForbidden: 403, models.CodeNotFound: 404,
		models.CodeNotAcceptable: 406, models.CodeQuotaExceeded: 409, models.CodeAlreadyExists: 409, models.CodeInUse: 409, models.CodePolicyLocked: 409,
		models.CodeRolloutInProgress: 409, models.CodeInvalidTransition: 409, models.CodeIdempotencyMismatch: 409,
		models.CodeTooLarge: 413, models.CodeUnsupportedMedia: 415, models.CodeRateLimited: 429,
		models.CodeInternal: 500, models.CodeUnavailable: 503,
	}
	shared := newTestAPI(t)
	for code, status := range statuses {
		t.Run(string(code), func(t *testing.T) {
			w := shared.in(t)
			w.store.release = func(int64) (models.Release, error) {
				return models.Release{}, fmt.Errorf("wrapped: %w", &models.Error{
					Code: code, Message: "for the caller", Cause: errors.New("for the log"),
					Fields: []models.FieldError{{Field: "a[0].b", Message: "is bad"}},
				})
			}
			answer := w.do(request{method: get, path: "/v1/ota/updates/17"})
			p := w.problem(answer, status, code)
			require.Equal(t, "for the caller", p.Detail)
			require.Equal(t, "/v1/ota/updates/17", p.Instance)
			require.Equal(t, []rest.FieldProblem{{Field: "a[0].b", Message: "is bad"}}, p.Errors)
			require.NotContains(t, answer.Body.String(), "for the log")
			require.Equal(t, status == 429 || status == 503, answer.Header().Get("Retry-After") != "")
		})
	}
}

func TestAnErrorThatIsNotTheDomainsShowsNothing(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		err    error
		status int
		code   models.ErrorCode
	}{
		"any error":   {errors.New("password=hunter2"), 500, models.CodeInternal},
		"out of time": {fmt.Errorf("query: %w", context.DeadlineExceeded), 503, models.CodeUnavailable},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			w.store.release = func(int64) (models.Release, error) { return models.Release{}, tc.err }
			answer := w.do(request{method: get, path: "/v1/ota/updates/17"})
			w.problem(answer, tc.status, tc.code)
			require.NotContains(t, answer.Body.String(), "hunter2")
		})
	}
}

func TestAProblemNamesThePartThatIsUnavailable(t *testing.T) {
	t.Parallel()
	shared := newTestAPI(t)
	for what, part := range map[string]models.Part{
		"Postgres": models.PartPostgres, "ClickHouse": models.PartClickHouse, "Temporal": models.PartTemporal,
		"the rollout worker": models.PartWorker, "the asset bucket": "",
	} {
		t.Run(what, func(t *testing.T) {
			w := shared.in(t)
			w.store.release = func(int64) (models.Release, error) { return models.Release{}, models.Unavailable(what, nil) }
			p := w.problem(w.do(request{method: get, path: "/v1/ota/updates/17"}), 503, models.CodeUnavailable)
			require.Equal(t, part, p.Unavailable)
		})
	}
}

func TestAPanicBecomesAProblem(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.release = func(int64) (models.Release, error) { panic("boom") }
	answer := w.do(request{method: get, path: "/v1/ota/updates/17"})
	w.problem(answer, 500, models.CodeInternal)
	require.NotContains(t, answer.Body.String(), "boom")
}

func TestUnknownRoutesAndMethodsAreProblems(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.problem(w.do(request{method: get, path: "/v1/ota/nothing"}), 404, models.CodeNotFound)
	w.problem(w.do(request{method: get, path: "/v1/ota/builds/"}), 404, models.CodeNotFound)
	answer := w.do(request{method: http.MethodPut, path: "/v1/ota/builds"})
	w.problem(answer, 405, "method_not_allowed")
	require.ElementsMatch(t, []string{"GET", "POST"}, strings.Split(answer.Header().Get("Allow"), ", "))
}

func TestEveryBadFieldIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		path, body string
		fields     []string
	}{
		"missing fields": {"/v1/ota/rollout-policies", `{}`, []string{"name", "stages"}},
		"a wrong type beside a broken rule": {
			"/v1/ota/rollout-policies",
			`{"name": 5, "stages": [{"percentage": 50}, {"percentage": 40}, {"percentage": 100}]}`,
			[]string{"name", "stages[1].percentage"},
		},
		"a limit of the schema beside one of the domain": {
			"/v1/ota/rollout-policies",
			`{"name": "p", "stages": [{"percentage": 101}, {"percentage": 100, "minDevices": -1}], "thresholds": {"action": "explode"}}`,
			[]string{"stages[0].percentage", "stages[1].percentage", "stages[1].minDevices", "thresholds.action"},
		},
		"too many of a limit": {
			"/v1/ota/rollout-policies",
			`{"name": "p", "stages": [{"percentage": 100, "thresholds": {"errorRate": 0.0005}}], "thresholds": {"crashRate": 1.2345}}`,
			[]string{"stages[0].thresholds.errorRate", "thresholds.crashRate"},
		},
		"no final stage":     {"/v1/ota/rollout-policies", `{"name": "p", "stages": [{"percentage": 50}]}`, []string{"stages[0].percentage"}},
		"an unknown field":   {"/v1/ota/branches", `{"name": "next", "colour": "red"}`, []string{"colour"}},
		"a nested one":       {"/v1/ota/rollout-policies", `{"name":"p","stages":[{"percentage":100,"minutes":5}]}`, []string{"stages[0].minutes"}},
		"another case":       {"/v1/ota/branches", `{"Name": "next"}`, []string{"name", "Name"}},
		"too many decimals":  {"/v1/ota/updates", `{"buildId": 1, "branchName": "next", "rolloutPercentage": 1.2345}`, []string{"rolloutPercentage"}},
		"neither nor":        {"/v1/ota/updates", `{"buildId": 1}`, []string{"channel"}},
		"a bad group":        {"/v1/ota/builds/1/publish", `{"channel": "production", "groupId": "x"}`, []string{"groupId"}},
		"a bad branch name":  {"/v1/ota/channels", `{"name": "a b"}`, []string{"name"}},
		"a key in the past":  {"/v1/ota/api-keys", `{"name": "ci", "role": "viewer", "expiresAt": "2020-01-01T00:00:00Z"}`, []string{"expiresAt"}},
		"an unknown role":    {"/v1/ota/api-keys", `{"name": "ci", "role": "owner"}`, []string{"role"}},
		"null for a number":  {"/v1/ota/rollout-executions", `{"policyId": null, "updateId": 1}`, []string{"policyId"}},
		"text for a number":  {"/v1/ota/rollout-executions", `{"policyId": "8", "updateId": 1}`, []string{"policyId"}},
		"a reason too long":  {"/v1/ota/rollout-executions/1/pause", `{"reason": "` + strings.Repeat("x", 1025) + `"}`, []string{"reason"}},
		"a stage out of 0..": {"/v1/ota/rollout-policies", `{"name":"p","stages":[{"percentage":-1},{"percentage":100}]}`, []string{"stages[0].percentage"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			p := w.problem(w.do(request{method: post, path: tc.path, body: tc.body}), 400, models.CodeInvalid)
			require.ElementsMatch(t, tc.fields, fieldsOf(p), "%+v", p)
			for _, f := range p.Errors {
				require.NotEmpty(t, f.Message)
			}
		})
	}
}

func TestABodyThatIsNoObjectIsSaidToBeSo(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		body   string
		media  string
		status int
		code   models.ErrorCode
	}{
		"cut off":       {`{"name": "ne`, "application/json", 400, models.CodeInvalid},
		"two values":    {`{"name": "next"} {}`, "application/json", 400, models.CodeInvalid},
		"an array":      {`[]`, "application/json", 400, models.CodeInvalid},
		"nothing":       {``, "application/json", 400, models.CodeInvalid},
		"another media": {`name=next`, "application/x-www-form-urlencoded", 415, models.CodeUnsupportedMedia},
		"too large":     {`{"name": "` + strings.Repeat("x", 1<<20) + `"}`, "application/json", 413, models.CodeTooLarge},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			p := w.problem(w.do(request{
				method: post, path: "/v1/ota/branches", body: tc.body, header: map[string]string{"Content-Type": tc.media},
			}), tc.status, tc.code)
			require.Empty(t, p.Errors)
			require.NotContains(t, p.Detail, "Go ")
		})
	}
}

func TestABodyWithoutAMediaTypeIsTakenAsJSON(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	require.Equal(t, 201, w.do(request{method: post, path: "/v1/ota/branches", body: `{"name":"next"}`}).Code)
}

func TestBadQueriesNameTheParameter(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for query, field := range map[string]string{
		"limit=0": "limit", "limit=201": "limit", "limit=x": "limit", "before=-1": "before", "before=x": "before",
		"platform=windows": "platform", "groupId=x": "groupId", "isEnabled=maybe": "isEnabled", "isEnable=true": "isEnable",
	} {
		p := w.problem(w.do(request{method: get, path: "/v1/ota/updates?" + query}), 400, models.CodeInvalid)
		require.Equal(t, []string{field}, fieldsOf(p), query)
	}
}

func TestAPathThatNamesNoRecordIsNotFound(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	for _, id := range []string{"abc", "0", "-1", "99999999999999999999"} {
		w.problem(w.do(request{method: get, path: "/v1/ota/updates/" + id}), 404, models.CodeNotFound)
		w.problem(w.do(request{method: get, path: "/v1/ota/rollout-executions/" + id + "/stream"}), 404, models.CodeNotFound)
	}
}

func TestRequestIDsAreEchoedOrMade(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	sent := func(id string) string {
		return w.do(request{method: get, path: "/healthz", header: map[string]string{"X-Request-Id": id}}).Header().Get("X-Request-Id")
	}
	require.Equal(t, "abc-123", sent("abc-123"))
	require.NotEmpty(t, sent(""))
	require.NotEqual(t, sent(""), sent(""))
	require.NotContains(t, sent("with space"), " ")
	require.LessOrEqual(t, len(sent(strings.Repeat("x", 500))), 128)
}

// A body that ends before its announced length is the caller's fault.
func TestABodyThatIsCutOffIsInvalid(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	req := httptest.NewRequest(post, "/v1/ota/branches", brokenReader{})
	req.Header.Set("Authorization", "Bearer "+w.keys[models.RoleAdmin])
	req.Header.Set("X-Project", demo.Slug)
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, req)
	w.problem(answer, 400, models.CodeInvalid)
}
