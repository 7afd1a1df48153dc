package votestest_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/votestest"
	"github.com/waft-ota/waft/models"
)

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
		Networks: 12, CappedDevices: 3 + 1 + 3 + 2 + 3 + 7, LargestDevices: 100,
		Errored: models.Tally{Sum: 10.25, Most: [models.MaxLeftOut]float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 0.75}},
		Crashed: models.Tally{Sum: 0.75, Most: [models.MaxLeftOut]float64{0.5, 0.25}},
	}, v)
}
