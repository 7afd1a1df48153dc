package insights

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/errorgroup"
	"github.com/waft-ota/waft/models"
)

// ErrorGroups queries error groups.
type ErrorGroups interface {
	ErrorGroups(ctx context.Context, projectID int64, q models.GroupQuery, now time.Time) ([]models.GroupFigures, error)
	ErrorGroupTrends(
		ctx context.Context, projectID int64, q models.GroupQuery, groups []models.Fingerprint,
	) (map[models.Fingerprint][]int64, error)
	ErrorGroupDetail(ctx context.Context, projectID int64, q models.GroupQuery, now time.Time) (models.GroupDetail, error)
	// RunUpdates returns the updates that devices reported.
	RunUpdates(ctx context.Context, projectID int64) ([]string, error)
	// Event returns an event by its report and its position in the report.
	Event(ctx context.Context, projectID int64, reportID uuid.UUID, index uint16, now time.Time) (models.TelemetryEvent, error)
}

// ReleasePlaces orders releases.
type ReleasePlaces interface {
	ReleasePlaces(ctx context.Context, projectID int64) ([]models.ReleasePlace, error)
}

const (
	// groupsWindow and groupWindow are the default lengths of the window.
	groupsWindow = 24 * time.Hour
	groupWindow  = models.GroupHours
	// groupsKept is the time for which groups are counted.
	groupsKept = 400 * 24 * time.Hour
)

var (
	listGroupsDoc = rest.Doc(TagTelemetry, "listErrorGroups", "List error groups",
		"Groups errors and crashes with the same cause, and counts the devices that had them in the window. The window "+
			"reaches from `from` to `to`, in full hours, or in full days for times more than 30 days ago. A group is "+
			"identified by the type and name of the error and the frames of the app's own code, using the build's source map "+
			"if it has one. Without such frames, it is identified by the message without its numbers and IDs. A group is "+
			"`new` if no older release had it. It is `regressed` if an older release had it and the previous release on the "+
			"same branch and runtime version did not. Otherwise it is `ongoing`. The state refers to updateUuid, or to the "+
			"newest release that has the group. Only the most frequent 10,000 groups are included. Groups above the "+
			"cardinality limit are combined in the group `(other)`.")
	getGroupDoc = rest.Doc(TagTelemetry, "getErrorGroup", "Show an error group",
		"Returns the group as in the list, plus its releases, platforms and flag variations in the window and some of its "+
			"latest events. Without `from`, the window is the last 30 days. An event may be under several flags. If the group "+
			"has too many events to count each, flags are counted in full days.", http.StatusNotFound)
	getEventDoc = rest.Doc(TagTelemetry, "getObservedEvent", "Show an event",
		"Returns the event with the frames of its stack, using the source map of the build that the device ran.", http.StatusNotFound)
)

// GroupWindow is the window of error groups.
type GroupWindow struct {
	From time.Time `query:"from" doc:"Start of the window; by default one day before its end."`
	To   time.Time `query:"to" doc:"End of the window; now by default."`
}

// query checks the window. Without a start, the window has the length usual.
func (w GroupWindow) query(now time.Time, usual time.Duration) (q models.GroupQuery, err error) {
	if q.To = w.To; q.To.IsZero() {
		q.To = now
	}
	if q.From = w.From; q.From.IsZero() {
		q.From = q.To.Add(-usual)
	}
	var p models.Problems
	switch {
	case !q.From.Before(q.To):
		p.Add("from", "must be before to")
	case q.From.Before(now.Add(-groupsKept)):
		p.Add("from", "must be at most 400 days ago, because error groups are kept for 400 days")
	}
	return q, p.Err()
}

type listGroupsInput struct {
	GroupWindow
	Type       models.HealthEventType `query:"type" enum:"js_error,crash" doc:"Type of the groups."`
	Channel    string                 `query:"channel" maxLength:"128" doc:"Channel of the events."`
	Platform   models.Platform        `query:"platform" enum:"ios,android,web" doc:"Platform of the events."`
	UpdateUUID rest.UUID              `query:"updateUuid" doc:"Update ID of the release that the devices ran."`
	Search     string                 `query:"search" maxLength:"256" doc:"String that the error name, message or culprit must contain, ignoring case."`
	State      models.GroupState      `query:"state" enum:"new,regressed,ongoing" doc:"State of the groups."`
	StatusFilter
	Sort   string          `query:"sort" maxLength:"64" doc:"Field to sort by, with a leading - for descending order: devices, errorName, events, firstSeenAt or lastSeenAt. Without it, the groups of most devices come first." example:"-events"`
	Limit  int             `query:"limit" default:"100" minimum:"1" maximum:"200" doc:"Maximum number of groups to return."`
	Cursor rest.PageCursor `query:"cursor" maxLength:"2000" doc:"Cursor for the page, from the Link header of the previous page."`
	Count  bool            `query:"count" doc:"Whether to return the number of groups on all pages in the header X-Total-Count."`
}

