package rollout_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

func percentLimit(p float64) *float64 { return &p }

func TestJudge(t *testing.T) {
	t.Parallel()
	crashes := models.Thresholds{CrashRate: percentLimit(1), MinNetworks: new(int64(1))}
	both := models.Thresholds{CrashRate: percentLimit(1), ErrorRate: percentLimit(5), MinNetworks: new(int64(1))}
	point := both
	point.Method = models.MethodPoint
	for name, tc := range map[string]struct {
		thresholds models.Thresholds
		health     models.ReleaseHealth
		minDevices int64
		want       rollout.Verdict
		worst      rollout.Metric
	}{
		"nothing watched is fine":              {models.Thresholds{}, models.ReleaseHealth{Devices: 1, CrashedDevices: 1}, 0, rollout.VerdictFine, ""},
		"nothing watched needs no device":      {models.Thresholds{}, models.ReleaseHealth{}, 0, rollout.VerdictFine, ""},
		"no device is no data":                 {crashes, models.ReleaseHealth{}, 0, rollout.VerdictNoData, ""},
		"under the limit is fine":              {crashes, models.ReleaseHealth{Devices: 200, CrashedDevices: 1}, 0, rollout.VerdictFine, rollout.MetricCrashRate},
		"over the limit by chance holds":       {crashes, models.ReleaseHealth{Devices: 50, CrashedDevices: 1}, 0, rollout.VerdictHold, rollout.MetricCrashRate},
		"over the limit beyond doubt breaks":   {crashes, models.ReleaseHealth{Devices: 50, CrashedDevices: 5}, 0, rollout.VerdictBreach, rollout.MetricCrashRate},
		"errors alone break their limit":       {both, models.ReleaseHealth{Devices: 200, ErroredDevices: 60}, 0, rollout.VerdictBreach, rollout.MetricErrorRate},
		"a breach outweighs a hold":            {both, models.ReleaseHealth{Devices: 200, CrashedDevices: 20, ErroredDevices: 20}, 0, rollout.VerdictBreach, rollout.MetricCrashRate},
		"two watched rates need more evidence": {both, models.ReleaseHealth{Devices: 28, CrashedDevices: 3, ErroredDevices: 0}, 0, rollout.VerdictHold, rollout.MetricCrashRate},
		"one watched rate needs less":          {crashes, models.ReleaseHealth{Devices: 28, CrashedDevices: 3, ErroredDevices: 0}, 0, rollout.VerdictBreach, rollout.MetricCrashRate},
		"point below the devices holds":        {point, models.ReleaseHealth{Devices: 9, CrashedDevices: 9, ErroredDevices: 9}, 10, rollout.VerdictHold, rollout.MetricCrashRate},
		"point with the devices breaks":        {point, models.ReleaseHealth{Devices: 10, CrashedDevices: 1, ErroredDevices: 1}, 10, rollout.VerdictBreach, rollout.MetricCrashRate},
		"point at the limit is fine":           {point, models.ReleaseHealth{Devices: 100, CrashedDevices: 1, ErroredDevices: 5}, 10, rollout.VerdictFine, rollout.MetricCrashRate},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := rollout.Judge(tc.health, tc.thresholds, tc.minDevices, rollout.Comparison{})
			require.Equal(t, tc.want, j.Verdict)
			if tc.worst == "" {
				require.Nil(t, j.Worst)
				return
			}
			require.NotNil(t, j.Worst)
			require.Equal(t, tc.worst, j.Worst.Metric)
		})
	}
}

func TestShownEvidenceDecidesExactlyWhenTheVerdictDoes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		thresholds := drawThresholds(t)
		thresholds.Method = models.MethodSequential
		health := drawHealth(t)
		if health == nil {
			return
		}
		j := rollout.Judge(*health, thresholds, 0, rollout.Comparison{})
		require.Equal(t, j.Verdict == rollout.VerdictBreach, j.Evidence >= rollout.DecisiveEvidence && !j.FewNetworks)
		_, err := json.Marshal(j)
		require.NoError(t, err, "evidence is a number that JSON can carry")
	})
}
