package rollout_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

var besideControl = models.Thresholds{Baseline: models.BaselineControl, MinNetworks: new(int64(1))}

// If both groups have the same crash rate, the release does not cause it. An additional threshold is judged separately.
func TestTheControlAndALimitAreTwoGuards(t *testing.T) {
	t.Parallel()
	same := models.ComparedHealth{
		Inside:  models.GroupHealth{Devices: 1000, CrashedDevices: 50, ErroredDevices: 50},
		Outside: models.GroupHealth{Devices: 9000, CrashedDevices: 450, ErroredDevices: 450},
	}
	health := models.ReleaseHealth{Devices: 1000, CrashedDevices: 50, ErroredDevices: 50, Compared: same}
	require.Equal(t, rollout.VerdictFine, rollout.Judge(health, besideControl, 0, rollout.Comparison{}).Verdict)

	limited := besideControl
	limited.CrashRate = percentLimit(0.5)
	j := rollout.Judge(health, limited, 0, rollout.Comparison{})
	require.Equal(t, rollout.VerdictBreach, j.Verdict)
	require.Nil(t, j.Worst.Outside)

	health.Compared.Outside.CrashedDevices = 9
	j = rollout.Judge(health, besideControl, 0, rollout.Comparison{})
	require.Equal(t, rollout.VerdictBreach, j.Verdict)
	require.Equal(t, &rollout.Group{Affected: 9, Counted: 9000}, j.Worst.Outside)
	require.Equal(t, rollout.MetricCrashRate, j.Worst.Metric)
}

// At 100%, the control group is empty, so the comparison of earlier stages does not change.
func TestNobodyOutsideSaysNothing(t *testing.T) {
	t.Parallel()
	earlier := rollout.Comparison{}.With(models.ComparedHealth{
		Inside: models.GroupHealth{Devices: 100, CrashedDevices: 3}, Outside: models.GroupHealth{Devices: 900, CrashedDevices: 9},
	}, besideControl)
	require.Equal(t, earlier, earlier.With(models.ComparedHealth{Inside: models.GroupHealth{Devices: 1000, CrashedDevices: 900}}, besideControl))
}
