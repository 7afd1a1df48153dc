package insights

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Overviews reads the records for an overview.
type Overviews interface {
	// OverviewRecords returns the releases with the given IDs, and the open rollouts and open incidents of a project.
	OverviewRecords(ctx context.Context, projectID int64, releaseIDs []int64) (models.OverviewRecords, error)
	// PreviousRelease returns the release before the release with the update ID on its branch, platform and runtime version.
	// found is false if neither exists.
	PreviousRelease(ctx context.Context, projectID int64, updateUUID string) (before models.Release, found bool, err error)
	// Attention returns the facts about a project that need the reader's attention.
	Attention(ctx context.Context, projectID int64, reader models.Actor) (models.Attention, error)
}

// StreamActivities reads the recent activity of devices.
type StreamActivities interface {
	// StreamActivity returns the recent activity of the devices of each target, in any order. The caller must not
	// change it.
	StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error)
	// ServedHealth returns the health of the devices on the served updates of some targets. With others, it also returns the
	// health of the devices on the embedded update of every other target. The caller must not change it.
	ServedHealth(
		ctx context.Context, projectID int64, served []models.ServedStream, others bool, now time.Time,
	) (models.ServedHealth, error)
	// ReleaseCounts returns the devices that reported on each of some updates, in all targets, by update ID. Updates without
	// devices are missing. The caller must not change the result.
	ReleaseCounts(ctx context.Context, projectID int64, updates []string, now time.Time) (map[string]models.DeviceCounts, error)
}

// maxOverviewStreams is the maximum number of targets in an overview.
const maxOverviewStreams = 200

var overviewDoc = rest.Doc(TagTelemetry, "getOverview", "Show an overview of releases and devices",
	"Returns an entry for every target (a channel, platform and runtime version) that has a release, an active device, or a "+
		"refused device. Each entry shows the release that the target is served, the releases that its devices run, and the "+
		"health of the releases that it is served now. The target with the most devices comes first; at most 200 are returned. The metrics cover the last 24 hours: "+
		"the current hour in UTC and the previous 23. They are at most one second old. While telemetry is unavailable, device "+
		"metrics are null, targets without a release are missing, and the header Waft-Incomplete has the reason.")

// Reasons why an overview lacks metrics.
const (
	incompleteOverview = "ClickHouse is unavailable; device metrics are missing"
	busyOverview       = "too many telemetry queries are running; device metrics are missing"
)

// overviewOutput is an overview. Incomplete is the reason why data is missing, or "".
type overviewOutput struct {
	Incomplete string `header:"Waft-Incomplete" doc:"Reason why device metrics are null, as a sentence; absent if the overview is complete."`
	// Unavailable is the part of Waft whose outage is the reason, or "".
	Unavailable models.Part `header:"Waft-Unavailable" enum:"clickhouse" doc:"Part of Waft whose outage is the reason; absent for any other reason."`
	Body        []StreamOverview
}

type overviewInput struct {
	Channel string `query:"channel" doc:"Channel of the targets; every channel by default."`
}

func (h *Handlers) overview(ctx context.Context, in *overviewInput) (*overviewOutput, error) {
	s, err := releases.OwnSnapshot(ctx, h.Snapshots)
	if err != nil {
		return nil, err
	}
	served := s.Streams()
	served = slices.DeleteFunc(served, func(s models.ServedStream) bool { return in.Channel != "" && s.Channel != in.Channel })
	parts, err := h.readOverview(ctx, served, in.Channel)
	if err != nil {
		return nil, err
	}
	records, unavailable := parts.records, parts.unavailable
	streams := models.MergeStreams(served, parts.active, maxOverviewStreams)
	for i, s := range streams {
		streams[i].Broken = records.Broken[s.ServedStream.Stream]
	}
	if unavailable == nil {
		if unavailable, err = outage(ctx, h.addHealth(ctx, streams, parts.served, parts.withdrawn)); err != nil {
			return nil, err
		}
	}
	out := &overviewOutput{}
	if unavailable != nil {
		out.Incomplete, out.Unavailable = incompleteOverview, models.PartClickHouse
		if models.CodeOf(unavailable) == models.CodeRateLimited {
			out.Incomplete, out.Unavailable = busyOverview, ""
		}
		rest.CallOf(ctx).Failure = unavailable // goes to the log
	}
	var updates []string
	for _, stream := range streams {
		updates = append(updates, updatesOf(stream.Updates, func(u models.UpdateDevices) string { return u.UpdateUUID })...)
	}
	reported, err := releases.ReportedOf(ctx, h.Names, h.Snapshots, updates...)
	if err != nil {
		return nil, err
	}
	out.Body = rest.Rendered(streams, func(stream models.StreamOverview) StreamOverview {
		line := streamOverview(stream, records)
		if out.Incomplete == "" {
			line.addFigures(stream, reported)
		}
		return line
	})
	return out, nil
}

