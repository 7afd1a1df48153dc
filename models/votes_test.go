package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

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
			one = votestest.With(one, device, 1)
		}
		require.Equal(t, one, models.VotesOfEach(c))
	}
}

func TestAnAllocationHasTwentyVotesUnlessThePolicySaysOtherwise(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 20, models.Thresholds{}.MaxAllocationVotes())
	for votes, valid := range map[int64]bool{0: false, 1: true, 100: true, 101: false} {
		policy := models.NewRolloutPolicy{
			Name: "p", Stages: []models.Stage{{Percentage: 100}}, Thresholds: models.Thresholds{AllocationVotes: &votes},
		}
		policy.Normalize()
		if err := policy.Validate(); valid {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "thresholds.allocationVotes: must be from 1 to 100")
		}
	}
	patched := models.PolicyPatch{Thresholds: models.ThresholdsPatch{AllocationVotes: new(int64(7))}}.Apply(models.RolloutPolicy{})
	require.EqualValues(t, 7, patched.Thresholds.MaxAllocationVotes())
	stage := models.Thresholds{AllocationVotes: new(int64(2))}
	require.EqualValues(t, 2, stage.Over(patched.Thresholds).MaxAllocationVotes())
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
