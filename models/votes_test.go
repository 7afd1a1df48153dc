package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestVotesKeepTheirSumAndTheirEnds(t *testing.T) {
	t.Parallel()
	var v models.Votes
	for _, c := range []models.DeviceCounts{
		{Devices: 4, ErroredDevices: 2, CrashedDevices: 1}, {Devices: 1}, {Devices: 100, ErroredDevices: 100, CrashedDevices: 50},
		{Devices: 2, ErroredDevices: 2}, {Devices: 4, ErroredDevices: 3},
	} {
		v = v.With(c, 3)
	}
	for range 7 {
		v = v.With(models.DeviceCounts{Devices: 1, ErroredDevices: 1}, 3)
	}
	require.Equal(t, models.Votes{
		Networks: 12, CappedDevices: 3 + 1 + 3 + 2 + 3 + 7, LargestDevices: 100,
		Errored: models.Tally{Sum: 10.25, Most: [models.MaxLeftOut]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 0.75}},
		Crashed: models.Tally{Sum: 0.75, Most: [models.MaxLeftOut]float64{0.5, 0.25}},
	}, v)
}

func TestVotesOfDevicesInNetworksOfTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []models.DeviceCounts{{}, {Devices: 1}, {Devices: 9, ErroredDevices: 7, CrashedDevices: 2}, {Devices: 2, ErroredDevices: 2, CrashedDevices: 2}} {
		var one models.Votes
		for i := range c.Devices {
			device := models.DeviceCounts{Devices: 1}
			if i < c.ErroredDevices {
				device.ErroredDevices = 1
			}
			if i < c.CrashedDevices {
				device.CrashedDevices = 1
			}
			one = one.With(device, 1)
		}
		require.Equal(t, one, models.VotesOfEach(c))
	}
}

func TestThresholdsTakeThreeNetworksUnlessTheySayOtherwise(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 3, models.Thresholds{}.LeastNetworks())
	require.EqualValues(t, 1, models.Thresholds{MinNetworks: new(int64(1))}.LeastNetworks())
	policy := models.NewRolloutPolicy{Name: "p", Stages: []models.Stage{{Percentage: 100}}}
	policy.Thresholds.MinNetworks = new(int64(0))
	require.ErrorContains(t, policy.Validate(), "thresholds.minNetworks")
	policy.Thresholds.MinNetworks = nil
	policy.Normalize()
	require.NoError(t, policy.Validate())
	require.EqualValues(t, 3, *policy.Thresholds.MinNetworks)

	patched := models.PolicyPatch{Thresholds: models.ThresholdsPatch{MinNetworks: new(int64(7))}}.Apply(models.RolloutPolicy{Thresholds: policy.Thresholds})
	require.EqualValues(t, 7, patched.Thresholds.LeastNetworks())
}
