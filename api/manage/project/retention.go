package project

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Settings stores the settings of a project.
type Settings interface {
	Settings(ctx context.Context, projectID int64) (models.Settings, error)
	UpdateSettings(
		ctx context.Context, projectID int64, actor models.Actor, patch models.SettingsPatch,
	) (models.Settings, error)
}

var (
	getSettingsDoc   = rest.Doc(tagRetention, "getSettings", "Get the project's settings", "Returns the current settings.")
	patchSettingsDoc = rest.Doc(tagRetention, "patchSettings", "Change the project's settings",
		"Fields that are absent keep their value.", http.StatusConflict)
)

// ProjectSettings are the settings of a project.
type ProjectSettings struct {
	rest.Tagged
	BuildRetentionDays     *int     `json:"buildRetentionDays" nullable:"true" doc:"Days after its upload until a cleanup deletes a build that no release needs; null to keep builds."`
	TelemetryRetentionDays *int     `json:"telemetryRetentionDays" nullable:"true" doc:"Days after which the telemetry of single devices (events, reports, downloads) is deleted. Null for the longest retention: events 30 days, a device on a release 180 days, a device on a day 400 days. Counts of devices and events are kept."`
	HashIDs                bool     `json:"hashIds" doc:"Whether telemetry stores only a keyed hash of device IDs."`
	TrustedNetworks        []string `json:"trustedNetworks" nullable:"false" doc:"Networks in which each device has its own vote in rollout decisions, such as an office network or a proxy that does not name its clients. Elsewhere, all devices of an IPv4 /24 or IPv6 /48 share one vote."`
	RepositoryURL          *string  `json:"repositoryUrl" nullable:"true" doc:"https URL of the app's repository, to which links to commits append /commit/ and the hash; null for none."`
}

func settingsRecord(s models.Settings) ProjectSettings {
	return ProjectSettings{
		Tagged: rest.Tagged{ETag: s.ETag}, BuildRetentionDays: s.BuildRetentionDays, TelemetryRetentionDays: s.TelemetryRetentionDays,
		HashIDs: s.HashIDs, TrustedNetworks: append([]string{}, s.TrustedNetworks...),
		RepositoryURL: rest.SomeOrNull(s.RepositoryURL),
	}
}

func (ProjectSettings) Example() any {
	return ProjectSettings{
		BuildRetentionDays: new(models.DefaultBuildRetentionDays), TelemetryRetentionDays: new(14),
		TrustedNetworks: []string{"203.0.113.0/24"},
	}
}

type patchSettingsBody struct {
	BuildRetentionDays     rest.Patch[int]      `json:"buildRetentionDays,omitzero" nullable:"true" minimum:"1" maximum:"3650" doc:"Days after its upload until a cleanup deletes a build that no release needs; null to keep builds."`
	TelemetryRetentionDays rest.Patch[int]      `json:"telemetryRetentionDays,omitzero" nullable:"true" minimum:"1" maximum:"365" doc:"Days after which the telemetry of single devices is deleted; null for the longest retention."`
	HashIDs                rest.Patch[bool]     `json:"hashIds,omitzero" doc:"Whether telemetry stores only a keyed hash of device IDs. Earlier rows keep the old form, so a device counts twice around the change. Rollouts ignore the device on releases that it was served before the change. Cannot be changed while a rollout is open."`
	TrustedNetworks        rest.Patch[[]string] `json:"trustedNetworks,omitzero" doc:"Networks such as 203.0.113.0/24 or 2001:db8::/48, at most 100, which replace the previous list. The list applies to releases served from then on: a device keeps the network in which it was first served a release."`
	RepositoryURL          rest.Patch[string]   `json:"repositoryUrl,omitzero" nullable:"true" doc:"https URL of the app's repository, such as https://github.com/acme/app, without credentials, a query, or a slash at its end; null for none."`
}

func (b patchSettingsBody) Model() (models.SettingsPatch, models.Problems) {
	var p models.Problems
	return models.SettingsPatch{
		BuildRetentionDays:     b.BuildRetentionDays.Nullable(),
		TelemetryRetentionDays: b.TelemetryRetentionDays.Nullable(),
		HashIDs:                b.HashIDs.NotNull(&p, "hashIds"),
		TrustedNetworks:        b.TrustedNetworks.NotNull(&p, "trustedNetworks"),
		RepositoryURL:          rest.Cleared(b.RepositoryURL),
	}, p
}

func (b patchSettingsBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }
func (patchSettingsBody) Example() any {
	return patchSettingsBody{BuildRetentionDays: rest.PatchTo(30)}
}

func (h *Handlers) patchSettings(ctx context.Context, in *rest.BodyInput[patchSettingsBody]) (*rest.Output[ProjectSettings], error) {
	patch, _ := in.Body.Model()
	s, err := h.Settings.UpdateSettings(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), patch)
	return &rest.Output[ProjectSettings]{Body: settingsRecord(s)}, err
}

// Collector deletes unused builds and files.
type Collector interface {
	Preview(ctx context.Context, projectID int64) (models.Garbage, error)
	Run(ctx context.Context, projectID int64, actor models.Actor) (models.Garbage, error)
}

