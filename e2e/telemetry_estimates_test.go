package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The estimates for a segment and a policy are computed from existing devices, and are not stored.
func TestEstimatesBeforeAnythingIsMade(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	for n, device := range []string{"a", "b", "c", "d", "e"} {
		channel := []string{"production", "staging"}[n/4]
		p.tells(device, channel, nil, "app_launch")
	}
	estimate := func(attribute, value string) any {
		return p.do(request{method: http.MethodPost, path: "/v1/ota/segments/estimate", body: object{
			"matchType": "all", "conditions": []object{{"attribute": attribute, "operator": "eq", "valuesJson": []string{value}}},
		}}).record(http.StatusOK)["estimatedDevices"]
	}
	p.eventually(func() bool { return estimate("platform", "ios") == 5.0 && estimate("channel", "production") == 4.0 })
	p.eventually(func() bool { return estimate("channel", "nowhere") == 0.0 })
	require.Nil(t, estimate("plan", "pro"))
	require.Empty(t, p.list("/v1/ota/segments"))

	preview := func(body object) object {
		return p.do(request{method: http.MethodPost, path: "/v1/ota/rollout-policies/preview", body: body}).record(http.StatusOK)
	}
	stages := []object{{"percentage": 50, "minDevices": 1, "minDurationMinutes": 60}, {"percentage": 100}}
	body := object{"stages": stages, "channel": "production", "platform": "ios", "runtimeVersion": "1.0.0", "thresholds": object{"crashRate": 0.5}}
	var f object
	p.eventually(func() bool { // ClickHouse writes one table after the other
		f = preview(body)
		return f["activeDevices"] == 4.0
	})
	first, second := f["stages"].([]any)[0].(map[string]any), f["stages"].([]any)[1].(map[string]any)
	require.Equal(t, 2.0, first["expectedDevices"])
	require.Equal(t, 4.0, second["expectedDevices"])
	at := func(text any) time.Time {
		when, err := time.Parse(time.RFC3339, text.(string))
		require.NoError(t, err)
		return when
	}
	require.Equal(t, 12*time.Hour, at(second["startsAt"]).Sub(at(first["startsAt"])), "one of two devices comes back in half a day")
	require.Equal(t, second["startsAt"], f["endsAt"])
	for i, rate := range []float64{1, 2, 5} {
		require.Equal(t, map[string]any{"rate": rate, "devices": nil, "minutes": nil}, f["detection"].([]any)[i], "there are too few devices")
	}
	require.Equal(t, 5.0, preview(object{"stages": stages})["activeDevices"])
	require.Empty(t, p.list("/v1/ota/rollout-policies"))
}
