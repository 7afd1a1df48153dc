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
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// Executions stores rollouts.
type Executions interface {
	ListExecutions(
		ctx context.Context, projectID int64, filter models.ExecutionFilter, page models.Page,
	) ([]models.RolloutExecution, error)
	// Execution also fills in Timeline.
	Execution(ctx context.Context, projectID, id int64) (models.RolloutExecution, error)
	// RollBackExecution rolls back an open rollout.
	RollBackExecution(
		ctx context.Context, projectID int64, actor models.Actor, id int64, r models.ExecutionRollback,
	) (models.RolloutExecution, error)
	// RolloutSubject reads a rollout with its release.
	RolloutSubject(ctx context.Context, projectID, id int64) (models.RolloutSubject, error)
	// ApplyExecutionChange applies one step of a rollout, as its workflow does.
	ApplyExecutionChange(ctx context.Context, c models.ExecutionChange) (models.RolloutExecution, error)
	// ExecutionID finds a rollout by its workflow ID.
	ExecutionID(ctx context.Context, projectID int64, workflowID string) (int64, error)
}

var (
	listExecutionsDoc = rest.Doc(tagExecutions, "listRolloutExecutions", "List rollouts",
		"Returns the running, paused and ended rollouts that match all given filters.")
	startExecutionDoc = rest.Doc(tagExecutions, "startRolloutExecution", "Start a rollout",
		"Rolls a release out by a policy. A release has at most one rollout at a time (rollout_in_progress), and cannot have "+
			"any while a newer release is out for every device. Publishing with rolloutPolicyId does the same.",
		http.StatusCreated, http.StatusNotFound)
	getExecutionDoc = rest.Doc(tagExecutions, "getRolloutExecution", "Get a rollout", "Returns the rollout and its timeline.")
)

type listExecutionsInput struct {
	rest.ListQuery
	Status   models.ExecutionStatus `query:"status" enum:"running,paused,completed,rolled_back,cancelled" doc:"Status of the rollouts."`
	Channel  string                 `query:"channel" doc:"Channel that the releases were published to."`
	UpdateID int64                  `query:"updateId" minimum:"1" doc:"ID of the release."`
	PolicyID int64                  `query:"policyId" minimum:"1" doc:"ID of the policy."`
}

func (h *Handlers) listExecutions(ctx context.Context, in *listExecutionsInput) (*rest.List[RolloutExecution], error) {
	filter := models.ExecutionFilter{Status: in.Status, Channel: in.Channel, UpdateID: in.UpdateID, PolicyID: in.PolicyID}
	return rest.Listed(ctx, in.ListQuery, ExecutionRecord, func(p models.Page) ([]models.RolloutExecution, error) {
		return h.Executions.ListExecutions(ctx, rest.ProjectOf(ctx), filter, p)
	})
}

type startExecutionBody struct {
	PolicyID int64 `json:"policyId" minimum:"1" doc:"ID of the policy to roll out by."`
	UpdateID int64 `json:"updateId" minimum:"1" doc:"ID of the release to roll out."`
}

func (startExecutionBody) Example() any { return startExecutionBody{PolicyID: 8, UpdateID: 17} }

func (h *Handlers) startExecution(ctx context.Context, in *rest.BodyInput[startExecutionBody]) (*rest.Output[RolloutExecution], error) {
	e, err := operations.Do(ctx, h.Operations, operations.StartRollout, rest.AuthorOf(ctx), operations.NewRollout(in.Body))
	return &rest.Output[RolloutExecution]{Body: ExecutionRecord(e)}, err
}

