package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// The client sends every field of a policy.
func TestAPolicyIsStoredAsSent(t *testing.T) {
	t.Parallel()
	env := settings(t)
	p := newProject(t, serveAPI(t, env), env["WAFT_ROOT_KEY"])
	startAt := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	policy := shortStages("whole")
	policy.Thresholds.Baseline = models.BaselineControl
	policy.Thresholds.MinNetworks = new(int64(7))
	policy.Thresholds.Events = []models.EventLimit{{Name: "paid", Rate: 30, Direction: models.EventBelow}}
	policy.Schedule = models.Schedule{
		StartAt: &startAt, TimeZone: "Europe/Berlin",
		FreezeWindows: []models.FreezeWindow{{Days: []models.Weekday{"fri"}, From: "16:00", To: "00:00"}, {From: "22:00", To: "06:00"}},
	}
	id, err := p.EnsurePolicy(t.Context(), policy)
	require.NoError(t, err)
	record := p.askJSON(t, http.MethodGet, path("/v1/ota/rollout-policies/%d", id), nil, 200)
	thresholds := record["thresholds"].(map[string]any)
	require.Equal(t, "control", thresholds["baseline"])
	require.Equal(t, 7.0, thresholds["minNetworks"])
	require.Equal(t, []any{map[string]any{"name": "paid", "rate": 30.0, "direction": "below"}}, thresholds["events"])
	require.Equal(t, startAt.Format("2006-01-02T15:04:05.000Z"), record["startAt"])
	require.Equal(t, "Europe/Berlin", record["timeZone"])
	require.Equal(t, []any{
		map[string]any{"days": []any{"fri"}, "from": "16:00", "to": "00:00"}, map[string]any{"from": "22:00", "to": "06:00"},
	}, record["freezeWindows"])
}
