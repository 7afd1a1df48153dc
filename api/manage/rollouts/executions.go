package rollouts

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Executions stores rollouts.
type Executions interface {
	ListExecutions(
		ctx context.Context, projectID int64, filter models.ExecutionFilter, page models.Page,
	) ([]models.RolloutExecution, error)
	// Execution fills Timeline.
	Execution(ctx context.Context, projectID, id int64) (models.RolloutExecution, error)
	// RollBackExecution rolls back an open rollout.
	RollBackExecution(
		ctx context.Context, projectID int64, actor models.Actor, id int64, r models.ExecutionRollback,
	) (models.RolloutExecution, error)
	// RolloutSubject reads an execution with its release.
	RolloutSubject(ctx context.Context, projectID, id int64) (models.RolloutSubject, error)
	// ApplyExecutionChange applies one step of a rollout, as its workflow does.
	ApplyExecutionChange(ctx context.Context, c models.ExecutionChange) (models.RolloutExecution, error)
	// ExecutionID finds an execution by its workflow id.
	ExecutionID(ctx context.Context, projectID int64, workflowID string) (int64, error)
}

var (
	listExecutionsDoc = rest.Doc(tagExecutions, "listRolloutExecutions", "List rollouts",
		"Running, paused and ended rollouts. A rollout must match all given filters.")
	startExecutionDoc = rest.Doc(tagExecutions, "startRolloutExecution", "Start a rollout",
		"Rolls a release out by a policy. A release has one rollout at a time (rollout_in_progress), and none while "+
			"a newer one is for every device. Publishing with rolloutPolicyId does the same.",
		http.StatusCreated, http.StatusNotFound)
	getExecutionDoc = rest.Doc(tagExecutions, "getRolloutExecution", "Get a rollout", "The rollout and its timeline.")
)

type listExecutionsInput struct {
	rest.PageQuery
	Status   models.ExecutionStatus `query:"status" enum:"running,paused,completed,rolled_back,cancelled" doc:"Only rollouts of this status."`
	Channel  string                 `query:"channel" doc:"Only rollouts of releases that were published to this channel."`
	UpdateID int64                  `query:"updateId" minimum:"1" doc:"Only rollouts of this release."`
	PolicyID int64                  `query:"policyId" minimum:"1" doc:"Only rollouts by this policy."`
}

func (h *Handlers) listExecutions(ctx context.Context, in *listExecutionsInput) (*rest.List[RolloutExecution], error) {
	filter := models.ExecutionFilter{Status: in.Status, Channel: in.Channel, UpdateID: in.UpdateID, PolicyID: in.PolicyID}
	return rest.Listed(ctx, in.PageQuery, ExecutionRecord, func(p models.Page) ([]models.RolloutExecution, error) {
		return h.Executions.ListExecutions(ctx, rest.ProjectOf(ctx), filter, p)
	})
}

type startExecutionBody struct {
	PolicyID int64 `json:"policyId" minimum:"1" doc:"The policy to roll out by."`
	UpdateID int64 `json:"updateId" minimum:"1" doc:"The release to roll out."`
}

func (startExecutionBody) Example() any { return startExecutionBody{PolicyID: 8, UpdateID: 17} }

func (h *Handlers) startExecution(ctx context.Context, in *rest.BodyInput[startExecutionBody]) (*rest.Output[RolloutExecution], error) {
	e, err := operations.Do(ctx, h.Operations, operations.StartRollout, rest.AuthorOf(ctx), operations.NewRollout(in.Body))
	return &rest.Output[RolloutExecution]{Body: ExecutionRecord(e)}, err
}

