package flags

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Schedules stores changes of flags that are made later.
type Schedules interface {
	ListFlagSchedules(
		ctx context.Context, projectID, flagID int64, status models.FlagScheduleStatus, page models.Page,
	) ([]models.FlagSchedule, error)
	// CancelFlagSchedule fails with invalid_transition unless the change still waits.
	CancelFlagSchedule(ctx context.Context, projectID int64, actor models.Actor, flagID, id int64) error
}

var (
	scheduleFlagDoc = rest.Doc(tagFlags, "scheduleFlag", "Schedule a change of a feature flag",
		"Saves the whole flag at a later time, in the name of the caller. The change is checked now, and asks for approval now if it "+
			"needs one. Waft makes the change only if the flag still has the ETag that it had when the change was scheduled. "+
			"The caller must still have the role, the project must not be stopped, and at most an hour may have passed. "+
			"If-Match is required.",
		http.StatusCreated, http.StatusConflict)
	listFlagSchedulesDoc = rest.Doc(tagFlags, "listFlagSchedules", "List the scheduled changes of a feature flag",
		"Returns changes that wait and changes that have ended. Waft keeps the newest 200 of each flag.")
	cancelFlagScheduleDoc = rest.Doc(tagFlags, "cancelFlagSchedule", "Cancel a scheduled change of a feature flag",
		"A change that has ended cannot be cancelled.", http.StatusConflict)
)

type scheduleFlagBody struct {
	At   time.Time    `json:"at" doc:"Time of the change, in the future and at most one year from now."`
	Body saveFlagBody `json:"body" doc:"The whole flag after the change, as for PUT."`
}

func (b scheduleFlagBody) Model() models.NewFlagSchedule {
	return models.NewFlagSchedule{At: b.At, Body: b.Body.Model()}
}

func (b scheduleFlagBody) Resolve(huma.Context) []error { return rest.BodyErrors(b.Model().Validate()) }

func (scheduleFlagBody) Example() any {
	return scheduleFlagBody{At: time.Date(2026, 3, 15, 9, 0, 0, 0, time.UTC), Body: saveFlagBody{}.Example().(saveFlagBody)}
}

func (h *Handlers) scheduleFlag(ctx context.Context, in *rest.IDBodyInput[scheduleFlagBody]) (*rest.Output[FlagSchedule], error) {
	s, err := operations.Do(ctx, h.Operations, operations.ScheduleFlag, rest.AuthorOf(ctx),
		operations.Of[models.NewFlagSchedule]{ID: in.ID, Change: in.Body.Model()})
	return &rest.Output[FlagSchedule]{Body: scheduleRecord(s)}, err
}

type listSchedulesInput struct {
	rest.IDPath
	rest.PageQuery
	Status models.FlagScheduleStatus `query:"status" enum:"pending_approval,scheduled,applied,cancelled,rejected,unapproved,stale,failed" doc:"Only changes with this status."`
}

func (h *Handlers) listFlagSchedules(ctx context.Context, in *listSchedulesInput) (*rest.List[FlagSchedule], error) {
	record := func(s models.FlagSchedule) FlagSchedule {
		record := scheduleRecord(s)
		record.WorkflowURL = h.TemporalUI.Link(ctx, s.WorkflowID, "")
		return record
	}
	return rest.Listed(ctx, in.PageQuery, record, func(p models.Page) ([]models.FlagSchedule, error) {
		return h.Schedules.ListFlagSchedules(ctx, rest.ProjectOf(ctx), in.ID, in.Status, p)
	})
}

type schedulePath struct {
	rest.IDPath
	ScheduleID int64 `path:"scheduleId" minimum:"1" doc:"ID of the scheduled change." example:"71"`
}

func (h *Handlers) cancelFlagSchedule(ctx context.Context, in *schedulePath) (*struct{}, error) {
	return nil, h.Schedules.CancelFlagSchedule(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, in.ScheduleID)
}

// ScheduledBy identifies the person or key that scheduled a change.
type ScheduledBy struct {
	Type models.ActorType `json:"type" enum:"api_key,user"`
	ID   string           `json:"id" doc:"ID of the user or of the API key; root for the root key."`
	Name string           `json:"name" doc:"Email address of the user, or name of the key."`
}

