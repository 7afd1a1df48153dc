package insights

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// maxReleaseFigures is the maximum number of releases in a request: a page of the list of releases with the rest of its last
// group.
const maxReleaseFigures = 250

var releaseFiguresDoc = rest.Doc(TagTelemetry, "listReleaseFigures", "Show the devices and the health of some releases",
	"Returns the figures of the releases with the given IDs, in the same order, at most 250. IDs that do not belong to a release "+
		"are left out. The figures cover the last 24 hours: the current hour in UTC and the previous 23, as in the overview. They "+
		"are at most one second old.")

type releaseFiguresInput struct {
	UpdateIDs string `query:"updateIds" required:"true" maxLength:"5000" pattern:"^[1-9][0-9]{0,18}(,[1-9][0-9]{0,18})*$" doc:"IDs of the releases, separated by commas, at most 250." example:"17,16"`
}

// ids returns the IDs, without repeats.
func (in releaseFiguresInput) ids() ([]int64, error) {
	var p models.Problems
	listed := strings.Split(in.UpdateIDs, ",")
	if len(listed) > maxReleaseFigures {
		p.Add("updateIds", "must have at most %d IDs", maxReleaseFigures)
	}
	var ids []int64
	seen := map[int64]bool{}
	for _, text := range listed {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			p.Add("updateIds", "must be IDs of releases, separated by commas")
			break
		}
		if !seen[id] {
			ids, seen[id] = append(ids, id), true
		}
	}
	return ids, p.Err()
}

func (h *Handlers) releaseFigures(ctx context.Context, in *releaseFiguresInput) (*rest.Output[[]ReleaseFigures], error) {
	ids, err := in.ids()
	if err != nil {
		return nil, err
	}
	records, err := h.Overviews.OverviewRecords(ctx, rest.ProjectOf(ctx), ids)
	if err != nil {
		return nil, err
	}
	var shown []models.Release
	var updates []string
	for _, id := range ids {
		if r, ok := records.Releases[id]; ok && r.DeletedAt == nil {
			shown, updates = append(shown, r), append(updates, r.UpdateUUID.String())
		}
	}
	var streams []models.StreamActivity
	var counts map[string]models.DeviceCounts
	g, asking := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		streams, err = h.StreamActivities.StreamActivity(asking, rest.ProjectOf(ctx), h.Now())
		return err
	})
	g.Go(func() (err error) {
		counts, err = h.StreamActivities.ReleaseCounts(asking, rest.ProjectOf(ctx), updates, h.Now())
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, err
	}
	running := models.DevicesByRelease(shown, streams)
	return &rest.Output[[]ReleaseFigures]{Body: rest.Rendered(shown, func(r models.Release) ReleaseFigures {
		return releaseFigures(r, running[r.ID], counts[r.UpdateUUID.String()], records.Rules)
	})}, nil
}

// ReleaseFigures has the devices and the health of one release in the last 24 hours.
type ReleaseFigures struct {
	UpdateID            int64       `json:"updateId" doc:"ID of the release."`
	UpdateUUID          uuid.UUID   `json:"updateUuid" format:"uuid" doc:"Update ID of the release."`
	Devices             int64       `json:"devices" doc:"Number of active devices whose last report is of the release."`
	TargetDevices       int64       `json:"targetDevices" doc:"Number of active devices of the release's targets: the target that it was published to, and the targets of its devices."`
	Percentage          *float64    `json:"percentage" nullable:"true" doc:"Percentage of targetDevices whose last report is of the release; null without devices."`
	ReportedDevices     int64       `json:"reportedDevices" doc:"Number of devices that reported on the release or failed to start it, in all targets. The rates are percentages of these."`
	CrashFreePercentage *float64    `json:"crashFreePercentage" nullable:"true" doc:"Percentage of reportedDevices without a crash; null without devices."`
	CrashRate           *float64    `json:"crashRate" nullable:"true" doc:"Percentage of reportedDevices with a crash; null without devices."`
	ErrorRate           *float64    `json:"errorRate" nullable:"true" doc:"Percentage of reportedDevices with an error or a crash; null without devices."`
	CrashLimit          HealthLimit `json:"crashLimit" doc:"Limit of crashRate."`
	ErrorLimit          HealthLimit `json:"errorLimit" doc:"Limit of errorRate."`
	IsPastLimit         bool        `json:"isPastLimit" doc:"Whether crashRate or errorRate is above its limit."`
}

func releaseFigures(
	r models.Release, on models.ReleaseDevices, c models.DeviceCounts, rules map[int64]models.RolloutRule,
) ReleaseFigures {
	health := servedHealth(models.ServedUpdate{ReleaseID: r.ID, UpdateUUID: r.UpdateUUID.String()}, &r, rules)
	health.addCounts(c)
	out := ReleaseFigures{
		UpdateID: r.ID, UpdateUUID: r.UpdateUUID, Devices: on.Devices, TargetDevices: on.OfTargets, ReportedDevices: c.Devices,
		CrashFreePercentage: health.CrashFreePercentage, CrashRate: health.CrashRate, ErrorRate: health.ErrorRate,
		CrashLimit: health.CrashLimit, ErrorLimit: health.ErrorLimit,
		IsPastLimit: c.Devices > 0 && (c.CrashRate() > health.CrashLimit.Rate || c.ErrorRate() > health.ErrorLimit.Rate),
	}
	if on.OfTargets > 0 {
		out.Percentage = new(rest.Percent(100 * float64(on.Devices) / float64(on.OfTargets)))
	}
	return out
}

func (ReleaseFigures) Example() any {
	return ReleaseFigures{
		UpdateID: 17, UpdateUUID: uuid.MustParse(rest.ExampleUUID), Devices: 900, TargetDevices: 1200, Percentage: new(75.0),
		ReportedDevices: 1190, CrashFreePercentage: new(99.75), CrashRate: new(0.25), ErrorRate: new(0.833),
		CrashLimit: HealthLimit{1, rollout.LimitOfPolicy}, ErrorLimit: HealthLimit{2, rollout.LimitOfIncidents},
	}
}
