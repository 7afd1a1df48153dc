package api

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func TestARepublishAnswersWhatItMade(t *testing.T) {
	t.Parallel()
	group := uuid.MustParse(rest.ExampleUUID)
	cases := map[string]struct {
		body string
		want models.Republish
	}{
		"without a body":        {"", models.Republish{}},
		"with nothing in it":    {`{}`, models.Republish{}},
		"to channels":           {`{"channels":["production","staging"]}`, models.Republish{Channels: []string{"production", "staging"}}},
		"with another message":  {`{"releaseMessage":"again"}`, models.Republish{ReleaseMessage: new("again")}},
		"with an empty message": {`{"releaseMessage":""}`, models.Republish{ReleaseMessage: new("")}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			w.store.republish = func(id int64, n models.Republish) (models.Republished, error) {
				require.Equal(t, int64(17), id)
				require.Equal(t, tc.want, n)
				return models.Republished{GroupID: group, Updates: []models.Release{{ID: 18, GroupID: group, RepublishedFromID: &id}}}, nil
			}
			body := decoded(t, w.do(request{method: post, path: "/v1/ota/updates/17/republish", body: tc.body}), 201)
			require.Equal(t, rest.ExampleUUID, body["groupId"])
			update := body["updates"].([]any)[0].(map[string]any)
			require.Equal(t, 18.0, update["id"])
			require.Equal(t, 17.0, update["republishedFromId"])
		})
	}
	w := newTestAPI(t)
	for body, field := range map[string]string{
		`{"channels":[]}`:                  "channels",
		`{"channels":["a","a"]}`:           "channels[1]",
		`{"channels":["a","no spaces !"]}`: "channels[1]",
		`{"channel":"a"}`:                  "channel",
		`{"releaseMessage":7}`:             "releaseMessage",
	} {
		p := w.problem(w.do(request{method: post, path: "/v1/ota/updates/17/republish", body: body}), 400, models.CodeInvalid)
		require.Equal(t, []string{field}, fieldsOf(p), body)
	}
}

func TestARollbackAnswersTheReleaseItPublished(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]models.Rollback{
		`{"runtimeVersion":"1.0","platform":"ios","channel":"production"}`: {
			Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0",
		},
		`{"runtimeVersion":"1.0","platform":"android","channel":"production","rollbackToUpdateId":16}`: {
			Channel: "production", Platform: models.Android, RuntimeVersion: "1.0", ToUpdateID: new(int64(16)),
		},
		`{"runtimeVersion":"1.0","platform":"ios","channel":"production","rollbackToUpdateId":16,"allowDisabled":true,"reason":"it crashes",
			"others":[{"runtimeVersion":"2.0","platform":"android","rollbackToUpdateId":17}]}`: {
			Channel: "production", Platform: models.IOS, RuntimeVersion: "1.0", ToUpdateID: new(int64(16)), AllowDisabled: true,
			Reason: "it crashes",
			Others: []models.RollbackPart{{Platform: models.Android, RuntimeVersion: "2.0", ToUpdateID: new(int64(17))}},
		},
	} {
		w := newTestAPI(t)
		w.store.rollback = func(n models.Rollback) (models.Release, error) {
			require.Equal(t, want, n)
			return models.Release{ID: 18, Kind: models.KindRollbackToEmbedded, RolledBackUpdateIDs: []int64{17}, RolloutPercentage: 100}, nil
		}
		answer := decoded(t, w.do(request{method: post, path: "/v1/ota/rollback", body: body}), 201)
		require.Equal(t, 18.0, answer["id"])
		require.Equal(t, "rollback_to_embedded", answer["kind"])
		require.Equal(t, []any{17.0}, answer["rolledBackUpdateIds"])
	}
	w := newTestAPI(t)
	p := w.problem(w.do(request{method: post, path: "/v1/ota/rollback", body: `{}`}), 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"runtimeVersion", "platform", "channel"}, fieldsOf(p))
	p = w.problem(w.do(request{
		method: post, path: "/v1/ota/rollback",
		body: `{"runtimeVersion":"1.0","platform":"web","channel":"production","rollbackToUpdateId":0}`,
	}), 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"platform", "rollbackToUpdateId"}, fieldsOf(p))
}