// RolloutExecution is one run of a policy for one release.
type RolloutExecution struct {
	ID             int64                   `json:"id"`
	PolicyID       *int64                  `json:"policyId" doc:"Null once the policy is deleted."`
	PolicyName     string                  `json:"policyName"`
	UpdateID       int64                   `json:"updateId"`
	UpdateUUID     uuid.UUID               `json:"updateUuid" format:"uuid"`
	GroupID        uuid.UUID               `json:"groupId" format:"uuid"`
	Channel        *string                 `json:"channel"`
	Platform       models.Platform         `json:"platform" enum:"ios,android"`
	RuntimeVersion string                  `json:"runtimeVersion"`
	Status         models.ExecutionStatus  `json:"status" enum:"running,paused,completed,rolled_back,cancelled"`
	StageIndex     int                     `json:"stageIndex" doc:"Counts from 0."`
	StageCount     int                     `json:"stageCount"`
	Stages         []Stage                 `json:"stages" doc:"The policy's stages as they were at the start."`
	Thresholds     Thresholds              `json:"thresholds" doc:"The policy's limits as they were at the start."`
	Schedule       Schedule                `json:"schedule" doc:"The policy's schedule as it was at the start."`
	Percentage     float64                 `json:"percentage" doc:"Share of devices that get the release now."`
	WaitingFor     rest.OrNull[WaitReason] `json:"waitingFor" doc:"What the stage waits for, null for nothing."`
	Reason         string                  `json:"reason" doc:"Why the rollout is in this state, as a sentence."`
	StartedAt      rest.Time               `json:"startedAt"`
	StageStartedAt rest.Time               `json:"stageStartedAt"`
	PausedAt       *rest.Time              `json:"pausedAt" nullable:"true"`
	EndedAt        *rest.Time              `json:"endedAt" nullable:"true"`
	Health         rest.OrNull[Health]     `json:"health" doc:"The last observation, null before the first."`
	LinkedFlags    []releases.LinkedFlag   `json:"linkedFlags"`
	WorkflowID     string                  `json:"workflowId" doc:"The Temporal workflow that drives it."`
	RunID          string                  `json:"runId"`
	Timeline       []RolloutEvent          `json:"timeline" doc:"What happened, oldest first."`
}

// Health is what devices reported of a release since its rollout began.
type Health struct {
	Devices        int64          `json:"devices" doc:"Devices that sent a report with the release, were served it by Waft, and are inside its share."`
	Launches       int64          `json:"launches"`
	ErroredDevices int64          `json:"erroredDevices" doc:"Of those, devices with an error or a crash."`
	CrashedDevices int64          `json:"crashedDevices" doc:"Of those, devices with a crash."`
	ErrorRate      float64        `json:"errorRate" doc:"Percent of devices with an error or a crash."`
	CrashRate      float64        `json:"crashRate" doc:"Percent of devices with a crash."`
	Votes          Votes          `json:"votes" doc:"What is compared with thresholds, unless the policy's minNetworks is 1."`
	Events         []EventHealth  `json:"events" doc:"The custom events that the policy limits."`
	Evidence       float64        `json:"evidence" doc:"The e-value of the sequential test against a threshold, without the most affected networks: 1 is no evidence."`
	CheckedAt      rest.Time      `json:"checkedAt"`
	IgnoredDevices int64          `json:"ignoredDevices" doc:"Devices that sent a report with the release and are not counted above."`
	IgnoredReasons IgnoredDevices `json:"ignoredReasons" doc:"The ignored devices by reason."`
}

// Votes are the votes of the networks that the devices are in. A network's vote is its affected devices divided by its counted
// devices, times its weight.
type Votes struct {
	Networks    int64   `json:"networks" doc:"Networks with at least one counted device."`
	Allocations int64   `json:"allocations" doc:"Allocations (IPv4 /16, IPv6 /32) of these networks; 0 in health from before allocations were counted."`
	Weight      int64   `json:"weight" doc:"What the networks weigh together. Each network weighs 1, but the networks of one allocation at most the policy's allocationVotes together."`
	Errored     float64 `json:"errored" doc:"Sum of the votes on errors, 0 to weight."`
	Crashed     float64 `json:"crashed" doc:"Sum of the votes on crashes, 0 to weight."`
}