// RolloutExecution is one run of a policy for one release.
type RolloutExecution struct {
	ID             int64                             `json:"id"`
	PolicyID       *int64                            `json:"policyId" doc:"ID of the policy; null once the policy is deleted."`
	PolicyName     string                            `json:"policyName"`
	UpdateID       int64                             `json:"updateId"`
	UpdateUUID     uuid.UUID                         `json:"updateUuid" format:"uuid"`
	GroupID        uuid.UUID                         `json:"groupId" format:"uuid"`
	ReleaseMessage string                            `json:"releaseMessage" doc:"Release notes of the release."`
	GitCommitHash  string                            `json:"gitCommitHash" doc:"Commit of the release; empty if the upload did not name it."`
	GitAuthor      string                            `json:"gitAuthor" doc:"Author of the commit; empty if the upload did not name them."`
	Channel        *string                           `json:"channel"`
	Platform       models.Platform                   `json:"platform" enum:"ios,android"`
	RuntimeVersion string                            `json:"runtimeVersion"`
	Status         models.ExecutionStatus            `json:"status" enum:"running,paused,completed,rolled_back,cancelled"`
	StageIndex     int                               `json:"stageIndex" doc:"Index of the stage, beginning at 0."`
	StageCount     int                               `json:"stageCount"`
	Stages         []Stage                           `json:"stages" doc:"Stages of the policy when the rollout started."`
	Thresholds     Thresholds                        `json:"thresholds" doc:"Thresholds of the policy when the rollout started."`
	Schedule       Schedule                          `json:"schedule" doc:"Schedule of the policy when the rollout started."`
	Percentage     float64                           `json:"percentage" doc:"Percentage of devices that get the release now."`
	WaitingFor     rest.OrNull[WaitReason]           `json:"waitingFor" doc:"Condition that the stage waits for; null if it does not wait."`
	Wait           rest.OrNull[TimedWait]            `json:"wait" doc:"Time that the rollout waits for while waitingFor is duration; null if it does not wait for a time."`
	Reason         string                            `json:"reason" doc:"Reason for the state of the rollout, as a sentence."`
	StartedAt      rest.Time                         `json:"startedAt"`
	StageStartedAt rest.Time                         `json:"stageStartedAt"`
	PausedAt       *rest.Time                        `json:"pausedAt" nullable:"true"`
	EndedAt        *rest.Time                        `json:"endedAt" nullable:"true"`
	Health         rest.OrNull[Health]               `json:"health" doc:"Last observation; null before the first observation."`
	LinkedFlags    []releases.LinkedFlag             `json:"linkedFlags"`
	Successor      rest.OrNull[releases.ReleaseName] `json:"successor" doc:"Release that devices got when the release was rolled back; null if the rollout was not rolled back, or no device had to change."`
	WorkflowID     string                            `json:"workflowId" doc:"ID of the Temporal workflow that drives the rollout."`
	RunID          string                            `json:"runId"`
	WorkflowURL    *string                           `json:"workflowUrl" nullable:"true" doc:"URL of the workflow in Temporal's web UI. Only getRolloutExecution returns it, and only to editors and admins, if the installation sets WAFT_TEMPORAL_UI_URL; otherwise null."`
	Timeline       []RolloutEvent                    `json:"timeline" doc:"Events of the rollout, oldest first."`
}

// Health counts what devices reported about a release since its rollout began.
type Health struct {
	Devices        int64          `json:"devices" doc:"Number of devices inside the rollout that Waft served the release and that sent a report with it."`
	Launches       int64          `json:"launches"`
	ErroredDevices int64          `json:"erroredDevices" doc:"Number of these devices with an error or a crash."`
	CrashedDevices int64          `json:"crashedDevices" doc:"Number of these devices with a crash."`
	ErrorRate      float64        `json:"errorRate" doc:"Percentage of devices with an error or a crash."`
	CrashRate      float64        `json:"crashRate" doc:"Percentage of devices with a crash."`
	Votes          Votes          `json:"votes" doc:"Votes that are compared with thresholds, unless the policy's minNetworks is 1."`
	Events         []EventHealth  `json:"events" doc:"Custom events for which the policy has thresholds."`
	Evidence       float64        `json:"evidence" doc:"E-value of the sequential test against a threshold, without the most affected networks; 1 stands for a lack of evidence."`
	CheckedAt      rest.Time      `json:"checkedAt"`
	IgnoredDevices int64          `json:"ignoredDevices" doc:"Number of devices that sent a report with the release and are not counted above."`
	IgnoredReasons IgnoredDevices `json:"ignoredReasons" doc:"Number of ignored devices by reason."`
}