// FlagSchedule is a change of a flag that Waft makes at a later time.
type FlagSchedule struct {
	ID          int64                     `json:"id"`
	FlagID      int64                     `json:"flagId"`
	FlagKey     string                    `json:"flagKey"`
	At          rest.Time                 `json:"at" doc:"Time of the change."`
	Status      models.FlagScheduleStatus `json:"status" enum:"pending_approval,scheduled,applied,cancelled,rejected,unapproved,stale,failed" doc:"Status of the change. unapproved: not approved by its time. stale: the flag was changed or deleted before. failed: Waft could not make the change."`
	Summary     string                    `json:"summary" doc:"Description of what the change does to the flag."`
	Body        saveFlagBody              `json:"body" doc:"The whole flag after the change."`
	IsOutdated  bool                      `json:"isOutdated" doc:"Whether the flag was changed after this change was scheduled. A change that is outdated at its time becomes stale."`
	Error       *string                   `json:"error" nullable:"true" doc:"Reason why the change was not made; otherwise null."`
	ApprovalID  *int64                    `json:"approvalId" nullable:"true" doc:"ID of the approval that the change needs or needed; otherwise null."`
	ScheduledBy ScheduledBy               `json:"scheduledBy" doc:"Person or key in whose name the change is made."`
	WorkflowID  string                    `json:"workflowId" doc:"ID of the waiting Temporal workflow."`
	WorkflowURL *string                   `json:"workflowUrl" nullable:"true" doc:"URL of the workflow in Temporal's web UI. Only listFlagSchedules returns it, and only to editors and admins, if the installation sets WAFT_TEMPORAL_UI_URL; otherwise null."`
	CreatedAt   rest.Time                 `json:"createdAt"`
	EndedAt     *rest.Time                `json:"endedAt" nullable:"true" doc:"Time at which the status became final; null until then."`
}

func (s FlagSchedule) RecordID() int64 { return s.ID }

func scheduleRecord(s models.FlagSchedule) FlagSchedule {
	return FlagSchedule{
		ID: s.ID, FlagID: s.FlagID, FlagKey: s.FlagKey, At: rest.Time{Time: s.At}, Status: s.Status, Summary: s.Summary,
		Body: savedBody(s.Body), IsOutdated: s.IsOutdated && s.Status.Open(), Error: rest.SomeOrNull(s.Error), ApprovalID: s.ApprovalID,
		ScheduledBy: ScheduledBy{s.AuthorType, s.AuthorID, s.AuthorName}, WorkflowID: s.WorkflowID,
		CreatedAt: rest.Time{Time: s.CreatedAt}, EndedAt: rest.TimeOrNull(s.EndedAt),
	}
}

func (FlagSchedule) Example() any {
	body := saveFlagBody{}.Example().(saveFlagBody)
	return FlagSchedule{
		ID: 71, FlagID: 31, FlagKey: "new-checkout", At: rest.ExampleTime, Status: models.ScheduleScheduled,
		Summary: "enabled from no to yes", Body: body, ScheduledBy: ScheduledBy{models.ActorUser, "7", "ada@example.com"},
		WorkflowID: "flag-schedule/demo/71", CreatedAt: rest.ExampleTime,
	}
}

// savedBody returns the content of a flag as the body that saves it.
func savedBody(s models.FlagSave) saveFlagBody {
	return saveFlagBody{
		Name: s.Name, Description: s.Description, Enabled: s.Enabled, DefaultValue: rest.FlagValue{RawMessage: s.DefaultValue},
		Variations: rest.Rendered(s.Variations, func(v models.NewVariation) variationBody { return variationBody(v) }),
		Rules: rest.Rendered(s.Rules, func(r models.RuleSave) savedRuleBody {
			config := ruleConfigRecord(r.Config)
			for i, share := range r.Config.Rollout { // a share names its variation by ID or by value
				if share.VariationID == 0 {
					config.Rollout[i].VariationID = nil
				}
				if !share.HasValue {
					config.Rollout[i].VariantValue = nil
				}
			}
			return savedRuleBody{
				ID: r.ID, RuleType: r.RuleType, RuleConfig: config, VariantValue: r.VariantValue, ChannelName: r.ChannelName,
			}
		}),
		Environments: rest.Rendered(s.Environments, func(e models.EnvironmentSave) savedEnvironmentBody {
			return savedEnvironmentBody{ChannelName: e.ChannelName, Enabled: e.Enabled, DefaultValue: rest.FlagValue{RawMessage: e.DefaultValue}}
		}),
	}
}