// IgnoredDevices are devices whose reports do not count in decisions.
type IgnoredDevices struct {
	NotServed   int64 `json:"notServed" doc:"Devices that Waft never served the release; their reports may be forged."`
	NotInShare  int64 `json:"notInShare" doc:"Devices that were served the release and are outside its share."`
	RateLimited int64 `json:"rateLimited" doc:"Devices of which every report exceeded the rate limit (429); a lower bound."`
}

// WaitReason is what a stage waits for.
type WaitReason models.WaitReason

func (WaitReason) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{
		models.WaitDuration, models.WaitDevices, models.WaitThreshold, models.WaitData, models.WaitNetworks, models.WaitResume,
	}}
}

// RolloutEvent is one entry of an execution's timeline.
type RolloutEvent struct {
	At         rest.Time               `json:"at"`
	Event      models.RolloutEventKind `json:"event" enum:"started,stage_advanced,paused,resumed,held,completed,cancelled,rolled_back,flags_reverted"`
	Actor      string                  `json:"actor" doc:"system, or the name of the key that gave a command."`
	FromStage  int                     `json:"fromStage"`
	ToStage    int                     `json:"toStage"`
	Percentage float64                 `json:"percentage"`
	Reason     string                  `json:"reason"`
	Health     rest.OrNull[Health]     `json:"health" doc:"The observation at that time, null if there was none."`
}

// ExecutionRecord is the record of a rollout.
func ExecutionRecord(e models.RolloutExecution) RolloutExecution {
	record := RolloutExecution{
		ID: e.ID, PolicyID: e.PolicyID, PolicyName: e.PolicyName, UpdateID: e.UpdateID, UpdateUUID: e.UpdateUUID,
		GroupID: e.GroupID, Channel: e.Channel, Platform: e.Platform, RuntimeVersion: e.RuntimeVersion,
		Status: e.Status, StageIndex: e.StageIndex, StageCount: len(e.Stages), Stages: rest.Rendered(e.Stages, stageRecord),
		Thresholds: thresholdsRecord(e.Thresholds), Schedule: scheduleRecord(e.Schedule), Percentage: e.Percentage, Reason: e.Reason,
		StartedAt: rest.Time{Time: e.StartedAt}, StageStartedAt: rest.Time{Time: e.StageStartedAt}, PausedAt: rest.TimeOrNull(e.PausedAt),
		EndedAt: rest.TimeOrNull(e.EndedAt), Health: healthRecord(e.Health), LinkedFlags: rest.Rendered(e.LinkedFlags, releases.LinkedFlagRecord),
		WorkflowID: e.WorkflowID, RunID: e.RunID, Timeline: rest.Rendered(e.Timeline, eventRecord),
	}
	if e.WaitingFor != "" {
		record.WaitingFor = rest.Present(WaitReason(e.WaitingFor))
	}
	return record
}

func eventRecord(e models.RolloutEvent) RolloutEvent {
	return RolloutEvent{
		At: rest.Time{Time: e.At}, Event: e.Event, Actor: e.Actor, FromStage: e.FromStage, ToStage: e.ToStage,
		Percentage: e.Percentage, Reason: e.Reason, Health: healthRecord(e.Health),
	}
}

func healthRecord(h *models.Observation) rest.OrNull[Health] {
	if h == nil {
		return rest.OrNull[Health]{}
	}
	return rest.Present(Health{
		Devices: h.Devices, Launches: h.Launches, ErroredDevices: h.ErroredDevices, CrashedDevices: h.CrashedDevices,
		ErrorRate: rest.Percent(h.ErrorRate), CrashRate: rest.Percent(h.CrashRate), Evidence: h.Evidence, CheckedAt: rest.Time{Time: h.CheckedAt},
		Votes: Votes{
			Networks: h.Votes.Networks, Allocations: h.Votes.Allocations, Weight: h.Votes.Total(),
			Errored: rest.Percent(h.Votes.Errored.Sum), Crashed: rest.Percent(h.Votes.Crashed.Sum),
		},
		Events:         rest.Rendered(h.Events, eventHealthRecord),
		IgnoredDevices: h.IgnoredDevices(),
		IgnoredReasons: IgnoredDevices{
			NotServed: h.NotServedDevices, NotInShare: h.NotInShareDevices, RateLimited: h.RateLimitedDevices,
		},
	})
}

