package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// servedBranch returns the branch of the update that a device of the user is served, or "" without an update.
func (p project) servedBranch(t *testing.T, userID string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.url+"/v1/ota/manifest/"+p.slug, nil)
	require.NoError(t, err)
	for name, value := range map[string]string{
		"accept": "application/expo+json", "expo-channel-name": "production", "expo-runtime-version": "1.0.0",
		"expo-platform": "ios", "expo-device-id": "device-1", "client-user-id": userID,
	} {
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "" // a new record is not served yet
	}
	var manifest struct {
		Extra struct {
			Waft struct {
				BranchName string `json:"branchName"`
			} `json:"waft"`
		} `json:"extra"`
	}
	require.NoError(t, json.NewDecoder(res.Body).Decode(&manifest))
	return manifest.Extra.Waft.BranchName
}

func TestAUserOverrideReachesTheUsersDevices(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serveAPI(t, env), env["WAFT_ROOT_KEY"])
	exports := madeExports(t)
	build := p.publish(t, exports["stable"], "stable", 0)[0].BuildID
	p.askJSON(t, http.MethodPost, "/v1/ota/updates", map[string]any{"buildId": build, "branchName": "staging"}, 201)
	serves := func(branch, userID string) {
		t.Helper()
		eventually(t, func() bool { return p.servedBranch(t, userID) == branch })
	}
	serves("production", "vip")

	override := p.askJSON(t, http.MethodPost, "/v1/ota/user-overrides", map[string]any{"userId": "vip", "branchName": "staging"}, 201)
	serves("staging", "vip")
	require.Equal(t, "production", p.servedBranch(t, "somebody"))
	resolved := p.askJSON(t, http.MethodGet,
		"/v1/ota/resolve?channel=production&platform=ios&runtimeVersion=1.0.0&deviceId=device-1&userId=vip", nil, 200)
	require.Equal(t, "staging", resolved["branchName"])

	p.askJSON(t, http.MethodPost, "/v1/ota/user-overrides", map[string]any{"userId": "vip", "branchName": "production"}, 409)
	p.askJSON(t, http.MethodPost, "/v1/ota/branches", map[string]any{"name": "preview"}, 201)
	p.askJSON(t, http.MethodPost, "/v1/ota/user-overrides", map[string]any{"userId": "other", "branchName": "preview"}, 201)
	inUse := p.askJSON(t, http.MethodDelete, "/v1/ota/branches/preview", nil, 409)
	require.Equal(t, "in_use", inUse["code"])
	require.Contains(t, inUse["detail"], "other")

	p.askJSON(t, http.MethodDelete, fmt.Sprintf("/v1/ota/user-overrides/%.0f", override["id"]), nil, 204)
	serves("production", "vip")
}
