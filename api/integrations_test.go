package api

import (
	"encoding/json"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/manage/flags"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/webhooks"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

func TestAUserOverrideIsCreatedAsSaid(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.createOverride = func(n models.NewUserOverride) (models.UserOverride, error) {
		return models.UserOverride{ID: 33, UserID: n.UserID, BranchName: n.BranchName, Note: n.Note, CreatedAt: now}, nil
	}
	body := decoded(t, w.do(request{
		method: post, path: "/v1/ota/user-overrides", body: `{"userId":"user-42","branchName":"next","note":"why"}`,
	}), 201)
	require.Equal(t, map[string]any{
		"id": 33.0, "userId": "user-42", "branchName": "next", "note": "why", "createdAt": "2026-03-14T09:26:53.589Z",
	}, body)

	p := w.problem(w.do(request{method: post, path: "/v1/ota/user-overrides", body: `{"userId":" ","branchName":"a b","x":1}`}), 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"userId", "branchName", "x"}, fieldsOf(p))
	w.store.createOverride = func(models.NewUserOverride) (models.UserOverride, error) {
		return models.UserOverride{}, models.Errorf(models.CodeAlreadyExists, "this user already has an override")
	}
	w.problem(w.do(request{method: post, path: "/v1/ota/user-overrides", body: `{"userId":"u","branchName":"b"}`}), 409, models.CodeAlreadyExists)
}

func TestResolveAndManifestFollowTheUser(t *testing.T) {
	t.Parallel()
	state := models.ProjectSnapshot{
		Project:       demo,
		Branches:      []models.Branch{{ID: 5, Name: "production"}, {ID: 6, Name: "preview"}},
		Channels:      []models.Channel{{ID: 7, Name: "production", BranchID: 5}},
		UserOverrides: map[string]int64{"vip": 6},
	}
	snapshot, err := delivery.NewSnapshot(state, "https://ota.example.com")
	require.NoError(t, err)
	w := newTestAPI(t, func(d *parts) { d.Snapshots = snapshots{snapshot} })

	path := "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&userId="
	require.Equal(t, "preview", decoded(t, w.do(request{method: get, path: path + "vip"}), 200)["branchName"])
	require.Equal(t, "production", decoded(t, w.do(request{method: get, path: path + "somebody"}), 200)["branchName"])

	manifest := func(header, value string) string {
		answer := w.do(request{method: get, path: "/v1/ota/manifest/demo", anonymous: true, header: map[string]string{
			"expo-channel-name": "production", "expo-runtime-version": "1.0.0", "expo-platform": "ios", "expo-protocol-version": "1", header: value,
		}})
		require.Less(t, answer.Code, 300, answer.Body.String())
		return answer.Header().Get("expo-manifest-filters")
	}
	require.Contains(t, manifest("client-user-id", "vip"), "preview")
	require.Contains(t, manifest("expo-user-id", "vip"), "preview")
	require.Contains(t, manifest("expo-extra-params", `client-user-id="vip"`), "preview")
	require.NotContains(t, manifest("client-user-id", "somebody"), "preview")
}

func TestOnlyTheAnswerThatSetsASecretHasIt(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var asked models.NewWebhook
	w.store.createWebhook = func(n models.NewWebhook) (models.Webhook, models.WebhookSecret, error) {
		asked = n
		return models.Webhook{ID: 31, URL: n.URL, Events: n.Events, IsActive: n.IsActive, SecretHint: "…", CreatedAt: now}, models.WebhookSecretOf("shown-once"), nil
	}
	body := decoded(t, w.do(request{method: post, path: "/v1/ota/webhooks", body: `{"url":"https://example.com/h","events":["*"]}`}), 201)
	require.Equal(t, models.NewWebhook{URL: "https://example.com/h", Events: []string{"*"}, IsActive: true}, asked)
	require.Equal(t, "shown-once", body["secret"])
	require.Equal(t, "…", body["secretHint"])
	require.Nil(t, body["lastDelivery"])

	answer := w.do(request{method: post, path: "/v1/ota/webhooks", body: `{"url":"http://h/","events":["build.published"],"secret":"of-mine","isActive":false,"description":"d"}`})
	require.Equal(t, 201, answer.Code, answer.Body.String())
	given := models.WebhookSecretOf("of-mine")
	require.Equal(t, models.NewWebhook{URL: "http://h/", Events: []string{"build.published"}, Description: "d", Secret: &given}, asked)

	rotated := decoded(t, w.do(request{method: post, path: "/v1/ota/webhooks/31/rotate-secret"}), 200)
	require.Equal(t, "whsec_bmV3", rotated["secret"])
	require.Equal(t, 31.0, rotated["id"])

	patched := decoded(t, w.do(request{method: patch, path: "/v1/ota/webhooks/31", body: `{"secret":"another"}`}), 200)
	require.NotContains(t, patched, "secret")
}