// Votes are the votes of the devices' networks. A network's vote is the number of its affected devices divided by the
// number of its counted devices, times its weight.
type Votes struct {
	Networks    int64   `json:"networks" doc:"Number of networks with at least one counted device."`
	Allocations int64   `json:"allocations" doc:"Number of allocations (IPv4 /16, IPv6 /32) that these networks belong to; 0 in older records."`
	Weight      int64   `json:"weight" doc:"Total weight of the networks. Each network has weight 1, but the networks of one allocation have at most the policy's allocationVotes together."`
	Errored     float64 `json:"errored" doc:"Sum of the votes on errors, 0 to weight."`
	Crashed     float64 `json:"crashed" doc:"Sum of the votes on crashes, 0 to weight."`
}

// IgnoredDevices counts devices whose reports do not count in decisions.
type IgnoredDevices struct {
	NotServed   int64 `json:"notServed" doc:"Number of devices that Waft never served the release; their reports may be forged."`
	NotInShare  int64 `json:"notInShare" doc:"Number of devices that were served the release and are outside the rollout."`
	RateLimited int64 `json:"rateLimited" doc:"Number of devices whose reports all exceeded the rate limit (429); a lower bound."`
}

// WaitReason names the condition that a stage waits for.
type WaitReason models.WaitReason

func (WaitReason) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Enum: []any{
		models.WaitDuration, models.WaitDevices, models.WaitThreshold, models.WaitData, models.WaitNetworks, models.WaitResume,
	}}
}

// TimedWait is a time that a rollout waits for.
type TimedWait struct {
	Kind  rollout.WaitKind `json:"kind" enum:"start,freeze,stage" doc:"start: start of the first stage. freeze: end of the policy's freeze window. stage: end of the stage's minimum time."`
	Until rest.Time        `json:"until"`
}

// RolloutEvent is one entry of a rollout's timeline.
type RolloutEvent struct {
	At         rest.Time               `json:"at"`
	Event      models.RolloutEventKind `json:"event" enum:"started,stage_advanced,paused,resumed,held,completed,cancelled,rolled_back,flags_reverted"`
	Actor      string                  `json:"actor" doc:"Name of the key that gave a command, or system."`
	FromStage  int                     `json:"fromStage"`
	ToStage    int                     `json:"toStage"`
	Percentage float64                 `json:"percentage"`
	Reason     string                  `json:"reason"`
	HeldUntil  *rest.Time              `json:"heldUntil" nullable:"true" doc:"End of the freeze window that holds the rollout; null for other reasons."`
	RunsUntil  *rest.Time              `json:"runsUntil" nullable:"true" doc:"End of the stage's minimum time, when a hold ended before it; null for other reasons."`
	Health     rest.OrNull[Health]     `json:"health" doc:"Observation at that time; null if there was none."`
}

// ExecutionRecord returns the API's representation of a rollout.
func ExecutionRecord(e models.RolloutExecution) RolloutExecution {
	record := RolloutExecution{
		ID: e.ID, PolicyID: e.PolicyID, PolicyName: e.PolicyName, UpdateID: e.UpdateID, UpdateUUID: e.UpdateUUID,
		GroupID: e.GroupID, Channel: e.Channel, Platform: e.Platform, RuntimeVersion: e.RuntimeVersion,
		ReleaseMessage: e.ReleaseMessage, GitCommitHash: e.GitCommitHash, GitAuthor: e.GitAuthor,
		Status: e.Status, StageIndex: e.StageIndex, StageCount: len(e.Stages), Stages: rest.Rendered(e.Stages, stageRecord),
		Thresholds: thresholdsRecord(e.Thresholds), Schedule: scheduleRecord(e.Schedule), Percentage: e.Percentage, Reason: e.Reason,
		StartedAt: rest.Time{Time: e.StartedAt}, StageStartedAt: rest.Time{Time: e.StageStartedAt}, PausedAt: rest.TimeOrNull(e.PausedAt),
		EndedAt: rest.TimeOrNull(e.EndedAt), Health: healthRecord(e.Health), LinkedFlags: rest.Rendered(e.LinkedFlags, releases.LinkedFlagRecord),
		WorkflowID: e.WorkflowID, RunID: e.RunID, Timeline: rest.Rendered(e.Timeline, eventRecord),
	}
	record.Successor = releases.NameOrNull(e.Successor)
	if e.WaitingFor != "" {
		record.WaitingFor = rest.Present(WaitReason(e.WaitingFor))
	}
	if w, ok := rollout.TimedWaitOf(e); ok {
		record.Wait = rest.Present(TimedWait{w.Kind, rest.Time{Time: w.Until}})
	}
	return record
}

