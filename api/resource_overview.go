package api

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Overviews reads what an overview shows.
type Overviews interface {
	// OverviewRecords returns the releases with the given ids, the open rollouts and the open incidents of a project.
	OverviewRecords(ctx context.Context, projectID int64, releaseIDs []int64) (models.OverviewRecords, error)
}

// mostOverviewStreams is how many streams an overview has at most.
const mostOverviewStreams = 200

var overviewDoc = doc(tagTelemetry, "getOverview", "Show what runs where",
	"What every channel, platform and runtime version is served, what its devices run, and whether they are well: those for "+
		"which there is a release, an active device, or a refused one. The one with most devices comes first; there are at most 200. "+
		"Figures are of the last 24 hours: this one, in UTC, and the 23 before it.")

func (h *handlers) overview(ctx context.Context, _ *struct{}) (*output[[]StreamOverview], error) {
	active, err := h.Insights.StreamActivity(ctx, projectOf(ctx), h.Now())
	if err != nil {
		return nil, err
	}
	var served []models.ServedStream
	updateID := func(string) (int64, bool) { return 0, false }
	if s, ok := h.Snapshots.ProjectByID(projectOf(ctx)); ok {
		served, updateID = s.Streams(), s.UpdateID
	}
	streams := models.MergeStreams(served, active, mostOverviewStreams)
	var releases []int64
	for _, s := range streams {
		if s.Newest != nil {
			releases = append(releases, s.Newest.ID)
		}
	}
	records, err := h.Overviews.OverviewRecords(ctx, projectOf(ctx), releases)
	if err != nil {
		return nil, err
	}
	return &output[[]StreamOverview]{rendered(streams, func(s models.StreamOverview) StreamOverview {
		return streamOverview(s, records, updateID)
	})}, nil
}

// StreamOverview is what one channel, platform and runtime version is served, and what its devices do.
type StreamOverview struct {
	Channel             string                   `json:"channel"`
	Platform            models.Platform          `json:"platform" enum:"ios,android,web"`
	RuntimeVersion      string                   `json:"runtimeVersion"`
	IsPaused            bool                     `json:"isPaused" doc:"Whether the channel is paused."`
	Release             OrNull[Update]           `json:"release" doc:"The newest enabled release for every device, null when there is none."`
	Rollout             OrNull[RolloutExecution] `json:"rollout" doc:"The rollout that is running or paused, of the newest release when there are several; null for none."`
	Devices             int64                    `json:"devices" doc:"Active devices by their last report: each counts once in the project."`
	Distribution        []StreamUpdate           `json:"distribution" doc:"These devices by the release that they last reported, most first."`
	CrashFreePercentage *float64                 `json:"crashFreePercentage" nullable:"true" doc:"Of the devices that reported anything here, percentage without a crash; null without devices."`
	ErrorRate           float64                  `json:"errorRate" doc:"Of the same, percentage with an error or a crash."`
	Incidents           int64                    `json:"incidents" doc:"Open incidents."`
	Refused             int64                    `json:"refused" doc:"Distinct devices whose manifest requests were refused; see GET /v1/ota/telemetry/refused for the reasons."`
}

// StreamUpdate is how many devices of a stream run a release.
type StreamUpdate struct {
	UpdateID   *int64     `json:"updateId" nullable:"true" doc:"Null for the embedded update, and together with it for updates that are no releases of the project."`
	UpdateUUID *uuid.UUID `json:"updateUuid" nullable:"true" format:"uuid" doc:"Null where updateId is."`
	Devices    int64      `json:"devices"`
	Percentage float64    `json:"percentage" doc:"Of the stream's devices."`
}

func streamOverview(
	s models.StreamOverview, records models.OverviewRecords, updateID func(string) (int64, bool),
) StreamOverview {
	name := s.ServedStream.Stream
	out := StreamOverview{
		Channel: name.Channel, Platform: name.Platform, RuntimeVersion: name.RuntimeVersion, IsPaused: s.IsPaused, Devices: s.Devices,
		Distribution: distribution(s.StreamActivity, updateID), ErrorRate: percent(s.Reported.ErrorRate()),
		CrashFreePercentage: crashFree(s.Reported), Incidents: records.Incidents[name], Refused: s.Refused,
	}
	if s.Newest != nil {
		if r, ok := records.Releases[s.Newest.ID]; ok {
			out.Release = orNull(updateRecord(r))
		}
	}
	for _, id := range s.RollingOut {
		if e, ok := records.Rollouts[id]; ok {
			out.Rollout = orNull(executionRecord(e))
			break
		}
	}
	return out
}

// crashFree is the percentage of devices without a crash, nil when there are no devices: unknown is not 100.
func crashFree(c models.DeviceCounts) *float64 {
	if c.Devices == 0 {
		return nil
	}
	return new(percent(c.CrashFreePercentage()))
}

// distribution adds up the updates that are no releases of the project with the embedded one.
func distribution(s models.StreamActivity, updateID func(string) (int64, bool)) []StreamUpdate {
	out, other := []StreamUpdate{}, int64(0)
	for _, u := range s.Updates {
		id, known := updateID(u.UpdateUUID)
		if !known {
			other += u.Devices
			continue
		}
		out = append(out, StreamUpdate{UpdateID: &id, UpdateUUID: parsedUUID(u.UpdateUUID), Devices: u.Devices})
	}
	if other > 0 {
		out = append(out, StreamUpdate{Devices: other})
	}
	slices.SortStableFunc(out, func(a, b StreamUpdate) int { return cmp.Compare(b.Devices, a.Devices) })
	for i := range out {
		out[i].Percentage = percent(100 * float64(out[i].Devices) / float64(max(s.Devices, 1)))
	}
	return out
}

func (StreamOverview) example() any {
	return StreamOverview{
		Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0",
		Release: orNull(Update{}.example().(Update)), Devices: 1200, CrashFreePercentage: new(99.75), ErrorRate: 0.833,
		Distribution: []StreamUpdate{
			{UpdateID: new(int64(17)), UpdateUUID: new(uuid.MustParse(exampleUUID)), Devices: 900, Percentage: 75}, {Devices: 300, Percentage: 25},
		},
		Incidents: 1, Refused: 12,
	}
}
