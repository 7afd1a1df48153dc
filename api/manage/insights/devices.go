package insights

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/models"
)

const (
	// lastEvents is the number of events in a device's record.
	lastEvents = 20
	// rememberedReleases is the number of the newest releases for which a device's record has its history.
	rememberedReleases = 500
)

var (
	listDevicesDoc = rest.Doc(TagTelemetry, "listDevices", "List devices",
		"Returns devices that reported within 400 days, ordered by their last report, newest first, unless sort is set. The "+
			"Link header of a page has the cursor for the next page.")
	getDeviceDoc = rest.Doc(TagTelemetry, "getDevice", "Get a device",
		"Returns the device's last report, how it was served and failed on the newest 500 releases, its last 20 events, and "+
			"the release that it would be served now.")
)

type listDevicesInput struct {
	Search     string          `query:"search" maxLength:"256" doc:"String that the device ID must contain, ignoring case. If IDs are hashed: the hash, or the whole ID."`
	UpdateUUID rest.UUID       `query:"updateUuid" doc:"Update ID of the release in the device's last report."`
	Channel    string          `query:"channel" maxLength:"128" doc:"Channel in the device's last report."`
	Sort       string          `query:"sort" maxLength:"64" doc:"Field to sort by, with a leading - for descending order: channel, crashes, deviceId, errors, firstSeenAt, lastSeenAt, platform or runtimeVersion." example:"-crashes"`
	Cursor     rest.PageCursor `query:"cursor" maxLength:"2000" doc:"Cursor for the page, from the Link header of the previous page."`
	Limit      int             `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Maximum number of devices to return."`
	Count      bool            `query:"count" doc:"Whether to return the number of devices on all pages in the header X-Total-Count. The header is absent if counting would take longer than two seconds."`
}

func (h *Handlers) listDevices(ctx context.Context, in *listDevicesInput) (*rest.List[Device], error) {
	order, err := rest.SortOf(in.Sort, "-lastSeenAt", models.DeviceSorts())
	if err != nil {
		return nil, err
	}
	after, err := in.Cursor.Place(order)
	if err != nil {
		return nil, err
	}
	q := models.DeviceQuery{
		Search: in.Search, SearchIDs: releases.DeviceNames(ctx, h.Snapshots, in.Search), UpdateUUID: releases.CanonicalUpdate(ctx,
			h.Snapshots, in.UpdateUUID),
		Channel: in.Channel, Sort: order, After: after, Limit: in.Limit + 1,
	}
	found, err := h.Insights.Devices(ctx, rest.ProjectOf(ctx), q)
	if err != nil {
		return nil, err
	}
	reported, err := releases.ReportedOf(ctx, h.Names, h.Snapshots, updatesOf(found, func(d models.Device) string { return d.UpdateUUID })...)
	if err != nil {
		return nil, err
	}
	record := func(d models.Device) Device { return deviceRecord(d, reported) }
	page := rest.PageOf(ctx, found, in.Limit, record, func(last models.Device) (cursor, value string) {
		return "cursor", rest.CursorOf(last.Cursor)
	})
	if !in.Count {
		return page, nil
	}
	total, err := h.Insights.CountDevices(ctx, rest.ProjectOf(ctx), q)
	return page.Counted(total), err
}

// Device is a device as its reports describe it.
type Device struct {
	DeviceID       string                            `json:"deviceId" doc:"Device ID, or a hash of it if the project's settings require that."`
	Platform       models.Platform                   `json:"platform" enum:"ios,android,web" doc:"Platform in the device's last report."`
	Channel        string                            `json:"channel" doc:"Channel in the device's last report."`
	RuntimeVersion string                            `json:"runtimeVersion" doc:"Runtime version in the device's last report."`
	UpdateUUID     *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid" doc:"Update ID in the device's last report; null for the embedded update."`
	Release        rest.OrNull[releases.ReleaseName] `json:"release" doc:"Release of updateUuid; null for the embedded update and for an update that is not a release of the project."`
	FirstSeenAt    *rest.Time                        `json:"firstSeenAt" nullable:"true" doc:"Time of the device's first report; null before it."`
	LastSeenAt     *rest.Time                        `json:"lastSeenAt" nullable:"true" doc:"Time of the device's last report; null before the first report."`
	Crashes        int64                             `json:"crashes" doc:"Number of crashes that the device reported."`
	Errors         int64                             `json:"errors" doc:"Number of errors (js_error) that the device reported."`
}

