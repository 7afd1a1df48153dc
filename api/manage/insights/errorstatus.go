package insights

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// ErrorStatuses stores what people decided about error groups.
type ErrorStatuses interface {
	// ErrorGroupStatuses returns the statuses by fingerprint. Groups that no person has changed are missing.
	ErrorGroupStatuses(ctx context.Context, projectID int64, fingerprints []string) (map[string]models.ErrorGroupStatus, error)
	UpdateErrorGroup(
		ctx context.Context, projectID int64, actor models.Actor, g models.GroupToChange, patch models.ErrorGroupPatch,
	) (models.ErrorGroupStatus, error)
}

var patchGroupDoc = rest.Doc(TagTelemetry, "patchErrorGroup", "Assign, resolve or reopen an error group",
	"Fields that are absent keep their value. A resolved group becomes regressed if a device reports it on a newer release than "+
		"the releases that had it when it was resolved. Releases are ordered by their creation on each platform, so reports from older "+
		"releases do not matter. On a platform that did not have the group, releases after resolvedAt are newer. Webhooks get "+
		"error_group.regressed.", http.StatusNotFound)

// ErrorGroupStatus contains the decisions of people about an error group.
type ErrorGroupStatus struct {
	Status              models.ErrorStatus `json:"status" enum:"open,resolved,regressed" doc:"open: the group is not resolved. regressed: the group was resolved, and a newer release has it."`
	AssigneeID          *int64             `json:"assigneeId" nullable:"true" doc:"User ID of the member who works on the group; null for nobody."`
	AssigneeName        *string            `json:"assigneeName" nullable:"true" doc:"Name of the assignee, or the email address without a name; null for nobody."`
	Note                string             `json:"note" doc:"Note about the group."`
	ResolvedAt          *rest.Time         `json:"resolvedAt" nullable:"true" doc:"Time at which the group was resolved; null while it is open."`
	ResolvedBy          *string            `json:"resolvedBy" nullable:"true" doc:"Name of the person or key that resolved the group; null while it is open."`
	RegressedAt         *rest.Time         `json:"regressedAt" nullable:"true" doc:"Time at which Waft saw the resolved group on a newer release; null unless it is regressed."`
	RegressedUpdateUUID *uuid.UUID         `json:"regressedUpdateUuid" nullable:"true" format:"uuid" doc:"Update ID of that release; null unless the group is regressed."`
}

func errorStatus(s models.ErrorGroupStatus) ErrorGroupStatus {
	out := ErrorGroupStatus{
		Status: s.Status(), AssigneeID: s.AssigneeID, Note: s.Note, ResolvedAt: rest.TimeOrNull(s.ResolvedAt), ResolvedBy: s.ResolvedBy,
		RegressedAt: rest.TimeOrNull(s.RegressedAt),
	}
	if s.AssigneeID != nil {
		name := s.AssigneeName
		if name == "" {
			name = s.AssigneeEmail
		}
		out.AssigneeName = &name
	}
	if s.RegressedUpdate != nil {
		out.RegressedUpdateUUID = rest.ParsedUUID(*s.RegressedUpdate)
	}
	return out
}

// ChangedErrorGroup is the status of an error group after a change.
type ChangedErrorGroup struct {
	rest.Tagged
	Fingerprint string `json:"fingerprint"`
	ErrorGroupStatus
}

func (ChangedErrorGroup) Example() any {
	return ChangedErrorGroup{
		Fingerprint: "9f86d081884c7d65", ErrorGroupStatus: ErrorGroupStatus{
			Status: models.ErrorOpen, AssigneeID: new(int64(7)), AssigneeName: new("Ada"), Note: "The price of a gift card is missing",
		},
	}
}

type patchGroupBody struct {
	AssigneeID rest.Patch[int64]  `json:"assigneeId,omitzero" nullable:"true" minimum:"1" doc:"User ID of a member who works on the group; null for nobody."`
	Resolved   rest.Patch[bool]   `json:"resolved,omitzero" doc:"true resolves the group, and resolves a regressed group again. false opens it again."`
	Note       rest.Patch[string] `json:"note,omitzero" nullable:"true" doc:"Note about the group; null clears it."`
}

func (b patchGroupBody) Model() (models.ErrorGroupPatch, models.Problems) {
	var p models.Problems
	return models.ErrorGroupPatch{
		Assignee: b.AssigneeID.Nullable(), Resolved: b.Resolved.NotNull(&p, "resolved"), Note: rest.Cleared(b.Note),
	}, p
}