// servedReleases returns the IDs of the releases that targets are served, without repeats.
func servedReleases(served []models.ServedStream) []int64 {
	ids := map[int64]bool{}
	for _, s := range served {
		if s.Newest != nil {
			ids[s.Newest.ID] = true
		}
		for _, u := range s.Served {
			ids[u.ReleaseID] = true
		}
	}
	return slices.Collect(maps.Keys(ids))
}

// StreamOverview describes one target (a channel, platform and runtime version): its release and its devices.
type StreamOverview struct {
	Channel             string                                 `json:"channel"`
	Platform            models.Platform                        `json:"platform" enum:"ios,android,web"`
	RuntimeVersion      string                                 `json:"runtimeVersion"`
	IsPaused            bool                                   `json:"isPaused" doc:"Whether the channel is paused."`
	Release             rest.OrNull[releases.Update]           `json:"release" doc:"Newest enabled release for every device; null for none."`
	NewestUpdateID      *int64                                 `json:"newestUpdateId" nullable:"true" doc:"ID of the newest enabled release of the channel's branch that some devices get, even if it is not for every device, and that is not a copy of release; null for none."`
	Rollout             rest.OrNull[rollouts.RolloutExecution] `json:"rollout" doc:"Running or paused rollout; if there are several, the rollout of the newest release. Null for none."`
	Devices             *int64                                 `json:"devices" nullable:"true" doc:"Number of active devices. By its last report, each device counts once in the project. Null while telemetry is unavailable."`
	Distribution        []StreamUpdate                         `json:"distribution" nullable:"true" doc:"Active devices by the release that they last reported, most devices first. Null while telemetry is unavailable."`
	ReportedDevices     *int64                                 `json:"reportedDevices" nullable:"true" doc:"Number of devices that reported on the served releases or failed to start them. crashFreePercentage and errorRate are percentages of these. Null while telemetry is unavailable."`
	CrashFreePercentage *float64                               `json:"crashFreePercentage" nullable:"true" doc:"Percentage of reportedDevices that did not crash on the served releases; null without devices, and while telemetry is unavailable."`
	ErrorRate           *float64                               `json:"errorRate" nullable:"true" doc:"Percentage of reportedDevices with an error or a crash on the served releases; 0 without devices. Null while telemetry is unavailable."`
	Served              []ServedHealth                         `json:"served" doc:"Releases that devices of the target get now, newest first."`
	Broken              []BrokenRelease                        `json:"broken" doc:"Releases with an open incident, and releases that Waft rolled back in the last hour, newest first."`
	WaitingCall         rest.OrNull[WaitingCall]               `json:"waitingCall" doc:"Call that would start, advance or resume the rollout and waits for approval; null for none."`
	Incidents           int64                                  `json:"incidents" doc:"Number of open incidents."`
	Refused             *int64                                 `json:"refused" nullable:"true" doc:"Number of distinct devices whose manifest requests were refused; see GET /v1/ota/telemetry/refused for the reasons. Null while telemetry is unavailable."`
}

// StreamUpdate counts the devices of a target that run a release.
type StreamUpdate struct {
	UpdateID   *int64                            `json:"updateId" nullable:"true" doc:"ID of the release. Null for the embedded update, which includes all updates that are not releases of the project."`
	UpdateUUID *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID; null if updateId is null."`
	Release    rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateId; null if updateId is null."`
	Devices    int64                             `json:"devices"`
	Percentage float64                           `json:"percentage" doc:"Percentage of the target's devices."`
}

