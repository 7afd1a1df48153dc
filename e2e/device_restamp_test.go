package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// servedManifest returns the ID and time of the update that a device running the given update gets. ok is false if the
// response is not an update.
func (p project) servedManifest(t *testing.T, running string) (id string, createdAt time.Time, ok bool) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/ota/manifest/"+p.slug, nil)
	require.NoError(t, err)
	for name, value := range map[string]string{
		"accept": "application/expo+json", "expo-protocol-version": "1", "expo-channel-name": "production", "expo-runtime-version": "1.0.0",
		"expo-platform": "ios", "expo-device-id": "device-1", "expo-current-update-id": running,
	} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", time.Time{}, false
	}
	var manifest struct {
		ID        string    `json:"id"`
		CreatedAt time.Time `json:"createdAt"`
	}
	require.NoError(t, json.NewDecoder(res.Body).Decode(&manifest))
	return manifest.ID, manifest.CreatedAt, true
}

// A device that was rolled back to the embedded update can still get a release that is older than that rollback. It
// gets the release under another UUID with a later commit time. The device's reports then count for the release.
func TestAReleaseFromBeforeARollbackIsServedAndCountedAgain(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serve(t, env), env["WAFT_ROOT_KEY"])
	exports := madeExports(t)
	release := p.publish(t, exports["stable"], "stable", 0)[0]
	original := release.UpdateUUID.String()
	back := p.askJSON(t, http.MethodPost, "/v1/ota/rollback", map[string]any{
		"channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
	}, 201)
	require.Equal(t, string(models.KindRollbackToEmbedded), back["kind"])
	rolledBackAt, err := time.Parse(time.RFC3339, back["createdAt"].(string))
	require.NoError(t, err)

	p.askJSON(t, http.MethodPatch, fmt.Sprintf("/v1/ota/updates/%d", release.ID), map[string]any{"isEnabled": true}, 200)
	p.askJSON(t, http.MethodDelete, fmt.Sprintf("/v1/ota/updates/%.0f", back["id"]), nil, 204)
	var alias string
	eventually(t, func() bool {
		id, createdAt, ok := p.servedManifest(t, uuid.NewString())
		alias = id
		return ok && createdAt.After(rolledBackAt)
	})
	require.NotEqual(t, original, alias)
	for _, running := range []string{original, alias} {
		_, _, ok := p.servedManifest(t, running)
		require.False(t, ok, "a device that runs the release under either UUID is up to date")
	}
	resolved := p.askJSON(t, http.MethodGet,
		"/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=device-1&currentUpdateUuid="+original, nil, 200)
	require.Equal(t, "up_to_date", resolved["outcome"])
	require.Equal(t, alias, resolved["updateUuid"])
	require.InDelta(t, float64(release.ID), resolved["updateId"], 0)

	p.askJSON(t, http.MethodPost, "/v1/ota/health-metrics", map[string]any{
		"projectSlug": p.slug, "deviceId": "device-1", "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0",
		"updateUuid": alias, "events": []any{map[string]any{"type": "app_launch", "count": 3}},
	}, 204)
	eventually(t, func() bool {
		series := p.askJSON(t, http.MethodGet, "/v1/ota/telemetry/timeseries?period=1h&updateUuid="+original, nil, 200)
		launches := 0.0
		for _, point := range series["points"].([]any) {
			launches += point.(map[string]any)["launches"].(float64)
		}
		return launches == 3
	})
}
