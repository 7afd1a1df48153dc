package insights

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var adoptionDoc = rest.Doc(TagTelemetry, "getAdoption", "Show adoption",
	"Covers a window of whole days in UTC that ends with today. A device is active if it sent a report. A download is the "+
		"first time that a device is served a release, as a manifest, a file or a binary patch.")

type adoptionInput struct {
	Days AdoptionDays `query:"days" default:"7" doc:"Number of days in the window, including today."`
}

// AdoptionDays is the length of a window.
type AdoptionDays int64

// Schema lists models.AdoptionWindows. huma's enum tag does not work here, because its values would have another type
// than the values of a query.
func (AdoptionDays) Schema(huma.Registry) *huma.Schema {
	windows := make([]any, len(models.AdoptionWindows))
	for i, days := range models.AdoptionWindows {
		windows[i] = int64(days)
	}
	return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Enum: windows}
}

func (h *Handlers) adoption(ctx context.Context, in *adoptionInput) (*rest.Output[Adoption], error) {
	a, err := h.Insights.Adoption(ctx, rest.ProjectOf(ctx), int(in.Days), h.Now())
	if err != nil {
		return nil, err
	}
	reported, err := releases.ReportedOf(ctx, h.Names, h.Snapshots, reportedUpdates(a)...)
	return &rest.Output[Adoption]{Body: adoptionRecord(a, reported)}, err
}

// reportedUpdates returns the update IDs of all records of a.
func reportedUpdates(a models.Adoption) []string {
	var uuids []string
	for _, u := range a.Updates {
		uuids = append(uuids, u.UpdateUUID)
	}
	for _, u := range a.ByDay {
		uuids = append(uuids, u.UpdateUUID)
	}
	return uuids
}

// Adoption counts the devices of a project by the release that they run.
type Adoption struct {
	Days               int             `json:"days"`
	Exact              bool            `json:"exact" doc:"Whether the counts are exact. If there are many devices, a sample of them is counted, and downloads count a device again on each day that it is served the release."`
	TotalActiveDevices int64           `json:"totalActiveDevices" doc:"Number of distinct devices that sent a report in the window."`
	ReleasesTracked    int             `json:"releasesTracked" doc:"Number of releases in distribution."`
	Downloads          int64           `json:"downloads" doc:"Sum of downloadsByDay."`
	DownloadsByDay     []DownloadDay   `json:"downloadsByDay" doc:"Downloads on every day of the window, oldest first."`
	Distribution       []UpdateDevices `json:"distribution" doc:"Devices by the update that they last reported, most devices first."`
	Adoption           []UpdateDay     `json:"adoption" doc:"Devices by day and release, oldest day first, without days and releases that have no devices. Each device counts once a day, under the release in its last report of the day."`
}

// DownloadDay counts the downloads of one day.
type DownloadDay struct {
	Date      rest.Date `json:"date"`
	Downloads int64     `json:"downloads" doc:"Number of downloads; each device counts once per release."`
	Devices   int64     `json:"devices" doc:"Number of distinct devices that downloaded a release."`
}

// UpdateDevices counts the devices that ran a release.
type UpdateDevices struct {
	UpdateID       *int64                            `json:"updateId" nullable:"true" doc:"ID of the release; null for the embedded update and for an update that is not a release of the project."`
	UpdateUUID     *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID; null for the embedded update."`
	Release        rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateUuid; null for the embedded update and for an update that is not a release of the project."`
	Platform       models.Platform                   `json:"platform" enum:"ios,android,web"`
	RuntimeVersion string                            `json:"runtimeVersion"`
	Channel        *string                           `json:"channel" nullable:"true" doc:"Channel that the release was published to; null if it was published to a branch directly."`
	BranchName     *string                           `json:"branchName" nullable:"true"`
	Devices        int64                             `json:"devices"`
	Percentage     float64                           `json:"percentage" doc:"Percentage of totalActiveDevices."`
}

// UpdateDay counts the devices that ran a release on one day.
type UpdateDay struct {
	Date       rest.Date                         `json:"date"`
	UpdateID   *int64                            `json:"updateId" nullable:"true" doc:"ID of the release; null for the embedded update and for an update that is not a release of the project."`
	UpdateUUID *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID; null for the embedded update."`
	Release    rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateUuid; null for the embedded update and for an update that is not a release of the project."`
	Devices    int64                             `json:"devices"`
}

func adoptionRecord(a models.Adoption, reported releases.Reported) Adoption {
	out := Adoption{
		Days: a.Days, Exact: a.Exact, TotalActiveDevices: a.ActiveDevices,
		DownloadsByDay: make([]DownloadDay, len(a.Downloads)),
		Distribution:   make([]UpdateDevices, len(a.Updates)),
		Adoption:       make([]UpdateDay, len(a.ByDay)),
	}
	for i, d := range a.Downloads {
		out.Downloads += d.Downloads
		out.DownloadsByDay[i] = DownloadDay{Date: rest.Date{Time: d.Day}, Downloads: d.Downloads, Devices: d.Devices}
	}
	for i, u := range a.Updates {
		out.Distribution[i] = updateDevices(u, a.ActiveDevices, reported)
		if out.Distribution[i].UpdateID != nil {
			out.ReleasesTracked++
		}
	}
	for i, u := range a.ByDay {
		out.Adoption[i] = UpdateDay{
			Date: rest.Date{Time: u.Day}, UpdateID: reported.ID(u.UpdateUUID), UpdateUUID: rest.ParsedUUID(u.UpdateUUID),
			Release: reported.Name(u.UpdateUUID), Devices: u.Devices,
		}
	}
	return out
}

func updateDevices(u models.UpdateDevices, active int64, reported releases.Reported) UpdateDevices {
	out := UpdateDevices{
		UpdateUUID: rest.ParsedUUID(u.UpdateUUID), Platform: u.Platform, RuntimeVersion: u.RuntimeVersion, Devices: u.Devices,
	}
	if active > 0 {
		out.Percentage = rest.Percent(100 * float64(u.Devices) / float64(active))
	}
	if r := reported[u.UpdateUUID]; r != nil {
		out.Release = releases.NameOrNull(r)
		out.UpdateID, out.Channel, out.BranchName = &r.ID, r.Channel, &r.BranchName
		out.Platform, out.RuntimeVersion = r.Platform, r.RuntimeVersion
	}
	return out
}

func (Adoption) Example() any {
	update := uuid.MustParse(rest.ExampleUUID)
	return Adoption{
		Days: 7, Exact: true, TotalActiveDevices: 1200, ReleasesTracked: 1, Downloads: 900,
		DownloadsByDay: []DownloadDay{{Date: rest.Date(rest.ExampleTime), Downloads: 900, Devices: 900}},
		Distribution: []UpdateDevices{{
			UpdateID: new(int64(17)), UpdateUUID: &update, Release: rest.Present(releases.ExampleName), Platform: models.IOS, RuntimeVersion: "1.4.0", Channel: new("production"), BranchName: new("production"),
			Devices: 900, Percentage: 75,
		}},
		Adoption: []UpdateDay{{Date: rest.Date(rest.ExampleTime), UpdateID: new(int64(17)), UpdateUUID: &update, Release: rest.Present(releases.ExampleName), Devices: 900}},
	}
}
