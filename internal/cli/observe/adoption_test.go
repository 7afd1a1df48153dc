package observe

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
)

func TestBarsAndColumns(t *testing.T) {
	t.Parallel()
	for percentage, want := range map[float64]string{
		0: "░░░░░░░░░░░░░░░░░░░░", 2.4: "░░░░░░░░░░░░░░░░░░░░", 50: "██████████░░░░░░░░░░",
		100: "████████████████████", 130: "████████████████████",
	} {
		require.Equal(t, want, bar(percentage), "%v", percentage)
	}
	require.Equal(t, "·▁▂▄█", columns([]int64{0, 1, 200, 400, 800}))
	require.Equal(t, "█", columns([]int64{1}))
	require.Equal(t, "·", columns([]int64{0}))
	require.Empty(t, columns(nil))
}

func TestAdoptionOfAPart(t *testing.T) {
	t.Parallel()
	channel := "production"
	a := client.Adoption{Distribution: []client.UpdateDevices{
		{Channel: &channel, Platform: "ios", RuntimeVersion: "1.0.0", Devices: 3}, {Platform: "android", RuntimeVersion: "1.0.0", Devices: 4},
	}}
	kept := func(of slice) (devices int64) {
		for _, d := range only(client.Adoption{Distribution: append([]client.UpdateDevices{}, a.Distribution...)}, of).Distribution {
			devices += d.Devices
		}
		return devices
	}
	require.EqualValues(t, 3, kept(slice{channel: "production"}))
	require.EqualValues(t, 4, kept(slice{platform: "android"}))
	require.EqualValues(t, 7, kept(slice{runtime: "1.0.0"}))
	require.EqualValues(t, 0, kept(slice{channel: "production", platform: "android"}))
}
