// Package votestest counts the votes of networks one by one, for tests. ClickHouse counts those that rollouts are judged by.
package votestest

import "github.com/waft-ota/waft/models"

// With returns the votes with a further network of which counted devices are c, at least one. Of them
// maxPerNetwork count for CappedDevices.
func With(v models.Votes, c models.DeviceCounts, maxPerNetwork int64) models.Votes {
	devices := float64(c.Devices)
	v.Errored = with(v.Errored, float64(c.ErroredDevices)/devices, v.Networks)
	v.Crashed = with(v.Crashed, float64(c.CrashedDevices)/devices, v.Networks)
	v.Networks++
	v.CappedDevices += min(c.Devices, maxPerNetwork)
	v.LargestDevices = max(v.LargestDevices, c.Devices)
	return v
}

// with adds a vote to those of networks others.
func with(t models.Tally, vote float64, networks int64) models.Tally {
	t.Sum += vote
	if networks == 0 || vote < t.Least {
		t.Least = vote
	}
	for i, most := range t.Most {
		if vote > most {
			t.Most[i], vote = vote, most
		}
	}
	return t
}
