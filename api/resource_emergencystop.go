package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/models"
)

// EmergencyStops stops and resumes projects.
type EmergencyStops interface {
	// EmergencyStop returns the stop of a project; active is false when it is not stopped.
	EmergencyStop(ctx context.Context, projectID int64) (stop models.EmergencyStop, active bool, err error)
	StopProject(ctx context.Context, projectID int64, actor models.Actor, n models.NewEmergencyStop) (models.EmergencyStop, error)
	// ResumeProject answers not_found for a project that is not stopped.
	ResumeProject(ctx context.Context, projectID int64, actor models.Actor) error
}

var (
	getStopDoc = doc(tagChannels, "getEmergencyStop", "Show the emergency stop",
		"Whether the project is stopped, since when, by whom and why, and what ending the stop would resume.")
	stopDoc = doc(tagChannels, "stopProject", "Stop the project",
		"Pauses every channel and every running rollout in one transaction. It waits for no worker: devices get nothing new from the "+
			"next request on, and no rollout moves. What is paused already stays as it is. Asked again, it also pauses what runs by then.",
		http.StatusOK)
	resumeDoc = doc(tagChannels, "resumeProject", "Resume the project",
		"Resumes the channels and rollouts that the stop paused and that are still paused, and nothing else. A rollout that was resumed and "+
			"paused again since stays paused.",
		http.StatusNotFound)
)

var (
	previewStopDoc       = previewDoc(stopDoc, tagChannels, "previewStopProject", "Preview an emergency stop")
	previewResumptionDoc = previewDoc(
		resumeDoc, tagChannels, "previewResumeProject", "Preview the end of an emergency stop", resumeDoc.Errors...)
)

type stopBody struct {
	Reason string `json:"reason" doc:"Why, for the timeline of rollouts and the audit log."`
}

func (b stopBody) model() models.NewEmergencyStop { return models.NewEmergencyStop(b) }
func (b stopBody) Resolve(huma.Context) []error   { return bodyErrors(b.model().Validate()) }
func (stopBody) example() any                     { return stopBody{Reason: "payments fail in 1.4.0"} }

// EmergencyStop is whether a project is stopped.
type EmergencyStop struct {
	Active     bool    `json:"active"`
	Reason     string  `json:"reason" doc:"Empty when the project is not stopped."`
	StoppedBy  string  `json:"stoppedBy" doc:"Name of the key or person; empty when the project is not stopped."`
	StoppedAt  *Time   `json:"stoppedAt" nullable:"true"`
	Channels   []int64 `json:"channels" doc:"Ids of the channels that it paused."`
	Executions []int64 `json:"executions" doc:"Ids of the rollouts that it paused."`
}

func emergencyStopRecord(s models.EmergencyStop, active bool) EmergencyStop {
	out := EmergencyStop{Active: active, Channels: []int64{}, Executions: []int64{}}
	if active {
		out.Reason, out.StoppedBy, out.StoppedAt = s.Reason, s.StoppedBy, &Time{s.StoppedAt}
		out.Channels, out.Executions = append(out.Channels, s.Channels...), append(out.Executions, s.Executions...)
	}
	return out
}

func (EmergencyStop) example() any {
	return EmergencyStop{
		Active: true, Reason: "payments fail in 1.4.0", StoppedBy: "ada@example.com", StoppedAt: &exampleTime,
		Channels: []int64{4, 5}, Executions: []int64{21},
	}
}

func (h *RolloutsHandlers) getStop(ctx context.Context, _ *struct{}) (*output[EmergencyStop], error) {
	stop, active, err := h.EmergencyStops.EmergencyStop(ctx, projectOf(ctx))
	return &output[EmergencyStop]{emergencyStopRecord(stop, active)}, err
}

func (h *RolloutsHandlers) stopProject(ctx context.Context, in *bodyInput[stopBody]) (*output[EmergencyStop], error) {
	stop, err := h.EmergencyStops.StopProject(ctx, projectOf(ctx), actorOf(ctx), in.Body.model())
	return &output[EmergencyStop]{emergencyStopRecord(stop, true)}, err
}

func (h *RolloutsHandlers) resumeProject(ctx context.Context, _ *struct{}) (*struct{}, error) {
	return nil, h.EmergencyStops.ResumeProject(ctx, projectOf(ctx), actorOf(ctx))
}
