package models

import (
	"cmp"
	"slices"
	"time"
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
	// FirstID is the ID of the newest enabled release of the channel's branch that some devices get, 0 without such a release. It is
	// not a copy of Newest.
	FirstID int64
	// RollingOut are the IDs of the releases with an open rollout, newest first.
	RollingOut []int64
	// Served are the updates that devices get now, newest first, without repeats. The embedded update is last if some devices do
	// not get a release.
	Served []ServedUpdate
}

// ServedUpdate is an update that devices of a target get. Both fields are empty for the embedded update.
type ServedUpdate struct {
	ReleaseID  int64
	UpdateUUID string
}

// StreamHealth is the health of the devices that reported on the served updates of a target in the last OverviewHours.
type StreamHealth struct {
	// DeviceCounts counts each device once, whichever of the updates it reported on.
	DeviceCounts
	// Updates maps the update IDs of served updates to their devices. A device that reported on several counts in each.
	Updates map[string]DeviceCounts
}

// ServedHealth maps targets to the health of their served updates.
type ServedHealth map[Stream]StreamHealth

// StreamOverview is the row of a target in an overview.
type StreamOverview struct {
	ServedStream
	StreamActivity
	Health StreamHealth
	// Broken are the broken releases of the target, newest first.
	Broken []BrokenRelease
	// Withdrawn maps the update IDs of broken releases that the target is not served to their devices.
	Withdrawn map[string]DeviceCounts
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
		// Without a release, devices run the embedded update.
		all = append(all, StreamOverview{ServedStream: ServedStream{Stream: a.Stream, Served: []ServedUpdate{{}}}, StreamActivity: a})
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
	// Rules maps the IDs of releases to the rules of their last rollout, unless it was cancelled.
	Rules map[int64]RolloutRule
	// Incidents is the number of open incidents per target.
	Incidents map[Stream]int64
	// Broken are the broken releases per target, newest first.
	Broken map[Stream][]BrokenRelease
	// Waiting are the pending approvals of calls that start, advance or resume a rollout, by the ID of the release.
	Waiting map[int64]WaitingCall
}

// Release returns the release with the ID, or nil.
func (o OverviewRecords) Release(id int64) *Release {
	if r, ok := o.Releases[id]; ok {
		return &r
	}
	return nil
}

// BrokenFor is the time for which a release counts as broken after Waft rolled it back.
const BrokenFor = time.Hour

// BrokenRelease is a release of a target with an open incident, or a release that Waft rolled back in the last BrokenFor.
type BrokenRelease struct {
	// ServedUpdate is empty for the embedded update.
	ServedUpdate
	// Release is nil for the embedded update. For a release that was rolled back, it has the Disabling.
	Release *Release
	// Incident is the open incident, nil without one.
	Incident *Incident
	// RolloutID is the ID of the newest rollout of the release that was not cancelled, nil without one.
	RolloutID *int64
}

// WaitingCall is a call that waits for approval.
type WaitingCall struct {
	ApprovalID      int64
	Action, Summary string
}

// RolloutRule is the stage and the thresholds by which a rollout judges its release.
type RolloutRule struct {
	StageIndex int
	Stages     []Stage    `gorm:"type:jsonb;serializer:json"`
	Thresholds Thresholds `gorm:"type:jsonb;serializer:json"`
}