func (b patchGroupBody) Resolve(huma.Context) []error { return rest.PatchErrors(b.Model()) }

func (patchGroupBody) Example() any {
	return patchGroupBody{Resolved: rest.PatchTo(true), Note: rest.PatchTo("Fixed in 2.4.1")}
}

type patchGroupInput struct {
	Fingerprint string `path:"fingerprint" maxLength:"64" doc:"Fingerprint of the group." example:"9f86d081884c7d65"`
	Body        patchGroupBody
}

func (h *Handlers) patchErrorGroup(ctx context.Context, in *patchGroupInput) (*rest.Output[ChangedErrorGroup], error) {
	fingerprint, err := models.ParseFingerprint(in.Fingerprint)
	if err != nil {
		return nil, err
	}
	if fingerprint == models.OtherErrors {
		return nil, models.Errorf(models.CodeInvalid, "the group (other) has errors of many causes, so it cannot be assigned or resolved")
	}
	now := h.Now()
	q := models.GroupQuery{From: now.Add(-groupsKept), To: now, Fingerprint: fingerprint}
	found, err := h.ErrorGroups.ErrorGroups(ctx, rest.ProjectOf(ctx), q, now)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, models.Errorf(models.CodeNotFound, "error group %s does not exist", fingerprint)
	}
	ordered, err := h.orderedReleases(ctx, len(found))
	if err != nil {
		return nil, err
	}
	g := models.GroupToChange{
		Fingerprint: fingerprint, ErrorName: found[0].ErrorName, Message: found[0].Title, LastAt: found[0].LastAt,
		Newest: ordered.Newest(found[0].Seen),
	}
	patch, _ := in.Body.Model() // Resolve has already rejected a body with problems
	s, err := h.ErrorStatuses.UpdateErrorGroup(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), g, patch)
	if err != nil {
		return nil, err
	}
	return &rest.Output[ChangedErrorGroup]{Body: ChangedErrorGroup{
		Tagged: rest.Tagged{ETag: s.ETag(s.ID)}, Fingerprint: fingerprint.String(), ErrorGroupStatus: errorStatus(s),
	}}, nil
}

// StatusFilter selects error groups by what people decided about them.
type StatusFilter struct {
	Status   models.ErrorStatus `query:"status" enum:"open,resolved,regressed" doc:"Status of the groups."`
	Assignee string             `query:"assignee" maxLength:"20" pattern:"^(me|none|[1-9][0-9]*)$" doc:"Assignee of the groups: a user ID, me for the signed-in person, or none."`
}

// selecting reports whether the filter needs the statuses of all groups.
func (f StatusFilter) selecting() bool { return f.Status != "" || f.Assignee != "" }

// matcher returns a function that reports whether a status passes the filter.
func (f StatusFilter) matcher(ctx context.Context) (func(models.ErrorGroupStatus) bool, error) {
	var assignee int64
	switch person := rest.CallOf(ctx).Caller.Person; f.Assignee {
	case "", "none":
	case "me":
		if person == nil {
			var p models.Problems
			p.Add("assignee", "can be me only for a signed-in person; name a user ID")
			return nil, p.Err()
		}
		assignee = person.User.ID
	default:
		assignee, _ = strconv.ParseInt(f.Assignee, 10, 64) // an ID that is too large has no groups
	}
	return func(s models.ErrorGroupStatus) bool {
		isAssigned := f.Assignee == "" || f.Assignee == "none" && s.AssigneeID == nil || s.AssigneeID != nil && *s.AssigneeID == assignee
		return isAssigned && (f.Status == "" || s.Status() == f.Status)
	}, nil
}

// withStatus returns the groups that pass the filter.
func (h *Handlers) withStatus(ctx context.Context, f StatusFilter, groups []models.GroupFigures) ([]models.GroupFigures, error) {
	matches, err := f.matcher(ctx)
	if err != nil || !f.selecting() {
		return groups, err
	}
	statuses, err := h.statusesOf(ctx, groups)
	return slices.DeleteFunc(groups, func(g models.GroupFigures) bool { return !matches(statuses[g.Fingerprint.String()]) }), err
}

// statusesOf returns the statuses of the groups by fingerprint.
func (h *Handlers) statusesOf(ctx context.Context, groups []models.GroupFigures) (map[string]models.ErrorGroupStatus, error) {
	fingerprints := make([]string, len(groups))
	for i, g := range groups {
		fingerprints[i] = g.Fingerprint.String()
	}
	return h.ErrorStatuses.ErrorGroupStatuses(ctx, rest.ProjectOf(ctx), fingerprints)
}