func TestARotationEndsTheOldSecretImmediatelyIfAsked(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	rotate := func(body any) *httptest.ResponseRecorder {
		return w.do(request{method: post, path: "/v1/ota/webhooks/31/rotate-secret", body: body})
	}
	for body, immediately := range map[string]bool{
		"": false, `{}`: false, `{"immediately":false}`: false, `{"immediately":true}`: true,
	} {
		require.Equal(t, 200, rotate(body).Code, body)
		require.Equal(t, immediately, w.store.endedImmediately, body)
	}
	for body, field := range map[string]string{`{"immediately":"yes"}`: "immediately", `{"atOnce":true}`: "atOnce"} {
		require.Equal(t, []string{field}, fieldsOf(w.problem(rotate(body), 400, models.CodeInvalid)))
	}
}

func TestOnlyAdminsSeeTheSecretsOfAWebhooksURL(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	const whole, masked = "https://example.com/T0000000001?key=hunter2", "https://example.com/…?key=…"
	stored := models.Webhook{ID: 31, URL: whole, Events: []string{"*"}, CreatedAt: now}
	w.store.updateWebhook = func(int64, models.WebhookPatch) (models.Webhook, error) { return stored, nil }
	w.store.createWebhook = func(models.NewWebhook) (models.Webhook, models.WebhookSecret, error) {
		return stored, models.WebhookSecretOf("s"), nil
	}
	for role, want := range map[models.Role]string{models.RoleAdmin: whole, models.RoleEditor: masked} {
		key := w.keys[role]
		patched := decoded(t, w.do(request{method: patch, path: "/v1/ota/webhooks/31", key: key, body: `{"isActive":true}`}), 200)
		require.Equal(t, want, patched["url"], role)
		created := decoded(t, w.do(request{method: post, path: "/v1/ota/webhooks", key: key, body: map[string]any{"url": whole, "events": []string{"*"}}}), 201)
		require.Equal(t, want, created["url"], role)
	}
}

func TestAWebhookPatchTellsAbsentFromValue(t *testing.T) {
	t.Parallel()
	another := models.WebhookSecretOf("another")
	for body, want := range map[string]models.WebhookPatch{
		`{}`:                        {},
		`{"isActive":false}`:        {IsActive: new(false)},
		`{"events":["*"]}`:          {Events: new([]string{"*"})},
		`{"url":"https://h/x"}`:     {URL: new("https://h/x")},
		`{"description":null}`:      {Description: new("")},
		`{"description":"d"}`:       {Description: new("d")},
		`{"secret":"another"}`:      {Secret: &another},
		`{"url":"https://h?a=b#"}`:  {URL: new("https://h?a=b#")},
		`{"url":"http://[::1]:8/"}`: {URL: new("http://[::1]:8/")},
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			var got models.WebhookPatch
			w.store.updateWebhook = func(id int64, patch models.WebhookPatch) (models.Webhook, error) {
				got = patch
				return models.Webhook{ID: id}, nil
			}
			answer := w.do(request{method: patch, path: "/v1/ota/webhooks/31", body: body})
			require.Equal(t, 200, answer.Code, answer.Body.String())
			require.Equal(t, want, got)
		})
	}
	for body, fields := range map[string][]string{
		`{"url":null,"events":null,"isActive":null,"secret":null}`: {"url", "events", "isActive", "secret"},
		`{"url":"ftp://h","events":[],"secret":""}`:                {"url", "events", "secret"},
		`{"events":["*","nope"]}`:                                  {"events[1]"},
		`{"events":["*","*"]}`:                                     {"events[1]"},
		`{"url":"https://user:word@h/"}`:                           {"url"},
		`{"secretHint":"x"}`:                                       {"secretHint"},
	} {
		t.Run("refuses "+body, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			p := w.problem(w.do(request{method: patch, path: "/v1/ota/webhooks/31", body: body}), 400, models.CodeInvalid)
			require.ElementsMatch(t, fields, fieldsOf(p))
		})
	}
}