func TestAHistoryIsOldestFirstAndPagesForward(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.history = func(id int64, page models.HistoryPage) ([]models.AuditEntry, error) {
		require.Equal(t, int64(17), id)
		require.Equal(t, models.HistoryPage{Limit: 3, After: 4, Before: 90}, page)
		return []models.AuditEntry{
			{ID: 5, Action: "build.published", ActorType: models.ActorAPIKey, ActorID: "9", ActorName: "ci", CreatedAt: now},
			{ID: 6, Action: "rollout.completed", ActorType: models.ActorSystem, ActorName: "rollout", CreatedAt: now},
			{ID: 7},
		}, nil
	}
	answer := w.do(request{method: get, path: "/v1/ota/updates/17/history?limit=2&after=4&before=90"})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	require.JSONEq(t, `[
		{"id":5,"action":"build.published","actor":"ci","changeId":"0","details":{},"createdAt":"2026-03-14T09:26:53.589Z"},
		{"id":6,"action":"rollout.completed","actor":"system","changeId":"0","details":{},"createdAt":"2026-03-14T09:26:53.589Z"}]`, answer.Body.String())
	require.Equal(t, "/v1/ota/updates/17/history?after=6&before=90&limit=2", nextPath(t, answer.Header().Get("Link")))
}

func TestAHistoryMayBeginWithTheNewestEntry(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	before := int64(0)
	w.store.history = func(_ int64, page models.HistoryPage) ([]models.AuditEntry, error) {
		require.Equal(t, models.HistoryPage{Limit: 2, Before: before, NewestFirst: true}, page)
		return []models.AuditEntry{{ID: 7, CreatedAt: now}, {ID: 6}}, nil
	}
	const path = "/v1/ota/updates/17/history?limit=1&sort=-createdAt"
	next := nextPath(t, w.do(request{method: get, path: path}).Header().Get("Link"))
	require.Contains(t, next, "cursor=")
	before = 7
	require.Equal(t, 200, w.do(request{method: get, path: next}).Code)
	for _, wrong := range []string{"?sort=action", "?sort=createdAt&cursor=" + next[strings.Index(next, "cursor=")+len("cursor="):]} {
		w.problem(w.do(request{method: get, path: "/v1/ota/updates/17/history" + wrong}), 400, models.CodeInvalid)
	}
}

func TestAPolicyIsPatchedFieldByField(t *testing.T) {
	t.Parallel()
	cases := map[string]models.PolicyPatch{
		`{}`:                              {},
		`{"name":"n"}`:                    {Name: new("n")},
		`{"isActive":false}`:              {IsActive: new(false)},
		`{"description":null}`:            {Description: new("")},
		`{"channel":null}`:                {Channel: models.Nullable[string]{Set: true}},
		`{"channel":"beta"}`:              {Channel: models.Nullable[string]{Set: true, Value: new("beta")}},
		`{"stages":[{"percentage":100}]}`: {Stages: &[]models.Stage{{Percentage: 100}}},
		`{"thresholds":{"errorRate":null,"crashRate":0.5,"action":"gate"}}`: {Thresholds: models.ThresholdsPatch{
			ErrorRate: models.Nullable[float64]{Set: true}, CrashRate: models.Nullable[float64]{Set: true, Value: new(0.5)},
			Action: new(models.ActionGate),
		}},
	}
	for body, want := range cases {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			w.store.updatePolicy = func(id int64, patch models.PolicyPatch) (models.RolloutPolicy, error) {
				require.Equal(t, int64(8), id)
				require.Equal(t, want, patch)
				return models.RolloutPolicy{ID: id, Name: "after"}, nil
			}
			answer := decoded(t, w.do(request{method: patch, path: "/v1/ota/rollout-policies/8", body: body}), 200)
			require.Equal(t, "after", answer["name"])
		})
	}
	w := newTestAPI(t)
	p := w.problem(w.do(request{method: patch, path: "/v1/ota/rollout-policies/8", body: `{
		"name":null,"isActive":null,"stages":null,"thresholds":{"action":"explode","errorRate":0,"method":null,"other":1}}`}), 400, models.CodeInvalid)
	require.Subset(t, fieldsOf(p), []string{"thresholds.action", "thresholds.errorRate", "thresholds.other"})
	p = w.problem(w.do(request{method: patch, path: "/v1/ota/rollout-policies/8", body: `{"name":null,"stages":null,"thresholds":{"method":null}}`}), 400, models.CodeInvalid)
	require.ElementsMatch(t, []string{"name", "stages", "thresholds.method"}, fieldsOf(p))
	p = w.problem(w.do(request{method: patch, path: "/v1/ota/rollout-policies/8", body: `{"thresholds":null}`}), 400, models.CodeInvalid)
	require.Equal(t, []string{"thresholds"}, fieldsOf(p))
	p = w.problem(w.do(request{method: patch, path: "/v1/ota/rollout-policies/8", body: `{"stages":[{"percentage":60},{"percentage":50}]}`}), 400, models.CodeInvalid)
	require.Equal(t, []string{"stages[1].percentage"}, fieldsOf(p))
}

