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
	// EmergencyStop returns the stop of a project. It returns active false if the project is not stopped.
	EmergencyStop(ctx context.Context, projectID int64) (stop models.EmergencyStop, active bool, err error)
	StopProject(ctx context.Context, projectID int64, actor models.Actor, n models.NewEmergencyStop) (models.EmergencyStop, error)
}

var (
	getStopDoc = rest.Doc(releases.TagChannels, "getEmergencyStop", "Show the emergency stop",
		"Returns whether the project is stopped, when and why, the name of the key or person that stopped it, and what ending "+
			"the stop would resume.")
	stopDoc = rest.Doc(releases.TagChannels, "stopProject", "Stop the project",
		"Pauses every channel and every running rollout in one transaction. This works even if no worker is running. From "+
			"their next request on, devices do not get anything new, and rollouts do not advance. Channels and rollouts that "+
			"are already paused are left alone. A second call also pauses whatever is running by then.",
		http.StatusOK)
	resumeDoc = rest.Doc(releases.TagChannels, "resumeProject", "Resume the project",
		"Resumes only the channels and rollouts that the stop paused and that are still paused. A rollout that was resumed "+
			"and paused again since then stays paused.",
		http.StatusNotFound)
)

var (
	previewStopDoc       = previewDoc(stopDoc, releases.TagChannels, "previewStopProject", "Preview an emergency stop")
	previewResumptionDoc = previewDoc(
		resumeDoc, releases.TagChannels, "previewResumeProject", "Preview the end of an emergency stop", resumeDoc.Errors...)
)

type stopBody struct {
	Reason string `json:"reason" doc:"Reason, shown in the timelines of rollouts and the audit log."`
}

func (b stopBody) Model() models.NewEmergencyStop { return models.NewEmergencyStop(b) }
func (b stopBody) Resolve(huma.Context) []error   { return rest.BodyErrors(b.Model().Validate()) }
func (stopBody) Example() any                     { return stopBody{Reason: "payments fail in 1.4.0"} }

// EmergencyStop is the state of a project's emergency stop.
type EmergencyStop struct {
	Active     bool       `json:"active"`
	Reason     string     `json:"reason" doc:"Reason of the stop; empty if the project is not stopped."`
	StoppedBy  string     `json:"stoppedBy" doc:"Name of the key or person that stopped the project; empty if it is not stopped."`
	StoppedAt  *rest.Time `json:"stoppedAt" nullable:"true"`
	Channels   []int64    `json:"channels" doc:"IDs of the channels that the stop paused."`
	Executions []int64    `json:"executions" doc:"IDs of the rollouts that the stop paused."`
}

// EmergencyStopRecord returns the API's representation of an emergency stop, or of none if active is false.
func EmergencyStopRecord(s models.EmergencyStop, active bool) EmergencyStop {
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
	return &rest.Output[EmergencyStop]{Body: EmergencyStopRecord(stop, active)}, err
}

func (h *Handlers) stopProject(ctx context.Context, in *rest.BodyInput[stopBody]) (*rest.Output[EmergencyStop], error) {
	stop, err := h.EmergencyStops.StopProject(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.Body.Model())
	return &rest.Output[EmergencyStop]{Body: EmergencyStopRecord(stop, true)}, err
}

func (h *Handlers) resumeProject(ctx context.Context, _ *struct{}) (*struct{}, error) {
	_, err := operations.Do(ctx, h.Operations, operations.ResumeProject, rest.AuthorOf(ctx), operations.Nothing{})
	return nil, err
}
