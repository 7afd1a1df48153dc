package votestest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

func TestAnAllocationHasItsVotesTogether(t *testing.T) {
	t.Parallel()
	network := models.DeviceCounts{Devices: 4, ErroredDevices: 2}
	v := votestest.WithAllocation(models.Votes{}, []models.DeviceCounts{network, network, {Devices: 1}, {Devices: 1}}, 2, 3, 7)
	require.Equal(t, models.Votes{
		Networks: 4, Allocations: 1, Weight: 2, CappedDevices: 7, LargestDevices: 4,
		Errored: models.Tally{Sum: 0.5, Most: [models.MaxLeftOut]float64{0.25, 0.25}, MostOfAllocation: 0.5, HealthyOfAllocation: 1.5},
		Crashed: models.Tally{HealthyOfAllocation: 2},
	}, v)
}

func TestVotesKeepTheirSumAndTheirEnds(t *testing.T) {
	t.Parallel()
	var v models.Votes
	for _, c := range []models.DeviceCounts{
		{Devices: 4, ErroredDevices: 2, CrashedDevices: 1}, {Devices: 1}, {Devices: 100, ErroredDevices: 100, CrashedDevices: 50},
		{Devices: 2, ErroredDevices: 2}, {Devices: 4, ErroredDevices: 3},
	} {
		v = votestest.With(v, c, 3)
	}
	for range 7 {
		v = votestest.With(v, models.DeviceCounts{Devices: 1, ErroredDevices: 1}, 3)
	}
	require.Equal(t, models.Votes{
		Networks: 12, Allocations: 12, Weight: 12, CappedDevices: 3 + 1 + 3 + 2 + 3 + 7, LargestDevices: 100,
		Errored: models.Tally{
			Sum: 10.25, Most: [models.MaxLeftOut]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 0.75}, MostOfAllocation: 1, HealthyOfAllocation: 1,
		},
		Crashed: models.Tally{Sum: 0.75, Most: [models.MaxLeftOut]float64{0.5, 0.25}, MostOfAllocation: 0.5, HealthyOfAllocation: 1},
	}, v)
}