func (h *Handlers) listErrorGroups(ctx context.Context, in *listGroupsInput) (*rest.List[ErrorGroup], error) {
	q, err := in.query(h.Now(), groupsWindow)
	if err != nil {
		return nil, err
	}
	order, err := rest.SortOf(in.Sort, "-devices", groupSorts())
	if err != nil {
		return nil, err
	}
	after, err := in.Cursor.Place(order)
	if err != nil {
		return nil, err
	}
	q.Channel, q.Platform, q.UpdateUUID = in.Channel, in.Platform, releases.CanonicalUpdate(ctx, h.Snapshots, in.UpdateUUID)
	found, err := h.ErrorGroups.ErrorGroups(ctx, rest.ProjectOf(ctx), q, h.Now())
	if err != nil {
		return nil, err
	}
	ordered, err := h.orderedReleases(ctx, len(found))
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(g models.GroupFigures) bool {
		return in.Type != "" && g.Type != in.Type || !mentions(g, in.Search) || in.State != "" && ordered.State(g.Seen) != in.State
	})
	if found, err = h.withStatus(ctx, in.StatusFilter, found); err != nil {
		return nil, err
	}
	total := int64(len(found))
	found = pageAfter(found, order, after)
	page := found[:min(len(found), in.Limit)]
	fingerprints := make([]models.Fingerprint, len(page))
	for i, g := range page {
		fingerprints[i] = g.Fingerprint
	}
	var trends map[models.Fingerprint][]int64
	if len(page) > 0 {
		if trends, err = h.ErrorGroups.ErrorGroupTrends(ctx, rest.ProjectOf(ctx), q, fingerprints); err != nil {
			return nil, err
		}
	}
	statuses, err := h.statusesOf(ctx, page)
	if err != nil {
		return nil, err
	}
	reported, err := h.groupReleases(ctx, ordered, page...)
	if err != nil {
		return nil, err
	}
	record := func(g models.GroupFigures) ErrorGroup {
		return errorGroup(g, ordered, reported, trends[g.Fingerprint], statuses[g.Fingerprint.String()])
	}
	list := rest.PageOf(ctx, found, in.Limit, record, func(last models.GroupFigures) (cursor, value string) {
		return "cursor", rest.CursorOf(placeOf(last, order))
	})
	if in.Count {
		list.Counted(&total)
	}
	return list, nil
}

// groupReleases returns the oldest and the newest release of each group.
func (h *Handlers) groupReleases(ctx context.Context, ordered errorgroup.Releases, groups ...models.GroupFigures) (releases.Reported, error) {
	var updates []string
	for _, g := range groups {
		first, last := ordered.Ends(g.Seen)
		updates = append(updates, first, last)
	}
	return releases.ReportedOf(ctx, h.Names, h.Snapshots, updates...)
}

// orderedReleases returns the releases of the project, to find the states of the given number of groups.
func (h *Handlers) orderedReleases(ctx context.Context, groups int) (r errorgroup.Releases, err error) {
	if groups == 0 {
		return r, nil
	}
	places, err := h.ReleasePlaces.ReleasePlaces(ctx, rest.ProjectOf(ctx))
	if err != nil {
		return r, err
	}
	ran, err := h.ErrorGroups.RunUpdates(ctx, rest.ProjectOf(ctx))
	return errorgroup.NewReleases(places, ran), err
}

// mentions reports whether a group contains the text, ignoring case.
func mentions(g models.GroupFigures, text string) bool {
	return text == "" || strings.Contains(strings.ToLower(g.ErrorName+"\x00"+g.Title+"\x00"+g.Culprit), strings.ToLower(text))
}

type getGroupInput struct {
	Fingerprint string `path:"fingerprint" maxLength:"64" doc:"Fingerprint of the group." example:"9f86d081884c7d65"`
	GroupWindow
}

