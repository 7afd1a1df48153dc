package rollouts

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/manage/releases"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// EmergencyStops stops and resumes projects.
type EmergencyStops interface {
	// EmergencyStop returns the stop of a project; active is false when it is not stopped.
	EmergencyStop(ctx context.Context, projectID int64) (stop models.EmergencyStop, active bool, err error)
	StopProject(ctx context.Context, projectID int64, actor models.Actor, n models.NewEmergencyStop) (models.EmergencyStop, error)
}

var (
	getStopDoc = rest.Doc(releases.TagChannels, "getEmergencyStop", "Show the emergency stop",
		"Whether the project is stopped, since when, by whom and why, and what ending the stop would resume.")
	stopDoc = rest.Doc(releases.TagChannels, "stopProject", "Stop the project",
		"Pauses every channel and every running rollout in one transaction. It waits for no worker: devices get nothing new from the "+
			"next request on, and no rollout moves. What is paused already stays as it is. Asked again, it also pauses what runs by then.",
		http.StatusOK)
	resumeDoc = rest.Doc(releases.TagChannels, "resumeProject", "Resume the project",
		"Resumes the channels and rollouts that the stop paused and that are still paused, and nothing else. A rollout that was resumed and "+
			"paused again since stays paused.",
		http.StatusNotFound)
)

var (
	previewStopDoc       = previewDoc(stopDoc, releases.TagChannels, "previewStopProject", "Preview an emergency stop")
	previewResumptionDoc = previewDoc(
		resumeDoc, releases.TagChannels, "previewResumeProject", "Preview the end of an emergency stop", resumeDoc.Errors...)
)

type stopBody struct {
	Reason string `json:"reason" doc:"Why, for the timeline of rollouts and the audit log."`
}

func (b stopBody) Model() models.NewEmergencyStop { return models.NewEmergencyStop(b) }
func (b stopBody) Resolve(huma.Context) []error   { return rest.BodyErrors(b.Model().Validate()) }
func (stopBody) Example() any                     { return stopBody{Reason: "payments fail in 1.4.0"} }

// EmergencyStop is whether a project is stopped.
type EmergencyStop struct {
	Active     bool       `json:"active"`
	Reason     string     `json:"reason" doc:"Empty when the project is not stopped."`
	StoppedBy  string     `json:"stoppedBy" doc:"Name of the key or person; empty when the project is not stopped."`
	StoppedAt  *rest.Time `json:"stoppedAt" nullable:"true"`
	Channels   []int64    `json:"channels" doc:"Ids of the channels that it paused."`
	Executions []int64    `json:"executions" doc:"Ids of the rollouts that it paused."`
}

func emergencyStopRecord(s models.EmergencyStop, active bool) EmergencyStop {
	out := EmergencyStop{Active: active, Channels: []int64{}, Executions: []int64{}}
	if active {
		out.Reason, out.StoppedBy, out.StoppedAt = s.Reason, s.StoppedBy, &rest.Time{Time: s.StoppedAt}
		out.Channels, out.Executions = append(out.Channels, s.Channels...), append(out.Executions, s.Executions...)
	}
	return out
}

func (EmergencyStop) Example() any {
	return EmergencyStop{
		Active: true, Reason: "payments fail in 1.4.0", StoppedBy: "ada@example.com", StoppedAt: &rest.ExampleTime,
		Channels: []int64{4, 5}, Executions: []int64{21},
	}
}

func (h *Handlers) getStop(ctx context.Context, _ *struct{}) (*rest.Output[EmergencyStop], error) {
	stop, active, err := h.EmergencyStops.EmergencyStop(ctx, rest.ProjectOf(ctx))
	return &rest.Output[EmergencyStop]{Body: emergencyStopRecord(stop, active)}, err
}

func (h *Handlers) stopProject(ctx context.Context, in *rest.BodyInput[stopBody]) (*rest.Output[EmergencyStop], error) {
	stop, err := h.EmergencyStops.StopProject(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.Model())
	return &rest.Output[EmergencyStop]{Body: emergencyStopRecord(stop, true)}, err
}

func (h *Handlers) resumeProject(ctx context.Context, _ *struct{}) (*struct{}, error) {
	_, err := operations.Do(ctx, h.Operations, operations.ResumeProject, rest.AuthorOf(ctx), operations.Nothing{})
	return nil, err
}