func eventRecord(e models.RolloutEvent) RolloutEvent {
	return RolloutEvent{
		At: rest.Time{Time: e.At}, Event: e.Event, Actor: e.Actor, FromStage: e.FromStage, ToStage: e.ToStage,
		Percentage: e.Percentage, Reason: e.Reason, HeldUntil: rest.TimeOrNull(e.HeldUntil), RunsUntil: rest.TimeOrNull(e.RunsUntil),
		Health: healthRecord(e.Health),
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
		GroupID: uuid.MustParse(rest.ExampleUUID), Channel: new("production"), Platform: models.IOS, RuntimeVersion: "1.4.0", ReleaseMessage: "Faster checkout",
		Status: models.ExecutionRunning, StageCount: len(exampleStages()), Stages: exampleStages(),
		Thresholds: exampleThresholds(), Schedule: scheduleRecord(models.Schedule{}), Percentage: 5,
		WaitingFor: rest.Present(WaitReason(models.WaitDuration)),
		Wait:       rest.Present(TimedWait{rollout.WaitForStage, rest.ExampleTime}),
		Reason:     "stage 1 of 2 (5%) runs until at least 2026-07-23 12:00:00 UTC", StartedAt: rest.ExampleTime, StageStartedAt: rest.ExampleTime, Health: health,
		LinkedFlags: []releases.LinkedFlag{}, WorkflowID: "rollout/demo/21", RunID: rest.ExampleUUID,
		Timeline: []RolloutEvent{{
			At: rest.ExampleTime, Event: models.EventStarted, Actor: "ci", Percentage: 5, Reason: "the rollout began",
		}},
	}
}

var rollbackExecutionDoc = rest.Doc(tagExecutions, "rollbackRolloutExecution", "Roll back a rollout",
	"The scope sets how much is reverted: one linked flag, the release, or every release of the channel's branch that is "+
		"newer than the last one released to every device. Waft makes the change in the database immediately, even if no "+
		"worker is running. Returns the rollout after the rollback.")

type rollbackExecutionBody struct {
	Scope        models.ExecutionRollbackScope `json:"scope" enum:"flag,release,channel" doc:"Scope of the rollback. With flag, the rollout continues: its stage starts again and only later reports count."`
	FlagID       *int64                        `json:"flagId,omitempty" minimum:"1" doc:"ID of the linked flag, for the scope flag."`
	AllPlatforms bool                          `json:"allPlatforms,omitempty" doc:"With the scope release: whether the other platforms of the release's group on its branch are rolled back in the same transaction."`
	Reason       string                        `json:"reason,omitempty" maxLength:"1024" doc:"Reason, shown in the timeline and the audit log."`
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

// executionIdentifier allows a path to identify a rollout by its workflow ID.
func executionIdentifier(executions Executions) *rest.Identifier {
	return &rest.Identifier{Find: func(ctx context.Context, projectID int64, text string) (int64, error) {
		if !strings.Contains(text, "/") { // every workflow ID has a slash
			return 0, nil
		}
		return executions.ExecutionID(ctx, projectID, text)
	}, Param: executionParam}
}

var executionParam = rest.IdentifierParam("ID of the rollout, or its workflowId with a slash written as %2F.",
	&huma.Schema{Type: huma.TypeString, Examples: []any{"rollout/demo/21"}})