func (h *Handlers) getErrorGroup(ctx context.Context, in *getGroupInput) (*rest.Output[ErrorGroupDetail], error) {
	fingerprint, err := models.ParseFingerprint(in.Fingerprint)
	if err != nil {
		return nil, err
	}
	q, err := in.query(h.Now(), groupWindow)
	if err != nil {
		return nil, err
	}
	q.Fingerprint = fingerprint
	found, err := h.ErrorGroups.ErrorGroups(ctx, rest.ProjectOf(ctx), q, h.Now())
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, models.Errorf(models.CodeNotFound, "the window does not contain an error group %s", fingerprint)
	}
	ordered, err := h.orderedReleases(ctx, len(found))
	if err != nil {
		return nil, err
	}
	trends, err := h.ErrorGroups.ErrorGroupTrends(ctx, rest.ProjectOf(ctx), q, []models.Fingerprint{fingerprint})
	if err != nil {
		return nil, err
	}
	detail, err := h.ErrorGroups.ErrorGroupDetail(ctx, rest.ProjectOf(ctx), q, h.Now())
	if err != nil {
		return nil, err
	}
	statuses, err := h.statusesOf(ctx, found)
	if err != nil {
		return nil, err
	}
	status := statuses[fingerprint.String()]
	first, last := ordered.Ends(found[0].Seen)
	reported, err := releases.ReportedOf(ctx, h.Names, h.Snapshots, slices.Concat([]string{first, last},
		updatesOf(detail.ByUpdate, func(s models.GroupShare) string { return s.Value }), updatesOf(detail.Samples, updateOfEvent))...)
	if err != nil {
		return nil, err
	}
	out := ErrorGroupDetail{
		Tagged:     rest.Tagged{ETag: status.ETag(status.ID)},
		ErrorGroup: errorGroup(found[0], ordered, reported, trends[fingerprint], status), Frames: []StackFrame{},
	}
	out.ByUpdate = rest.Rendered(detail.ByUpdate, func(s models.GroupShare) GroupUpdate {
		return GroupUpdate{
			UpdateUUID: rest.ParsedUUID(s.Value), UpdateID: reported.ID(s.Value), Release: reported.Name(s.Value), Events: s.Events,
			Devices: s.Devices,
		}
	})
	out.ByPlatform = rest.Rendered(detail.ByPlatform, func(s models.GroupShare) GroupPlatform {
		return GroupPlatform{Platform: models.Platform(s.Value), Events: s.Events, Devices: s.Devices}
	})
	out.ByFlag = rest.Rendered(detail.ByFlag, func(s models.GroupShare) GroupFlag {
		return GroupFlag{FlagKey: s.Name, Variation: s.Value, Events: s.Events, Devices: s.Devices}
	})
	out.Samples = make([]EventDetail, len(detail.Samples))
	for i, e := range detail.Samples {
		if out.Samples[i], err = h.eventDetail(ctx, e, reported); err != nil {
			return nil, err
		}
	}
	if len(out.Samples) > 0 {
		out.Frames = out.Samples[0].Frames
	}
	return &rest.Output[ErrorGroupDetail]{Body: out}, nil
}

type getEventInput struct {
	ID string `path:"eventId" maxLength:"64" doc:"ID of the event." example:"3f2b1c9a-6f0e-4a6d-9a57-0d6f1c6d1b11-1"`
}

func (h *Handlers) getEvent(ctx context.Context, in *getEventInput) (*rest.Output[EventDetail], error) {
	report, index, ok := parseEventID(in.ID)
	if !ok {
		return nil, models.Errorf(models.CodeNotFound, "event %q does not exist", in.ID)
	}
	e, err := h.ErrorGroups.Event(ctx, rest.ProjectOf(ctx), report, index, h.Now())
	if err != nil {
		return nil, err
	}
	reported, err := releases.ReportedOf(ctx, h.Names, h.Snapshots, e.UpdateUUID)
	if err != nil {
		return nil, err
	}
	record, err := h.eventDetail(ctx, e, reported)
	return &rest.Output[EventDetail]{Body: record}, err
}

func (h *Handlers) eventDetail(ctx context.Context, e models.TelemetryEvent, reported releases.Reported) (EventDetail, error) {
	frames, err := h.Stacks.Frames(ctx, rest.ProjectOf(ctx), e)
	return EventDetail{telemetryEvent(e, reported), rest.Rendered(frames, stackFrame)}, err
}
