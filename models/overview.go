package models

import (
	"cmp"
	"slices"
)

// OverviewHours is the number of hours that the metrics of an overview cover, including the current hour.
const OverviewHours = 24

// Stream is a target: the devices of one channel, platform and runtime version.
type Stream struct {
	Channel        string
	Platform       Platform
	RuntimeVersion string
}

// Compare compares targets by channel, platform and runtime version.
func (s Stream) Compare(t Stream) int {
	return cmp.Or(cmp.Compare(s.Channel, t.Channel), cmp.Compare(s.Platform, t.Platform), cmp.Compare(s.RuntimeVersion, t.RuntimeVersion))
}

// StreamActivity is the activity of the devices of a target in the last OverviewHours.
type StreamActivity struct {
	Stream
	// Devices counts the devices whose last report belongs to the target. It is the sum of Updates.
	Devices int64
	// Reported counts the distinct devices with any report for the target, even if their last report belongs to another target.
	// The rates of an overview are computed from it.
	Reported DeviceCounts
	// Updates are the numbers of devices per last reported release, largest first.
	Updates []UpdateDevices
	// Refused counts the distinct devices whose manifest requests were refused.
	Refused int64
}

// ServedStream contains the releases that a project serves to a target.
type ServedStream struct {
	Stream
	IsPaused bool
	// Newest is the newest enabled release that every device gets, nil without such a release.
	Newest *Release
	// RollingOut are the IDs of the releases with an open rollout, newest first.
	RollingOut []int64
}

// StreamOverview is the row of a target in an overview.
type StreamOverview struct {
	ServedStream
	StreamActivity
}

// MergeStreams returns at most limit targets with the releases that they are served and the activity that they report. Targets are
// sorted by number of devices, then by the time of their newest release, in descending order.
func MergeStreams(served []ServedStream, active []StreamActivity, limit int) []StreamOverview {
	at := make(map[Stream]int, len(served))
	all := make([]StreamOverview, len(served), len(served)+len(active))
	for i, s := range served {
		all[i].ServedStream, all[i].StreamActivity.Stream = s, s.Stream
		at[s.Stream] = i
	}
	for _, a := range active {
		if i, ok := at[a.Stream]; ok {
			all[i].StreamActivity = a
			continue
		}
		all = append(all, StreamOverview{ServedStream: ServedStream{Stream: a.Stream}, StreamActivity: a})
	}
	slices.SortFunc(all, func(a, b StreamOverview) int {
		return cmp.Or(cmp.Compare(b.Devices, a.Devices), cmp.Compare(b.newestMillis(), a.newestMillis()),
			a.ServedStream.Compare(b.ServedStream.Stream))
	})
	return all[:min(limit, len(all))]
}

func (o StreamOverview) newestMillis() int64 {
	if o.Newest == nil {
		return 0
	}
	return o.Newest.CreatedAt.UnixMilli()
}

// OverviewRecords are the records that an overview names.
type OverviewRecords struct {
	// Releases maps IDs to releases.
	Releases map[int64]Release
	// Rollouts maps the IDs of releases to their open rollouts.
	Rollouts map[int64]RolloutExecution
	// Incidents is the number of open incidents per target.
	Incidents map[Stream]int64
}