func deviceRecord(d models.Device, reported releases.Reported) Device {
	return Device{
		DeviceID: d.DeviceID, Platform: d.Platform, Channel: d.Channel, RuntimeVersion: d.RuntimeVersion,
		UpdateUUID: rest.ParsedUUID(d.UpdateUUID), Release: reported.Name(d.UpdateUUID),
		FirstSeenAt: &rest.Time{Time: d.FirstSeenAt}, LastSeenAt: &rest.Time{Time: d.LastSeenAt}, Crashes: d.Crashes, Errors: d.Errors,
	}
}

func (Device) Example() any {
	return Device{
		DeviceID: "2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11", Platform: models.IOS, Channel: "production", RuntimeVersion: "1.4.0",
		UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), Release: rest.Present(releases.ExampleName), FirstSeenAt: &rest.ExampleTime,
		LastSeenAt: &rest.ExampleTime, Crashes: 1, Errors: 3,
	}
}

// DeviceDetail is a device with its history.
type DeviceDetail struct {
	Device
	Served  []ServedRelease                  `json:"served" doc:"Releases that Waft served the device, most recent first."`
	Failed  []FailedRelease                  `json:"failed" doc:"Releases on which the device had an error or a crash, or that failed before their first render."`
	Events  []TelemetryEvent                 `json:"events" doc:"Last 20 events of the device within 30 days, newest first."`
	Resolve rest.OrNull[releases.Resolution] `json:"resolve" doc:"Resolution that the device would get now, as GET /v1/ota/resolve returns it. Null if its channel does not exist, or if only the hash of its ID is known."`
}

// ServedRelease is a release that a device was served.
type ServedRelease struct {
	UpdateID    *int64                            `json:"updateId" nullable:"true"`
	UpdateUUID  *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid"`
	Release     rest.OrNull[releases.ReleaseName] `json:"release"`
	ServedAt    rest.Time                         `json:"servedAt" doc:"Time at which the device was first served the release."`
	FirstSeenAt *rest.Time                        `json:"firstSeenAt" nullable:"true" doc:"Time of the device's first report on the release; null without reports."`
	LastSeenAt  *rest.Time                        `json:"lastSeenAt" nullable:"true" doc:"Time of the device's last report on the release; null without reports."`
}

// FailedRelease is a release that failed on a device. Each time is the first occurrence, or null.
type FailedRelease struct {
	UpdateID   *int64                            `json:"updateId" nullable:"true"`
	UpdateUUID *uuid.UUID                        `json:"updateUuid" nullable:"true" format:"uuid"`
	Release    rest.OrNull[releases.ReleaseName] `json:"release"`
	ErrorAt    *rest.Time                        `json:"errorAt" nullable:"true" doc:"Time of the first js_error or crash; null without one."`
	CrashAt    *rest.Time                        `json:"crashAt" nullable:"true"`
	FailedAt   *rest.Time                        `json:"failedAt" nullable:"true" doc:"Time at which the device reported that the release failed before its first render; null without such a report."`
}

type getDeviceInput struct {
	DeviceID string `path:"deviceId" minLength:"1" maxLength:"256" doc:"Device ID as the device sends it, in any letter case, or as lists show it." example:"2f1c9a80-6f0e-4a6d-9a57-0d6f1c6d1b11"`
}