func (RolloutExecution) Example() any {
	health := rest.Present(Health{
		Devices: 231, Launches: 540, ErroredDevices: 2, ErrorRate: 0.866, Votes: Votes{Networks: 187, Errored: 1.5}, Evidence: 0.4,
		CheckedAt:      rest.ExampleTime,
		Events:         exampleEventHealth(),
		IgnoredDevices: 3, IgnoredReasons: IgnoredDevices{NotServed: 2, NotInShare: 1},
	})
	return RolloutExecution{
		ID: 21, PolicyID: new(int64(8)), PolicyName: "Careful", UpdateID: 17, UpdateUUID: uuid.MustParse(rest.ExampleUUID),
		GroupID: uuid.MustParse(rest.ExampleUUID), Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0",
		Status: models.ExecutionRunning, StageCount: len(exampleStages()), Stages: exampleStages(),
		Thresholds: exampleThresholds(), Schedule: scheduleRecord(models.Schedule{}), Percentage: 5,
		WaitingFor: rest.Present(WaitReason(models.WaitDuration)),
		Reason:     "5 % of devices for 60 minutes", StartedAt: rest.ExampleTime, StageStartedAt: rest.ExampleTime, Health: health,
		LinkedFlags: []releases.LinkedFlag{}, WorkflowID: "rollout/demo/21", RunID: rest.ExampleUUID,
		Timeline: []RolloutEvent{{
			At: rest.ExampleTime, Event: models.EventStarted, Actor: "ci", Percentage: 5, Reason: "the rollout began",
		}},
	}
}

var rollbackExecutionDoc = rest.Doc(tagExecutions, "rollbackRolloutExecution", "Roll back a rollout",
	"The scope says how much is reverted: one linked flag, the release, or every release of the channel's branch that is newer "+
		"than the last one for every device. The change is made in the database at once and needs no running worker. "+
		"Answers the rollout after the rollback.")

type rollbackExecutionBody struct {
	Scope  models.ExecutionRollbackScope `json:"scope" enum:"flag,release,channel" doc:"How much is reverted. With flag the rollout continues: its stage starts again and only later reports count."`
	FlagID *int64                        `json:"flagId,omitempty" minimum:"1" doc:"The linked flag, with the scope flag."`
	Reason string                        `json:"reason,omitempty" maxLength:"1024" doc:"Why, for the timeline and the audit log."`
}

func (b rollbackExecutionBody) Resolve(huma.Context) []error {
	return rest.BodyErrors(models.ExecutionRollback(b).Validate())
}

func (rollbackExecutionBody) Example() any {
	return rollbackExecutionBody{Scope: models.RollbackRelease, Reason: "checkout is broken"}
}

func (h *Handlers) rollBackExecution(ctx context.Context, in *rest.IDBodyInput[rollbackExecutionBody]) (*rest.Output[RolloutExecution],
	error) {
	e, err := h.Executions.RollBackExecution(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, models.ExecutionRollback(in.Body))
	return &rest.Output[RolloutExecution]{Body: ExecutionRecord(e)}, err
}

func (r RolloutExecution) RecordID() int64 { return r.ID }

// executionIdentifier lets a path name a rollout by its workflow id.
func executionIdentifier(executions Executions) *rest.Identifier {
	return &rest.Identifier{Find: func(ctx context.Context, projectID int64, text string) (int64, error) {
		if !strings.Contains(text, "/") { // every workflow id has one
			return 0, nil
		}
		return executions.ExecutionID(ctx, projectID, text)
	}, Param: executionParam}
}

var executionParam = rest.IdentifierParam("Id of the rollout, or its workflowId; write a slash in that as %2F.",
	&huma.Schema{Type: huma.TypeString, Examples: []any{"rollout/demo/21"}})
