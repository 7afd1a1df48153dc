package api

import (
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Claims of CI tokens in tests.
const (
	ciIssuer   = "https://token.actions.githubusercontent.com"
	ciAudience = "https://ota.example.com"
)

var ciClaims = map[string]string{"repository": "acme/app", "ref": "refs/heads/main"}

// idToken returns a token with an invalid signature, which the fake accepts.
func idToken(t *testing.T, header, claims any) string {
	t.Helper()
	encode := func(v any) string {
		text, err := json.Marshal(v)
		require.NoError(t, err)
		return base64.RawURLEncoding.EncodeToString(text)
	}
	return encode(header) + "." + encode(claims) + ".c2lnbmF0dXJl"
}

func exchange(slug, token string) request {
	return request{
		method: post, path: "/v1/auth/token", anonymous: true, body: map[string]string{"projectSlug": slug, "idToken": token},
		header: map[string]string{"Content-Type": "application/json"},
	}
}

func trustingAPI(t *testing.T, change ...func(*parts)) *testAPI {
	t.Helper()
	w := newTestAPI(t, change...)
	w.store.publishers.list = []models.TrustedPublisher{
		{ID: 70, ProjectID: demo.ID, Issuer: ciIssuer, Audience: "other", Claims: ciClaims, Role: models.RoleViewer},
		{ID: 71, ProjectID: demo.ID, Issuer: ciIssuer, Audience: ciAudience, Claims: ciClaims, Role: models.RoleEditor},
		{ID: 72, ProjectID: demo.ID, Issuer: ciIssuer, Audience: ciAudience, Claims: ciClaims, Role: models.RoleViewer},
	}
	return w
}

func goodClaims(more map[string]any) map[string]any {
	claims := map[string]any{"iss": ciIssuer, "aud": ciAudience}
	for _, list := range []map[string]any{{"repository": "acme/app", "ref": "refs/heads/main"}, more} {
		for name, value := range list {
			claims[name] = value
		}
	}
	return claims
}

var rs256 = map[string]string{"alg": "RS256", "kid": "1"}

func TestExchangeToken(t *testing.T) {
	t.Parallel()
	w := trustingAPI(t)
	answer := w.do(exchange(demo.Slug, idToken(t, rs256, goodClaims(nil))))
	made := decoded(t, answer, 201)
	require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
	require.Equal(t, "2026-03-14T09:41:53.589Z", made["expiresAt"])
	_, ok := models.ParseAPIKeyToken(made["key"].(string))
	require.True(t, ok)
	require.Len(t, w.store.publishers.exchanged, 1)
	require.EqualValues(t, 71, w.store.publishers.exchanged[0].PublisherID, "the first that matches")
}

// TestOneAnswerForWhatIsNotTrusted checks that strangers do not learn the reason of a refusal, and that no keys are
// fetched for them.
func TestOneAnswerForWhatIsNotTrusted(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	w := trustingAPI(t, func(d *parts) { d.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	var details []string
	for why, call := range map[string]request{
		"unknown project":      exchange("nowhere", idToken(t, rs256, goodClaims(nil))),
		"a slug that is none":  exchange("a\x00", idToken(t, rs256, goodClaims(nil))),
		"other project":        exchange(other.Slug, idToken(t, rs256, goodClaims(nil))),
		"unknown issuer":       exchange(demo.Slug, idToken(t, rs256, goodClaims(map[string]any{"iss": "https://evil.example"}))),
		"almost the issuer":    exchange(demo.Slug, idToken(t, rs256, goodClaims(map[string]any{"iss": ciIssuer + "/"}))),
		"other audience":       exchange(demo.Slug, idToken(t, rs256, goodClaims(map[string]any{"aud": "https://evil.example"}))),
		"two audiences":        exchange(demo.Slug, idToken(t, rs256, goodClaims(map[string]any{"aud": []string{ciAudience, "x"}}))),
		"other repository":     exchange(demo.Slug, idToken(t, rs256, goodClaims(map[string]any{"repository": "acme/other"}))),
		"without a claim":      exchange(demo.Slug, idToken(t, rs256, goodClaims(map[string]any{"ref": nil}))),
		"alg none":             exchange(demo.Slug, idToken(t, map[string]string{"alg": "none"}, goodClaims(nil))),
		"alg HS256":            exchange(demo.Slug, idToken(t, map[string]string{"alg": "HS256", "kid": "1"}, goodClaims(nil))),
		"a JWE":                exchange(demo.Slug, "a.b.c.d.e"),
		"no token":             exchange(demo.Slug, "nonsense"),
		"claims that are none": exchange(demo.Slug, idToken(t, rs256, []string{"iss"})),
	} {
		p := w.problem(w.do(call), 401, models.CodeUnauthenticated)
		details = append(details, p.Detail)
		require.Equal(t, details[0], p.Detail, why)
	}
	require.Zero(t, w.store.publishers.verified, "no keys are fetched")
	require.Empty(t, w.store.publishers.exchanged)
	require.Contains(t, log.String(), "audience and claims", "the operator learns why")
	for _, looked := range w.store.publishers.looked {
		require.NotContains(t, looked, "\x00")
	}
}

func TestTokensThatAreNoTextsOrTooLong(t *testing.T) {
	t.Parallel()
	w := trustingAPI(t)
	for field, body := range map[string]any{
		"idToken":     map[string]string{"projectSlug": "demo", "idToken": strings.Repeat("a", 16<<10+1)},
		"projectSlug": map[string]string{"projectSlug": "", "idToken": "x"},
	} {
		call := exchange("", "")
		call.body = body
		require.Equal(t, []string{field}, fieldsOf(w.problem(w.do(call), 400, models.CodeInvalid)))
	}
	call := exchange("", "")
	require.Equal(t, []string{"projectSlug", "idToken"}, fieldsOf(w.problem(w.do(call), 400, models.CodeInvalid)))
	call.body = `{"projectSlug": "demo", "idToken": "` + strings.Repeat("a", 2<<20) + `"}`
	w.problem(w.do(call), 413, models.CodeTooLarge)
	require.Empty(t, w.store.publishers.looked)
}

func TestAnIssuerThatIsAway(t *testing.T) {
	t.Parallel()
	w := trustingAPI(t)
	for code, status := range map[models.ErrorCode]int{models.CodeUnavailable: 503, models.CodeRateLimited: 429} {
		w.store.publishers.verifyErr = &models.Error{Code: code, Message: "later", RetryAfter: 10 * time.Second}
		answer := w.do(exchange(demo.Slug, idToken(t, rs256, goodClaims(nil))))
		w.problem(answer, status, code)
		require.Equal(t, "10", answer.Header().Get("Retry-After"))
	}
	w.store.publishers.verifyErr, w.store.publishers.err = nil, models.Unavailable("Postgres", nil)
	w.problem(w.do(exchange(demo.Slug, idToken(t, rs256, goodClaims(nil)))), 503, models.CodeUnavailable)
}

func TestIDTokensCostTheirSender(t *testing.T) {
	t.Parallel()
	w := trustingAPI(t, func(d *parts) { d.Rates.UnknownKeys = 1 })
	limited := 0
	for range 15 {
		if w.do(exchange(demo.Slug, "nonsense")).Code == 429 {
			limited++
		}
	}
	require.Equal(t, 5, limited, "a burst of ten")
	near := exchange(demo.Slug, idToken(t, rs256, goodClaims(nil)))
	near.local = true
	require.Equal(t, 201, w.do(near).Code)
}

func TestPutTrustedPublishers(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	put := func(body any) request {
		return request{method: put, path: "/v1/ota/trusted-publishers", body: body, header: map[string]string{"Content-Type": "application/json"}}
	}
	good := func(more map[string]any) map[string]any {
		entry := map[string]any{
			"issuer": ciIssuer, "audience": "waft", "claims": map[string]string{"repository": "acme/app"}, "role": "editor",
		}
		for name, value := range more {
			entry[name] = value
		}
		return entry
	}
	answer := w.do(put([]any{good(nil), good(map[string]any{"channels": []string{"staging"}})}))
	require.Equal(t, 200, answer.Code, answer.Body.String())
	var list []map[string]any
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &list))
	require.Len(t, list, 2)
	require.Nil(t, list[0]["channels"])
	require.Equal(t, []any{"staging"}, list[1]["channels"])
	require.Equal(t, 200, w.do(put(answer.Body.String())).Code, "an answer can be sent back")
	require.Equal(t, 200, w.do(put("[]")).Code)

	for field, entry := range map[string]any{
		"[1].issuer":          good(map[string]any{"issuer": "http://x"}),
		"[1].claims":          good(map[string]any{"claims": map[string]string{}}),
		"[1].claims.run":      good(map[string]any{"claims": map[string]any{"repository": "acme/app", "run": 7}}),
		"[1].role":            good(map[string]any{"role": "admin"}),
		"[1].channels":        good(map[string]any{"channels": []string{}}),
		"[1].misspelt":        good(map[string]any{"misspelt": true}),
		"[1].claims.ref":      good(map[string]any{"claims": map[string]string{"repository": "acme/app", "ref": "*"}}),
		"[1].channels[1]":     good(map[string]any{"channels": []string{"a", "a"}}),
		"[1].audience":        good(map[string]any{"audience": 7}),
		"[1]":                 good(map[string]any{"audience": "first"}),
		"[1].claims.audience": good(map[string]any{"claims": map[string]any{"repository": "acme/app", "audience": nil}}),
	} {
		p := w.problem(w.do(put([]any{good(map[string]any{"audience": "first"}), entry})), 400, models.CodeInvalid)
		require.Equal(t, []string{field}, fieldsOf(p), "%v", p)
	}
	for _, body := range []string{"{}", "null", `{"publishers": []}`, "7", `["x"]`} {
		w.problem(w.do(put(body)), 400, models.CodeInvalid)
	}
}