func (h *Handlers) getDevice(ctx context.Context, in *getDeviceInput) (*rest.Output[DeviceDetail], error) {
	s, err := releases.OwnSnapshot(ctx, h.Snapshots)
	if err != nil {
		return nil, err
	}
	names := releases.DeviceNames(ctx, h.Snapshots, in.DeviceID)
	found, err := h.Insights.Devices(ctx, rest.ProjectOf(ctx), models.DeviceQuery{IDs: names, Limit: len(names)})
	if err != nil {
		return nil, err
	}
	history, err := h.Insights.DeviceReleases(ctx, rest.ProjectOf(ctx), names, s.NewestUpdates(rememberedReleases))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 && len(history) == 0 {
		return nil, models.Errorf(models.CodeNotFound, "device %.100q has not reported to this project and was not served by it", in.DeviceID)
	}
	events, err := h.Insights.Events(ctx, rest.ProjectOf(ctx), models.EventQuery{
		Types: models.HealthEventTypes(), DeviceIDs: names, Limit: lastEvents,
	}, h.Now())
	if err != nil {
		return nil, err
	}
	reported, err := releases.ReportedOf(ctx, h.Names, h.Snapshots, slices.Concat(
		updatesOf(found, func(d models.Device) string { return d.UpdateUUID }), updatesOf(events, updateOfEvent),
		updatesOf(history, func(r models.DeviceRelease) string { return r.UpdateUUID }))...)
	out := DeviceDetail{Served: []ServedRelease{}, Failed: []FailedRelease{}}
	if len(found) > 0 {
		out.Device = deviceRecord(found[0], reported)
	} else { // the device was served and has not reported yet
		r := history[0]
		out.Device = Device{DeviceID: names[len(names)-1], Platform: r.Platform, Channel: r.Channel, RuntimeVersion: r.RuntimeVersion}
	}
	out.Events = rest.Rendered(events, func(e models.TelemetryEvent) TelemetryEvent { return telemetryEvent(e, reported) })
	for _, r := range history {
		out.add(r, reported)
	}
	out.Resolve = resolutionNow(s, strings.ToLower(in.DeviceID), out.Device)
	return &rest.Output[DeviceDetail]{Body: out}, err
}

// add adds the device's history with a release.
func (d *DeviceDetail) add(r models.DeviceRelease, reported releases.Reported) {
	id, name := reported.ID(r.UpdateUUID), reported.Name(r.UpdateUUID)
	if r.ServedAt != nil {
		d.Served = append(d.Served, ServedRelease{
			UpdateID: id, UpdateUUID: rest.ParsedUUID(r.UpdateUUID), Release: name, ServedAt: rest.Time{Time: *r.ServedAt},
			FirstSeenAt: rest.TimeOrNull(r.FirstSeenAt),
			LastSeenAt:  rest.TimeOrNull(r.LastSeenAt),
		})
	}
	if r.FirstErrorAt != nil || r.FailedAt != nil {
		d.Failed = append(d.Failed, FailedRelease{
			UpdateID: id, UpdateUUID: rest.ParsedUUID(r.UpdateUUID), Release: name, ErrorAt: rest.TimeOrNull(r.FirstErrorAt),
			CrashAt:  rest.TimeOrNull(r.FirstCrashAt),
			FailedAt: rest.TimeOrNull(r.FailedAt),
		})
	}
}

// resolutionNow returns the resolution that the device would get. The result is null for a hashed ID, because the
// device's bucket cannot be computed from the hash.
func resolutionNow(s *delivery.Snapshot, deviceID string, d Device) rest.OrNull[releases.Resolution] {
	hashOnly := s.DeviceIdentity(deviceID) != deviceID && deviceID == d.DeviceID
	if hashOnly || !s.HasChannel(d.Channel) {
		return rest.OrNull[releases.Resolution]{}
	}
	r := delivery.Request{
		Channel: d.Channel, Platform: d.Platform, RuntimeVersion: d.RuntimeVersion, DeviceID: deviceID,
		EmbeddedUpdateUUID: delivery.UnknownEmbedded,
	}
	if d.UpdateUUID != nil {
		r.CurrentUpdateUUID = d.UpdateUUID.String()
	}
	return rest.Present(releases.ResolutionRecord(s, s.Explain(r)))
}

func (DeviceDetail) Example() any {
	return DeviceDetail{
		Device: Device{}.Example().(Device),
		Served: []ServedRelease{{
			UpdateID: new(int64(17)), UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), Release: rest.Present(releases.ExampleName), ServedAt: rest.ExampleTime,
			FirstSeenAt: &rest.ExampleTime, LastSeenAt: &rest.ExampleTime,
		}},
		Failed: []FailedRelease{{
			UpdateID: new(int64(17)), UpdateUUID: new(uuid.MustParse(rest.ExampleUUID)), Release: rest.Present(releases.ExampleName), ErrorAt: &rest.ExampleTime, CrashAt: &rest.ExampleTime,
		}},
		Events:  []TelemetryEvent{TelemetryEvent{}.Example().(TelemetryEvent)},
		Resolve: rest.Present(releases.Resolution{}.Example().(releases.Resolution)),
	}
}
