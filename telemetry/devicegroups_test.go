package telemetry

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestDeviceGroups(t *testing.T) {
	t.Parallel()
	c := migrated(t)
	w := inventReports(rand.New(rand.NewPCG(3, 4)), 4_000, 200, 20, truthNow())
	w.store(t, c)
	type group struct {
		update, channel, runtime string
		platform                 models.Platform
	}
	want := crowds[group]{}
	for _, r := range w.reports {
		if !r.ReceivedAt.Before(w.from(groupDays)) {
			want.of(group{r.UpdateUUID, r.Channel, r.RuntimeVersion, r.Platform}).note(r.DeviceID)
		}
	}
	groups, err := c.DeviceGroups(t.Context(), truthProject, w.now)
	require.NoError(t, err)
	require.Len(t, groups, len(want))
	// A union for each group, then iOS, an empty union, and all groups.
	var unions [][]uint64
	ios, all := newCrowd(), newCrowd()
	var iosKeys, allKeys []uint64
	for _, g := range groups {
		unions, allKeys = append(unions, []uint64{g.Key}), append(allKeys, g.Key)
		who := want[group{g.UpdateUUID, g.Channel, g.RuntimeVersion, g.Platform}]
		require.NotNil(t, who, g)
		for device := range who.seen {
			all.note(device)
			if g.Platform == models.IOS {
				ios.note(device)
			}
		}
		if g.Platform == models.IOS {
			iosKeys = append(iosKeys, g.Key)
		}
	}
	counted, err := c.GroupDevices(t.Context(), truthProject, append(unions, iosKeys, nil, allKeys, []uint64{7}), w.now)
	require.NoError(t, err)
	for i, g := range groups {
		require.EqualValues(t, len(want[group{g.UpdateUUID, g.Channel, g.RuntimeVersion, g.Platform}].seen), counted[i], g)
	}
	n := len(groups)
	require.Equal(t, []int64{int64(len(ios.seen)), 0, int64(len(all.seen)), 0}, counted[n:])

	none, err := c.GroupDevices(t.Context(), truthProject, [][]uint64{nil}, w.now)
	require.NoError(t, err)
	require.Equal(t, []int64{0}, none)
	groups, err = c.DeviceGroups(t.Context(), truthProject, w.now.Add(30*24*time.Hour))
	require.NoError(t, err)
	require.Empty(t, groups)
}