func TestAMessageIsSentByHand(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	test := decoded(t, w.do(request{method: post, path: "/v1/ota/webhooks/31/test"}), 201)
	require.Equal(t, [3]any{90.0, "webhook.test", "pending"}, [3]any{test["id"], test["event"], test["status"]})
	again := decoded(t, w.do(request{method: post, path: "/v1/ota/webhooks/31/deliveries/90/redeliver"}), 201)
	require.Equal(t, [2]any{91.0, 90.0}, [2]any{again["id"], again["redeliveryOf"]})
	w.problem(w.do(request{method: post, path: "/v1/ota/webhooks/31/deliveries/none/redeliver"}), 404, models.CodeNotFound)
}

func TestAWebhooksDeliveriesArePaged(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.listDeliveries = func(webhookID int64, page models.Page) ([]models.WebhookDelivery, error) {
		require.Equal(t, int64(31), webhookID)
		require.Equal(t, models.Page{Limit: 2, Before: 90, Found: &models.Found{}}, page)
		return []models.WebhookDelivery{{ID: 89}, {ID: 88}}, nil
	}
	answer := w.do(request{method: get, path: "/v1/ota/webhooks/31/deliveries?limit=1&before=90"})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	require.Equal(t, `</v1/ota/webhooks/31/deliveries?before=89&limit=1>; rel="next"`, answer.Header().Get("Link"))
}

func TestAContextIsCreatedOrMerged(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var seen models.SeenContext
	created := true
	w.store.saveContext = func(s models.SeenContext) (models.EvaluationContext, bool, error) {
		seen = s
		return models.EvaluationContext{ID: 34, Kind: s.Kind, TargetingKey: s.TargetingKey, Attributes: s.Attributes, FirstSeenAt: now, LastSeenAt: now}, created, nil
	}
	call := request{method: post, path: "/v1/ota/contexts", body: `{"kind":"user","targetingKey":"user-42","attributes":{"plan":"pro","old":null,"tags":["a"]}}`}
	body := decoded(t, w.do(call), 201)
	require.Equal(t, models.SeenContext{Kind: "user", TargetingKey: "user-42", Attributes: map[string]any{"plan": "pro", "old": nil, "tags": []any{"a"}}}, seen)
	require.Equal(t, 0.0, body["evaluationCount"])
	created = false
	require.Equal(t, 34.0, decoded(t, w.do(call), 200)["id"])

	p := w.problem(w.do(request{method: post, path: "/v1/ota/contexts", body: `{"kind":"planet","attributes":7}`}), 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"kind", "targetingKey", "attributes"}, fieldsOf(p))
}

func TestContextsAreFilteredAndTheirFiltersStayInTheLink(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.listContexts = func(filter models.ContextFilter, page models.Page) ([]models.EvaluationContext, error) {
		require.Equal(t, models.ContextFilter{Kind: "user"}, filter)
		require.Equal(t, "a&b", page.Search)
		page.Found.Cursors = []models.Cursor{{Order: "best", Value: "1", ID: 9}, {Order: "best", Value: "0", ID: 8}}
		return []models.EvaluationContext{{ID: 9}, {ID: 8}}, nil
	}
	answer := w.do(request{method: get, path: "/v1/ota/contexts?kind=user&search=a%26b&limit=1"})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	require.Equal(t, `</v1/ota/contexts?cursor=eyJvIjoiYmVzdCIsInYiOiIxIiwiaSI6OX0&kind=user&limit=1&search=a%26b>; rel="next"`, answer.Header().Get("Link"))
	w.problem(w.do(request{method: get, path: "/v1/ota/contexts?kind=planet"}), 400, models.CodeInvalid)
}

func TestContextKindsAreListed(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	answer := w.do(request{method: get, path: "/v1/ota/contexts/kinds"})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	var kinds []string
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &kinds))
	require.Equal(t, []string{"user", "device", "organization", "service", "environment"}, kinds)
}

