package models

import (
	"cmp"
	"slices"
)

// OverviewHours is how many hours the figures of an overview are of: this one and those before.
const OverviewHours = 24

// Stream names the devices of one channel, platform and runtime version.
type Stream struct {
	Channel        string
	Platform       Platform
	RuntimeVersion string
}

// Compare orders streams by their names.
func (s Stream) Compare(t Stream) int {
	return cmp.Or(cmp.Compare(s.Channel, t.Channel), cmp.Compare(s.Platform, t.Platform), cmp.Compare(s.RuntimeVersion, t.RuntimeVersion))
}

// StreamActivity is what the devices of a stream did in the last OverviewHours.
type StreamActivity struct {
	Stream
	// Devices are those whose last report was of the stream. They are the sum of Updates.
	Devices int64
	// Reported are the distinct devices that reported anything as devices of the stream, later reports of other
	// streams aside. The rates of an overview are of these.
	Reported DeviceCounts
	// Updates are the devices by the release that they last reported, most first.
	Updates []UpdateDevices
	// Refused are the distinct devices whose manifest requests were refused.
	Refused int64
}

// ServedStream is what a project serves to a stream.
type ServedStream struct {
	Stream
	IsPaused bool
	// Newest is the newest enabled release that is for every device, nil when there is none.
	Newest *Release
	// RollingOut are the ids of the releases with an open rollout, the newest first.
	RollingOut []int64
}

// StreamOverview is a stream as an overview shows it.
type StreamOverview struct {
	ServedStream
	StreamActivity
}

// MergeStreams joins what streams are served and what they report, the one with most devices first, at most limit.
// Among those with as many, the one with the newest release comes first.
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
	// Releases are by id.
	Releases map[int64]Release
	// Rollouts are the open rollouts by the id of their release.
	Rollouts map[int64]RolloutExecution
	// Incidents is how many open ones there are.
	Incidents map[Stream]int64
}