func TestALockedPolicyIsAConflict(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	locked := models.Errorf(models.CodePolicyLocked, "execution 21")
	w.store.updatePolicy = func(int64, models.PolicyPatch) (models.RolloutPolicy, error) { return models.RolloutPolicy{}, locked }
	w.store.deletePolicy = func(int64) error { return locked }
	p := w.problem(w.do(request{method: patch, path: "/v1/ota/rollout-policies/8", body: `{"name":"n"}`}), 409, models.CodePolicyLocked)
	require.Contains(t, p.Detail, "execution 21")
	w.problem(w.do(request{method: remove, path: "/v1/ota/rollout-policies/8"}), 409, models.CodePolicyLocked)
	w.store.deletePolicy = nil
	require.Equal(t, 204, w.do(request{method: remove, path: "/v1/ota/rollout-policies/8"}).Code)
}

func TestTheAuditLogIsFiltered(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.listAudit = func(filter models.AuditFilter, page models.Page) ([]models.AuditEntry, error) {
		require.Equal(t, models.AuditFilter{Action: "build.published", EntityType: "update", EntityID: "17"}, filter)
		require.Equal(t, models.Page{Limit: 2, Before: 9, Found: &models.Found{}}, page)
		return []models.AuditEntry{{ID: 8}, {ID: 7}}, nil
	}
	answer := w.do(request{method: get, path: "/v1/ota/audit-log?action=build.published&entity_type=update&entity_id=17&limit=1&before=9"})
	require.Equal(t, 200, answer.Code, answer.Body.String())
	require.Equal(t, "/v1/ota/audit-log?action=build.published&before=8&entity_id=17&entity_type=update&limit=1",
		nextPath(t, answer.Header().Get("Link")))
}

func TestResolveSupposesAShare(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	const path = "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=d1"
	body := decoded(t, w.do(request{method: get, path: path + "&updateId=17&atPercentage=0"}), 200)
	require.Equal(t, "no_update", body["outcome"])
	body = decoded(t, w.do(request{method: get, path: path + "&updateId=17&atPercentage=100"}), 200)
	require.Equal(t, "update", body["outcome"])
	w.problem(w.do(request{method: get, path: path + "&updateId=99&atPercentage=5"}), 404, models.CodeNotFound)
	for query, field := range map[string]string{
		"&updateId=17": "atPercentage", "&atPercentage=5": "updateId", "&updateId=17&atPercentage=101": "atPercentage",
		"&updateId=17&atPercentage=x": "atPercentage", "&updateId=17&atPercentage=0.0001": "atPercentage",
		"&currentUpdateUuid=x": "currentUpdateUuid", "&userId=a%0Ab": "userId", "&userId=" + strings.Repeat("u", 257): "userId",
	} {
		p := w.problem(w.do(request{method: get, path: path + query}), 400, models.CodeInvalid)
		require.Equal(t, []string{field}, fieldsOf(p), query)
	}
}

// The question does not name the embedded update of the device, so the update that it runs is taken for a lost release.
func TestResolveExplainsAReleaseThatARestoreLost(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) {
		d.Snapshots = newSnapshots(t, func(state *models.ProjectSnapshot) { state.Project.RestoredAt = new(now.Add(time.Hour)) })
	})
	const path = "/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0"
	require.Equal(t, "update", decoded(t, w.do(request{method: get, path: path}), 200)["outcome"])
	body := decoded(t, w.do(request{method: get, path: path + "&currentUpdateUuid=BBBBBBBB-2222-4333-8444-555555555555"}), 200)
	require.Equal(t, "no_update", body["outcome"])
	steps := body["steps"].([]any)
	last := steps[len(steps)-1].(map[string]any)
	require.Equal(t, [2]any{"restore", "kept"}, [2]any{last["step"], last["outcome"]})
	require.Contains(t, last["detail"], "bbbbbbbb-2222-4333-8444-555555555555")
}
