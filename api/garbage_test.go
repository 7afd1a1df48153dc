package api

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func TestSettingsArePatchedByAdmins(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]models.Nullable[int]{
		`{}`:                          {},
		`{"buildRetentionDays":30}`:   {Set: true, Value: new(30)},
		`{"buildRetentionDays":null}`: {Set: true},
	} {
		w := newTestAPI(t)
		w.store.updateSettings = func(patch models.SettingsPatch) (models.Settings, error) {
			require.Equal(t, want, patch.BuildRetentionDays)
			return models.Settings{BuildRetentionDays: want.Value}, nil
		}
		answer := w.do(request{method: patch, path: "/v1/ota/settings", body: body})
		require.Equal(t, 200, answer.Code, answer.Body.String())
		if want.Value != nil {
			require.JSONEq(t, `{"buildRetentionDays":30,"telemetryRetentionDays":null,"hashIds":false,"trustedNetworks":[],"repositoryUrl":null}`, answer.Body.String())
		}
	}
	w := newTestAPI(t)
	for _, body := range []string{`{"buildRetentionDays":0}`, `{"buildRetentionDays":4000}`, `{"buildRetentionDays":"long"}`} {
		p := w.problem(w.do(request{method: patch, path: "/v1/ota/settings", body: body}), 400, models.CodeInvalid)
		require.Equal(t, []string{"buildRetentionDays"}, fieldsOf(p))
	}
	w.problem(w.do(request{method: patch, path: "/v1/ota/settings", body: `{}`, key: w.keys[models.RoleEditor]}), 403, models.CodeForbidden)
	require.JSONEq(t, `{"buildRetentionDays":null,"telemetryRetentionDays":null,"hashIds":false,"trustedNetworks":[],"repositoryUrl":null}`,
		w.do(request{method: get, path: "/v1/ota/settings", key: w.keys[models.RoleViewer]}).Body.String())
}

func TestGarbageIsShownToAllAndCollectedByAdmins(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	garbage := models.Garbage{Blobs: 2, Bytes: 30, Pending: 1, Builds: []models.Build{{
		ID: 3, UUID: uuid.MustParse(rest.ExampleUUID), Platform: models.IOS, RuntimeVersion: "1.0", Message: "m", SizeBytes: 40, CreatedAt: now,
	}}}
	w.store.preview = func() (models.Garbage, error) { return garbage, nil }
	w.store.collect = func(actor models.Actor) (models.Garbage, error) {
		require.Equal(t, "admin", actor.Name)
		return garbage, nil
	}
	const record = `{"builds":[{"id":3,"uuid":"` + rest.ExampleUUID + `","platform":"ios","runtimeVersion":"1.0","message":"m",
		"sizeBytes":40,"createdAt":"2026-03-14T09:26:53.589Z"}],"blobCount":2,"partialFileCount":0,"bytes":30,"pendingBlobs":1}`
	answer := w.do(request{method: get, path: "/v1/ota/gc", key: w.keys[models.RoleViewer]})
	require.Equal(t, 200, answer.Code)
	require.JSONEq(t, record, answer.Body.String())
	answer = w.do(request{method: post, path: "/v1/ota/gc"})
	require.Equal(t, 200, answer.Code)
	require.JSONEq(t, record, answer.Body.String())
	w.problem(w.do(request{method: post, path: "/v1/ota/gc", key: w.keys[models.RoleEditor]}), 403, models.CodeForbidden)
}
