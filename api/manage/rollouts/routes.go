package rollouts

import (
	"net/http"

	"github.com/waft-ota/waft/activities/operations"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// Routes returns the routes of policies, rollouts, emergency stops and previews.
func (h *Handlers) Routes() []rest.Route {
	return append(h.previewRoutes(), []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/ota/emergency-stop", Access: rest.Viewer,
			Serve: rest.Operation(getStopDoc, h.getStop),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/emergency-stop", Access: rest.Editor,
			Serve: rest.Operation(stopDoc, h.stopProject),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/emergency-stop/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewStopDoc, previewing(h, h.stopProject, everyRollout)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/emergency-stop", Access: rest.Editor, Asks: operations.ResumeProject.Name(),
			Serve: rest.Operation(resumeDoc, h.resumeProject),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/emergency-stop/resume/preview", Access: rest.Viewer,
			Serve: rest.Operation(previewResumptionDoc, previewing(h, h.resumeProject, everyRollout)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/rollout-policies", Access: rest.Viewer,
			Serve: rest.Operation(listPoliciesDoc, rest.Listing(h.Policies, Policies.ListPolicies, PolicyRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-policies", Access: rest.Editor,
			Serve: rest.Operation(createPolicyDoc, rest.Creating[createPolicyBody](h.Policies, Policies.CreatePolicy, PolicyRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-policies/preview", Access: rest.Viewer,
			Serve: rest.Operation(rest.Repeatable(previewPolicyDoc), h.previewPolicy),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/rollout-policies/{id}", Access: rest.Viewer,
			Serve: rest.Operation(getPolicyDoc, rest.Getting(h.Policies, Policies.Policy, PolicyRecord)),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/rollout-policies/{id}", Access: rest.Editor,
			Serve: rest.Operation(patchPolicyDoc, rest.Patching[patchPolicyBody](h.Policies, Policies.UpdatePolicy, PolicyRecord)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/rollout-policies/{id}", Access: rest.Editor,
			Serve: rest.Operation(deletePolicyDoc, rest.Deleting(h.Policies, Policies.DeletePolicy)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/rollout-executions", Access: rest.Viewer,
			Serve: rest.Operation(listExecutionsDoc, h.listExecutions),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions", Access: rest.Editor,
			Asks: operations.StartRollout.Name(), ChannelKeys: true,
			Serve: rest.Operation(startExecutionDoc, h.startExecution),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/rollout-executions/{id}", Access: rest.Viewer,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(getExecutionDoc, h.getExecution),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/rollout-executions/{id}/stream", Access: rest.Viewer,
			ID:      executionIdentifier(h.Executions),
			Streams: true,
			Serve:   rest.Plain(streamExecutionDoc, h.streamExecution),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/rollout-executions/{id}/looks", Access: rest.Viewer,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(listLooksDoc, h.listLooks),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/pause", Access: rest.Editor, ChannelKeys: true,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(rest.Repeatable(pauseExecutionDoc), h.pauseExecution),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/resume", Access: rest.Editor,
			Asks: operations.ResumeRollout.Name(), ChannelKeys: true,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(rest.Repeatable(resumeExecutionDoc), h.commandBy(models.CommandResume, operations.ResumeRollout)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/advance", Access: rest.Editor,
			Asks: operations.AdvanceRollout.Name(), ChannelKeys: true,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(rest.Repeatable(advanceExecutionDoc), h.commandBy(models.CommandAdvance, operations.AdvanceRollout)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/cancel", Access: rest.Editor, ChannelKeys: true,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(rest.Repeatable(cancelExecutionDoc), h.cancelExecution),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/rollback", Access: rest.Editor, ChannelKeys: true,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(rollbackExecutionDoc, h.rollBackExecution),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/pause/preview", Access: rest.Viewer,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(previewPauseDoc, rehearseCommand(h, models.CommandPause, commandInput)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/resume/preview", Access: rest.Viewer,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(previewResumeDoc, rehearseCommand(h, models.CommandResume, commandInput)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/advance/preview", Access: rest.Viewer,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(previewAdvanceDoc, rehearseCommand(h, models.CommandAdvance, commandInput)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/cancel/preview", Access: rest.Viewer,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(previewCancelDoc, rehearseCommand(h, models.CommandCancel, cancelInput)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/rollout-executions/{id}/rollback/preview", Access: rest.Viewer,
			ID:    executionIdentifier(h.Executions),
			Serve: rest.Operation(previewRollbackExecutionDoc, previewing(h, h.rollBackExecution, targetID)),
		},
	}...)
}
