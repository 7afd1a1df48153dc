package releases

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

// Snapshots holds the snapshot of each project.
type Snapshots interface {
	// ProjectByID returns a project's snapshot. It fails with not_found, or with unavailable while the project cannot
	// be read.
	ProjectByID(id int64) (*delivery.Snapshot, error)
	// CatchUp returns once devices are served the current state of Postgres, for one project or, with 0, for all. It
	// returns an error if ctx is done before.
	CatchUp(ctx context.Context, projectID int64) error
}

// catchUpTime is the time that a read of what devices are served waits for changes committed before it.
const catchUpTime = time.Second

// OwnSnapshot returns the snapshot of the caller's project, including all changes committed before the call. A client
// that is notified of a change may ask before this process has read the change. After catchUpTime, OwnSnapshot
// returns the snapshot that devices are served. The project exists, so a missing snapshot is only late.
func OwnSnapshot(ctx context.Context, snapshots Snapshots) (*delivery.Snapshot, error) {
	waiting, cancel := context.WithTimeout(ctx, catchUpTime)
	defer cancel()
	_ = snapshots.CatchUp(waiting, rest.ProjectOf(ctx)) // outdated data is better than none
	s, err := snapshots.ProjectByID(rest.ProjectOf(ctx))
	if models.CodeOf(err) == models.CodeNotFound {
		err = models.Errorf(models.CodeUnavailable, "the project's data is not loaded yet; try again in a moment")
	}
	return s, err
}

var resolveDoc = rest.Doc(TagUpdates, "resolve", "Explain what a device is served",
	"Resolves a manifest request and returns every step: each bucket and percentage, and each skipped release with the "+
		"reason.",
	http.StatusNotFound)

type resolveInput struct {
	Channel           string          `query:"channel" required:"true" doc:"Name of the device's channel." example:"production"`
	Platform          models.Platform `query:"platform" required:"true" enum:"ios,android"`
	RuntimeVersion    string          `query:"runtimeVersion" required:"true" example:"1.4.0"`
	DeviceID          string          `query:"deviceId" doc:"Device ID, which places the device inside or outside each percentage. Without an ID, it is inside only at 100%."`
	UserID            string          `query:"userId"`
	CurrentUpdateUUID string          `query:"currentUpdateUuid" doc:"ID of the update that the device runs; none for the embedded update."`
	UpdateID          int64           `query:"updateId" minimum:"1" doc:"ID of the release that atPercentage applies to."`
	AtPercentage      float64         `query:"atPercentage" minimum:"0" maximum:"100" doc:"Rollout percentage to assume for the release updateId."`

	supposes bool // whether atPercentage is given
}

// Resolve checks the rules that the schema cannot express: a device could send the values, and updateId and
// atPercentage come together.
func (in *resolveInput) Resolve(request huma.Context) []error {
	var p models.Problems
	in.supposes = request.Query("atPercentage") != ""
	for _, said := range []struct{ name, value string }{
		{"channel", in.Channel}, {"runtimeVersion", in.RuntimeVersion}, {"deviceId", in.DeviceID}, {"userId", in.UserID},
	} {
		if err := delivery.CheckValue(said.value); err != nil {
			p.Add(said.name, "%v", err)
		}
	}
	if in.CurrentUpdateUUID != "" {
		if _, err := models.ParseUpdateID(in.CurrentUpdateUUID); err != nil {
			p.Add("currentUpdateUuid", "%v", err)
		}
	}
	switch {
	case in.supposes && in.UpdateID == 0:
		p.Add("updateId", "is required with atPercentage")
	case !in.supposes && in.UpdateID != 0:
		p.Add("atPercentage", "is required with updateId")
	case in.supposes:
		models.CheckPercentage(&p, "atPercentage", in.AtPercentage)
	}
	return rest.InputErrors("query", p.Err())
}

func (in resolveInput) request() delivery.Request {
	return delivery.Request{
		Channel: in.Channel, Platform: in.Platform, RuntimeVersion: in.RuntimeVersion,
		DeviceID: strings.ToLower(in.DeviceID), UserID: in.UserID,
		CurrentUpdateUUID: strings.ToLower(in.CurrentUpdateUUID), EmbeddedUpdateUUID: delivery.UnknownEmbedded,
	}
}

// Resolution is the release that a device gets, with the steps that explain it.
type Resolution struct {
	Outcome    delivery.Outcome         `json:"outcome" enum:"update,up_to_date,no_update,rollback_to_embedded,store_update_required,channel_paused"`
	UpdateID   *int64                   `json:"updateId" doc:"ID of the resolved release; null for none."`
	UpdateUUID *string                  `json:"updateUuid" doc:"Update ID that the device gets: the release's own ID, or its newest alias."`
	Release    rest.OrNull[ReleaseName] `json:"release" doc:"Resolved release; null for none."`
	BranchName *string                  `json:"branchName" doc:"Name of the branch; null if no branch was resolved."`
	Steps      []ResolutionStep         `json:"steps" doc:"Steps of the resolution, in order."`
}

// ResolutionStep is one step of a resolution.
type ResolutionStep struct {
	Step    string `json:"step"`
	Outcome string `json:"outcome"`
	Detail  string `json:"detail" doc:"Reason for the outcome, as a sentence."`
}

func (Resolution) Example() any {
	return Resolution{
		Outcome: delivery.OutcomeUpdate, UpdateID: new(int64(17)), UpdateUUID: new(rest.ExampleUUID), Release: rest.Present(ExampleName), BranchName: new("production"),
		Steps: []ResolutionStep{{Step: delivery.StepBranch, Outcome: "channel", Detail: "channel production points to branch production"}},
	}
}

func (h *Handlers) resolve(ctx context.Context, in *resolveInput) (*rest.Output[Resolution], error) {
	snapshot, err := OwnSnapshot(ctx, h.Snapshots)
	if err != nil {
		return nil, err
	}
	d := snapshot.Explain(in.request())
	if in.supposes {
		at, ok := snapshot.ExplainAt(in.request(), in.UpdateID, in.AtPercentage)
		if !ok {
			return nil, models.Errorf(models.CodeNotFound, "release %d does not exist in this project", in.UpdateID)
		}
		d = at
	}
	if d.Outcome == delivery.OutcomeUnknownChannel {
		return nil, models.Errorf(models.CodeNotFound, "channel %q does not exist in this project", in.Channel)
	}
	return &rest.Output[Resolution]{Body: ResolutionRecord(snapshot, d)}, nil
}

// ResolutionRecord returns the API's representation of a decision of the snapshot.
func ResolutionRecord(s *delivery.Snapshot, d delivery.Decision) Resolution {
	return Resolution{
		Outcome: d.Outcome, UpdateID: rest.SomeOrNull(d.ReleaseID), UpdateUUID: rest.SomeOrNull(d.UpdateUUID),
		Release:    NameOrNull(s.Release(d.UpdateUUID)),
		BranchName: rest.SomeOrNull(d.BranchName),
		Steps:      rest.Rendered(d.Steps, func(s delivery.Step) ResolutionStep { return ResolutionStep(s) }),
	}
}