func streamOverview(s models.StreamOverview, records models.OverviewRecords) StreamOverview {
	name := s.ServedStream.Stream
	out := StreamOverview{
		Channel: name.Channel, Platform: name.Platform, RuntimeVersion: name.RuntimeVersion, IsPaused: s.IsPaused,
		Incidents: records.Incidents[name], WaitingCall: waitingCall(s, records.Waiting),
		Broken: rest.Rendered(s.Broken, func(b models.BrokenRelease) BrokenRelease { return brokenRelease(b, s, records) }),
		Served: rest.Rendered(s.Served, func(u models.ServedUpdate) ServedHealth {
			return servedHealth(u, records.Release(u.ReleaseID), records.Rules)
		}),
	}
	if s.FirstID > 0 {
		out.NewestUpdateID = &s.FirstID
	}
	if s.Newest != nil {
		if r, ok := records.Releases[s.Newest.ID]; ok {
			out.Release = rest.Present(releases.UpdateRecord(r))
		}
	}
	for _, id := range s.RollingOut {
		if e, ok := records.Rollouts[id]; ok {
			out.Rollout = rest.Present(rollouts.ExecutionRecord(e))
			break
		}
	}
	return out
}

// addFigures adds the metrics of the target from telemetry.
func (o *StreamOverview) addFigures(s models.StreamOverview, reported releases.Reported) {
	a, all := s.StreamActivity, s.Health.DeviceCounts
	o.Devices, o.Refused, o.Distribution = &a.Devices, &a.Refused, distribution(a, reported)
	o.ReportedDevices, o.ErrorRate, o.CrashFreePercentage = &all.Devices, new(rest.Percent(all.ErrorRate())), rest.CrashFree(all)
	for i, u := range s.Served {
		o.Served[i].addCounts(s.Health.Updates[u.UpdateUUID])
	}
	for i, b := range s.Broken {
		counts := s.Withdrawn
		if o.Broken[i].IsServed {
			counts = s.Health.Updates
		}
		o.Broken[i].Health.addCounts(counts[b.UpdateUUID])
	}
}

// distribution returns the devices of a target by release. It counts updates that are not releases of the project
// with the embedded update.
func distribution(s models.StreamActivity, reported releases.Reported) []StreamUpdate {
	out, other := []StreamUpdate{}, int64(0)
	for _, u := range s.Updates {
		r := reported[u.UpdateUUID]
		if r == nil {
			other += u.Devices
			continue
		}
		out = append(out, StreamUpdate{UpdateID: &r.ID, UpdateUUID: rest.ParsedUUID(u.UpdateUUID), Release: releases.NameOrNull(r), Devices: u.Devices})
	}
	if other > 0 {
		out = append(out, StreamUpdate{Devices: other})
	}
	slices.SortStableFunc(out, func(a, b StreamUpdate) int { return cmp.Compare(b.Devices, a.Devices) })
	for i := range out {
		out[i].Percentage = rest.Percent(100 * float64(out[i].Devices) / float64(max(s.Devices, 1)))
	}
	return out
}

func (StreamOverview) Example() any {
	served := ServedHealth{
		Release: rest.Present(releases.ExampleName), UpdateID: new(int64(17)), UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)),
		Devices: new(int64(1190)), CrashFreePercentage: new(99.75), CrashRate: new(0.25), ErrorRate: new(0.833),
		CrashLimit: HealthLimit{1, rollout.LimitOfPolicy}, ErrorLimit: HealthLimit{2, rollout.LimitOfIncidents},
	}
	return StreamOverview{
		Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0",
		Release: rest.Present(releases.Update{}.Example().(releases.Update)), NewestUpdateID: new(int64(17)),
		Devices: new(int64(1200)), ReportedDevices: new(int64(1190)),
		CrashFreePercentage: new(99.75), ErrorRate: new(0.833),
		Served: []ServedHealth{served}, Broken: []BrokenRelease{{Health: served, IsServed: true, RolloutExecutionID: new(int64(21)),
			Incident: rest.Present(IncidentFigures{
				ID: 41, Devices: 400, ErroredDevices: 60, ErrorRate: 15, BaselineErrorRate: 0.5, OpenedAt: rest.ExampleTime, CheckedAt: rest.ExampleTime,
			}),
		}},
		Distribution: []StreamUpdate{
			{UpdateID: new(int64(17)), UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), Release: rest.Present(releases.ExampleName), Devices: 900, Percentage: 75}, {Devices: 300,
				Percentage: 25},
		},
		Incidents: 1, Refused: new(int64(12)),
	}
}