func TestTheSigningKeyIsNeverAnswered(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.putSigningKey = func(n models.NewSigningKey) (models.SigningKey, error) {
		require.Equal(t, models.NewSigningKey{PrivateKeyPEM: "private-text", CertificatePEM: "certificate-text", KeyID: "k"}, n)
		return models.SigningKey{KeyID: n.KeyID, CertificatePEM: n.CertificatePEM, SealedPrivateKey: "sealed-text", NotBefore: now, NotAfter: now}, nil
	}
	answer := w.do(request{method: put, path: "/v1/ota/code-signing", body: `{"privateKeyPem":"private-text","certificatePem":"certificate-text","keyId":"k"}`})
	body := decoded(t, answer, 200)
	require.Equal(t, "k", body["keyId"])
	require.Equal(t, "certificate-text", body["certificatePem"])
	require.Equal(t, "rsa-v1_5-sha256", body["algorithm"])
	require.NotContains(t, answer.Body.String(), "private-text")
	require.NotContains(t, answer.Body.String(), "sealed-text")

	w.store.putSigningKey = nil
	answer = w.do(request{method: put, path: "/v1/ota/code-signing", body: `{"privateKeyPem":"private-text","certificatePem":"x","keyId":"\""}`})
	p := w.problem(answer, 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"privateKeyPem", "certificatePem", "keyId"}, fieldsOf(p))
	require.NotContains(t, answer.Body.String(), "private-text")
	require.Equal(t, 204, w.do(request{method: remove, path: "/v1/ota/code-signing"}).Code)
}

func TestAProjectWithoutASigningKeyIsNotAnError(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	require.Equal(t, "main", decoded(t, w.do(request{path: "/v1/ota/code-signing"}), 200)["keyId"])
	w.store.signingKey = func() (models.SigningKey, error) {
		return models.SigningKey{}, models.Errorf(models.CodeNotFound, "no code signing key")
	}
	answer := w.do(request{path: "/v1/ota/code-signing"})
	require.Equal(t, 204, answer.Code)
	require.Empty(t, answer.Body.String())
	w.store.signingKey = func() (models.SigningKey, error) {
		return models.SigningKey{}, models.Errorf(models.CodeUnavailable, "Postgres is unavailable")
	}
	w.problem(w.do(request{path: "/v1/ota/code-signing"}), 503, models.CodeUnavailable)
}

func TestRecordsOfIntegrationsAreComplete(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		record any
		keys   []string
		want   map[string]any
	}{
		"webhook": {
			webhooks.WebhookRecord(models.Webhook{}),
			[]string{"id", "url", "events", "isActive", "secretHint", "description", "createdAt", "updatedAt", "lastDelivery", "failingSince", "disabledReason", "format", "oldSecretUntil"},
			map[string]any{"events": []any{}, "lastDelivery": nil, "failingSince": nil},
		},
		"delivery": {
			webhooks.DeliveryRecord(models.WebhookDelivery{Attempts: []models.DeliveryAttempt{{At: now}}}),
			[]string{"id", "messageId", "event", "subject", "status", "attempts", "nextAttemptAt", "workflowId", "workflowUrl", "redeliveryOf", "createdAt"},
			map[string]any{"nextAttemptAt": nil, "workflowUrl": nil, "redeliveryOf": nil, "attempts": []any{map[string]any{
				"at": "2026-03-14T09:26:53.589Z", "responseStatus": nil, "durationMs": 0.0, "error": "", "responseSnippet": "",
			}}},
		},
		"context": {
			flags.ContextRecord(models.EvaluationContext{}),
			[]string{"id", "kind", "targetingKey", "name", "attributes", "firstSeenAt", "lastSeenAt", "evaluationCount", "pinned"},
			map[string]any{"attributes": map[string]any{}},
		},
		"user override": {
			releases.OverrideRecord(models.UserOverride{}), []string{"id", "userId", "branchName", "note", "createdAt"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := object(t, tc.record)
			require.ElementsMatch(t, tc.keys, keysOf(got))
			for key, want := range tc.want {
				require.Equal(t, want, got[key], key)
			}
		})
	}
}
