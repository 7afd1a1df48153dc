package insights

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/manage/rollouts"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Overviews reads what an overview shows.
type Overviews interface {
	// OverviewRecords returns the releases with the given ids, the open rollouts and the open incidents of a project.
	OverviewRecords(ctx context.Context, projectID int64, releaseIDs []int64) (models.OverviewRecords, error)
}

// StreamActivities knows what devices did.
type StreamActivities interface {
	// StreamActivity returns what devices of each stream did lately, in no order. The caller must not change it.
	StreamActivity(ctx context.Context, projectID int64, now time.Time) ([]models.StreamActivity, error)
}

// mostOverviewStreams is how many streams an overview has at most.
const mostOverviewStreams = 200

var overviewDoc = rest.Doc(TagTelemetry, "getOverview", "Show what runs where",
	"What every channel, platform and runtime version is served, what its devices run, and whether they are well: those for "+
		"which there is a release, an active device, or a refused one. The one with most devices comes first; there are at most 200. "+
		"Figures are of the last 24 hours: this one, in UTC, and the 23 before it. They are at most a second old. While telemetry is "+
		"unavailable the answer is of what is served: figures of devices are null, streams without a release are missing, and the "+
		"header Waft-Incomplete says why.")

// These say why an overview has no figures.
const (
	incompleteOverview = "ClickHouse is not reachable right now; figures of devices are missing"
	busyOverview       = "too many queries of telemetry run at the same time; figures of devices are missing"
)

// overviewOutput is an overview. Incomplete says what it could not be made of, "" when it is whole.
type overviewOutput struct {
	Incomplete string `header:"Waft-Incomplete" doc:"What is unavailable, as a sentence; then figures of devices are null. Absent otherwise."`
	Body       []StreamOverview
}

func (h *Handlers) overview(ctx context.Context, _ *struct{}) (*overviewOutput, error) {
	s, err := releases.OwnSnapshot(ctx, h.Snapshots)
	if err != nil {
		return nil, err
	}
	served := s.Streams()
	var active []models.StreamActivity
	var unavailable error
	var records models.OverviewRecords
	g, asking := errgroup.WithContext(ctx) // ClickHouse and Postgres at the same time
	g.Go(func() (err error) {
		active, err = h.StreamActivities.StreamActivity(asking, rest.ProjectOf(ctx), h.Now())
		if code := models.CodeOf(err); (code == models.CodeUnavailable || code == models.CodeRateLimited) && asking.Err() == nil {
			unavailable, err = err, nil
		}
		return err
	})
	g.Go(func() (err error) {
		records, err = h.Overviews.OverviewRecords(asking, rest.ProjectOf(ctx), newestOf(served))
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	out := &overviewOutput{}
	if unavailable != nil {
		out.Incomplete = incompleteOverview
		if models.CodeOf(unavailable) == models.CodeRateLimited {
			out.Incomplete = busyOverview
		}
		rest.CallOf(ctx).Failure = unavailable // for the log
	}
	streams := models.MergeStreams(served, active, mostOverviewStreams)
	out.Body = rest.Rendered(streams, func(stream models.StreamOverview) StreamOverview {
		line := streamOverview(stream, records)
		if out.Incomplete == "" {
			line.addFigures(stream.StreamActivity, s.UpdateID)
		}
		return line
	})
	return out, nil
}

// newestOf returns the ids of the newest releases of streams, each once.
func newestOf(served []models.ServedStream) []int64 {
	ids := map[int64]bool{}
	for _, s := range served {
		if s.Newest != nil {
			ids[s.Newest.ID] = true
		}
	}
	return slices.Collect(maps.Keys(ids))
}

// StreamOverview is what one channel, platform and runtime version is served, and what its devices do.
type StreamOverview struct {
	Channel             string                                 `json:"channel"`
	Platform            models.Platform                        `json:"platform" enum:"ios,android,web"`
	RuntimeVersion      string                                 `json:"runtimeVersion"`
	IsPaused            bool                                   `json:"isPaused" doc:"Whether the channel is paused."`
	Release             rest.OrNull[releases.Update]           `json:"release" doc:"The newest enabled release for every device, null when there is none."`
	Rollout             rest.OrNull[rollouts.RolloutExecution] `json:"rollout" doc:"The rollout that is running or paused, of the newest release when there are several; null for none."`
	Devices             *int64                                 `json:"devices" nullable:"true" doc:"Active devices by their last report: each counts once in the project. Null while telemetry is unavailable."`
	Distribution        []StreamUpdate                         `json:"distribution" nullable:"true" doc:"These devices by the release that they last reported, most first. Null while telemetry is unavailable."`
	CrashFreePercentage *float64                               `json:"crashFreePercentage" nullable:"true" doc:"Of the devices that reported anything here, percentage without a crash; null without devices, and while telemetry is unavailable."`
	ErrorRate           *float64                               `json:"errorRate" nullable:"true" doc:"Of the same, percentage with an error or a crash, 0 without devices. Null while telemetry is unavailable."`
	Incidents           int64                                  `json:"incidents" doc:"Open incidents."`
	Refused             *int64                                 `json:"refused" nullable:"true" doc:"Distinct devices whose manifest requests were refused; see GET /v1/ota/telemetry/refused for the reasons. Null while telemetry is unavailable."`
}

// StreamUpdate is how many devices of a stream run a release.
type StreamUpdate struct {
	UpdateID   *int64     `json:"updateId" nullable:"true" doc:"Null for the embedded update, and together with it for updates that are no releases of the project."`
	UpdateUUID *uuid.UUID `json:"updateUuid" nullable:"true" format:"uuid" doc:"Null where updateId is."`
	Devices    int64      `json:"devices"`
	Percentage float64    `json:"percentage" doc:"Of the stream's devices."`
}

func streamOverview(s models.StreamOverview, records models.OverviewRecords) StreamOverview {
	name := s.ServedStream.Stream
	out := StreamOverview{
		Channel: name.Channel, Platform: name.Platform, RuntimeVersion: name.RuntimeVersion, IsPaused: s.IsPaused,
		Incidents: records.Incidents[name],
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

// addFigures adds what telemetry knows of the stream.
func (o *StreamOverview) addFigures(a models.StreamActivity, updateID func(string) (int64, bool)) {
	o.Devices, o.Refused, o.Distribution = &a.Devices, &a.Refused, distribution(a, updateID)
	o.ErrorRate, o.CrashFreePercentage = new(rest.Percent(a.Reported.ErrorRate())), rest.CrashFree(a.Reported)
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
		out = append(out, StreamUpdate{UpdateID: &id, UpdateUUID: rest.ParsedUUID(u.UpdateUUID), Devices: u.Devices})
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
	return StreamOverview{
		Channel: "production", Platform: models.IOS, RuntimeVersion: "1.4.0",
		Release: rest.Present(releases.Update{}.Example().(releases.Update)), Devices: new(int64(1200)), CrashFreePercentage: new(99.75),
		ErrorRate: new(0.833),
		Distribution: []StreamUpdate{
			{UpdateID: new(int64(17)), UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), Devices: 900, Percentage: 75}, {Devices: 300,
				Percentage: 25},
		},
		Incidents: 1, Refused: new(int64(12)),
	}
}
