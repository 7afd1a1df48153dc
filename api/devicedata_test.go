package api

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestTheDataOfADeviceIsErasedByAdmins(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	done, fail := true, error(nil)
	var asked []string
	w.store.erase = func(deviceID string) (bool, error) {
		asked = append(asked, deviceID)
		return done, fail
	}
	erase := request{method: remove, path: "/v1/ota/devices/Device%2F1/data"}
	require.Equal(t, 204, w.do(erase).Code)
	done = false
	answer := w.do(erase)
	require.Equal(t, 202, answer.Code)
	require.Empty(t, answer.Body.String())
	require.Equal(t, []string{"Device/1", "Device/1"}, asked)
	fail = models.Unavailable("Postgres", nil)
	w.problem(w.do(erase), 503, models.CodeUnavailable)
	erase.key = w.keys[models.RoleEditor]
	w.problem(w.do(erase), 403, models.CodeForbidden)
	require.Len(t, asked, 3)
}

func TestSettingsOfTelemetry(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var got models.SettingsPatch
	w.store.updateSettings = func(patch models.SettingsPatch) (models.Settings, error) {
		got = patch
		return models.Settings{HashIDs: true, TelemetryRetentionDays: new(7)}, nil
	}
	answer := w.do(request{method: patch, path: "/v1/ota/settings", body: `{"hashIds":true,"telemetryRetentionDays":7}`})
	require.JSONEq(t, `{"buildRetentionDays":null,"telemetryRetentionDays":7,"hashIds":true,"trustedNetworks":[],"repositoryUrl":null}`, answer.Body.String())
	require.Equal(t, models.SettingsPatch{HashIDs: new(true), TelemetryRetentionDays: models.Nullable[int]{Set: true, Value: new(7)}}, got)
	w.do(request{method: patch, path: "/v1/ota/settings", body: `{"trustedNetworks":["203.0.113.0/24"]}`})
	require.Equal(t, models.SettingsPatch{TrustedNetworks: &[]string{"203.0.113.0/24"}}, got)
	w.do(request{method: patch, path: "/v1/ota/settings", body: `{"repositoryUrl":null}`})
	require.Equal(t, models.SettingsPatch{RepositoryURL: new("")}, got)
	for _, url := range []string{
		"http://github.com/acme/app", "HTTPS://github.com/acme/app", "javascript:alert(1)", "github.com/acme/app", "https://", "https:///app",
		"https://ada:secret@github.com/acme/app", "https://github.com/acme/app?x=1", "https://github.com/acme/app#x", "https://github.com/acme/app/",
		`https://github.com\\@evil.test/app`, "https://git hub.com/app", "https://github.com/" + strings.Repeat("a", 500),
	} {
		p := w.problem(w.do(request{method: patch, path: "/v1/ota/settings", body: `{"repositoryUrl":"` + url + `"}`}), 400, models.CodeInvalid)
		require.Equal(t, []string{"repositoryUrl"}, fieldsOf(p), url)
	}
	for body, field := range map[string]string{
		`{"trustedNetworks":null}`: "trustedNetworks", `{"trustedNetworks":["203.0.113.7/24"]}`: "trustedNetworks",
		`{"hashIds":null}`: "hashIds", `{"hashIds":1}`: "hashIds", `{"telemetryRetentionDays":366}`: "telemetryRetentionDays",
	} {
		p := w.problem(w.do(request{method: patch, path: "/v1/ota/settings", body: body}), 400, models.CodeInvalid)
		require.Equal(t, []string{field}, fieldsOf(p), body)
	}
}