const garbageRules = "A cleanup deletes two kinds of data. The first is files that do not belong to any build and that no " +
	"upload has referred to for a day. The second is builds that are older than the project's buildRetentionDays and that no " +
	"release needs. A release needs its build while the release exists, for 90 days after the release is deleted, and for 90 " +
	"days after a device last reported running it. A cleanup deletes at most 500 builds."

var (
	previewGarbageDoc = rest.Doc(tagRetention, "previewGarbage", "Preview a cleanup", garbageRules)
	collectGarbageDoc = rest.Doc(tagRetention, "collectGarbage", "Run a cleanup", "Returns what was deleted. "+garbageRules)
)

// Garbage lists what a cleanup deletes.
type Garbage struct {
	Builds           []GarbageBuild `json:"builds" doc:"Builds to delete, oldest first."`
	BlobCount        int64          `json:"blobCount" doc:"Number of distinct files that only these builds have."`
	PartialFileCount int64          `json:"partialFileCount" doc:"Number of partial files that were uploaded without a build and have not grown for a day."`
	Bytes            int64          `json:"bytes" doc:"Total size of these files, including compressed variants, patches, and the received bytes of partial files."`
	PendingBlobs     int64          `json:"pendingBlobs" doc:"Number of unused files that the next cleanup deletes from the asset bucket."`
}

// GarbageBuild is a build that a cleanup deletes.
type GarbageBuild struct {
	ID             int64           `json:"id"`
	UUID           uuid.UUID       `json:"uuid" format:"uuid"`
	Platform       models.Platform `json:"platform" enum:"ios,android"`
	RuntimeVersion string          `json:"runtimeVersion"`
	Message        string          `json:"message"`
	SizeBytes      int64           `json:"sizeBytes" doc:"Size of all files of the build, including files that other builds share."`
	CreatedAt      rest.Time       `json:"createdAt"`
}

func garbageRecord(g models.Garbage) Garbage {
	return Garbage{
		Builds: rest.Rendered(g.Builds, garbageBuild), BlobCount: g.Blobs, PartialFileCount: g.Partials, Bytes: g.Bytes, PendingBlobs: g.Pending,
	}
}

func garbageBuild(b models.Build) GarbageBuild {
	return GarbageBuild{
		ID: b.ID, UUID: b.UUID, Platform: b.Platform, RuntimeVersion: b.RuntimeVersion, Message: b.Message,
		SizeBytes: b.SizeBytes, CreatedAt: rest.Time{Time: b.CreatedAt},
	}
}

func (Garbage) Example() any {
	return Garbage{
		Builds: []GarbageBuild{{
			ID: 3, UUID: uuid.MustParse(rest.ExampleUUID), Platform: models.IOS, RuntimeVersion: "1.3.0",
			Message: "Nightly", SizeBytes: 1048576, CreatedAt: rest.ExampleTime,
		}},
		BlobCount: 2, Bytes: 1040000,
	}
}

func (h *Handlers) collectGarbage(ctx context.Context, _ *struct{}) (*rest.Output[Garbage], error) {
	g, err := h.Collector.Run(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx))
	return &rest.Output[Garbage]{Body: garbageRecord(g)}, err
}

// Eraser deletes the data of devices.
type Eraser interface {
	// Erase deletes the device's data. It returns done false if Waft deletes the data later.
	Erase(ctx context.Context, projectID int64, actor models.Actor, deviceID string) (done bool, err error)
}

var eraseDeviceDoc = huma.Operation{
	OperationID: "eraseDeviceData", Tags: []string{tagRetention}, Summary: "Delete a device's data",
	Description: "Deletes the device's events, reports and downloads, its rows per release and day, and the contexts and user " +
		"overrides whose key is the device ID. 204 means the data is deleted. 202 means telemetry is unavailable or slow and " +
		"Waft will delete the data later, even if it restarts in between. In both cases, a second pass one minute later " +
		"deletes what the device sent in the last seconds. Counts of devices and events and the audit log are kept. Later " +
		"reports from the device are stored as usual.",
	DefaultStatus: http.StatusNoContent,
	Responses: map[string]*huma.Response{
		"202": {Description: "The data will be deleted."},
		"204": {Description: "The data is deleted."},
	},
	Errors: []int{http.StatusServiceUnavailable},
}

type eraseDeviceInput struct {
	DeviceID string `path:"deviceId" minLength:"1" maxLength:"256" doc:"Device ID as the device sends it, in any letter case." example:"2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11"`
}

type eraseDeviceOutput struct{ Status int }

func (h *Handlers) eraseDevice(ctx context.Context, in *eraseDeviceInput) (*eraseDeviceOutput, error) {
	done, err := h.Eraser.Erase(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.DeviceID)
	h.ForgetServed() // so that the device's next exposure is recorded like its first
	if done {
		return &eraseDeviceOutput{http.StatusNoContent}, err
	}
	return &eraseDeviceOutput{http.StatusAccepted}, err
}
