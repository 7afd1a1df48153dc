package api

import (
	"net/http"

	"github.com/waft-ota/waft/models"
)

// routes are the rows of policies, rollouts, emergency stops and previews.
func (h *RolloutsHandlers) routes() []route {
	return []route{
		{
			method: http.MethodPost, path: "/v1/ota/rollback/preview", access: viewer,
			serve: operation(previewRollbackDoc,
				previewing(h, h.Releases.rollBack, noTarget)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/channels/{name}/preview", access: viewer,
			serve: operation(previewChannelDoc, previewing(h, h.Releases.patchChannel, noTarget)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/emergency-stop", access: viewer,
			serve: operation(getStopDoc, h.getStop),
		},
		{
			method: http.MethodPost, path: "/v1/ota/emergency-stop", access: editor,
			serve: operation(stopDoc, h.stopProject),
		},
		{
			method: http.MethodPost, path: "/v1/ota/emergency-stop/preview", access: viewer,
			serve: operation(previewStopDoc, previewing(h, h.stopProject, everyRollout)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/emergency-stop", access: editor, asks: true,
			serve: operation(resumeDoc, h.resumeProject),
		},
		{
			method: http.MethodPost, path: "/v1/ota/emergency-stop/resume/preview", access: viewer,
			serve: operation(previewResumptionDoc, previewing(h, h.resumeProject, everyRollout)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/rollout-policies", access: viewer,
			serve: operation(listPoliciesDoc, listing(h.Policies, Policies.ListPolicies, policyRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-policies", access: editor,
			serve: operation(createPolicyDoc, creating[createPolicyBody](h.Policies, Policies.CreatePolicy, policyRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-policies/preview", access: viewer,
			serve: operation(repeatable(previewPolicyDoc), h.previewPolicy),
		},
		{
			method: http.MethodGet, path: "/v1/ota/rollout-policies/{id}", access: viewer,
			serve: operation(getPolicyDoc, getting(h.Policies, Policies.Policy, policyRecord)),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/rollout-policies/{id}", access: editor,
			current: currentByID(h.Policies, Policies.Policy, policyRecord),
			serve:   operation(patchPolicyDoc, patching[patchPolicyBody](h.Policies, Policies.UpdatePolicy, policyRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/rollout-policies/{id}", access: editor,
			current: currentByID(h.Policies, Policies.Policy, policyRecord),
			serve:   operation(deletePolicyDoc, deleting(h.Policies, Policies.DeletePolicy)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/rollout-executions", access: viewer,
			serve: operation(listExecutionsDoc, h.listExecutions),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions", access: editor, asks: true, channelKeys: true,
			serve: operation(startExecutionDoc, h.startExecution),
		},
		{
			method: http.MethodGet, path: "/v1/ota/rollout-executions/{id}", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: operation(getExecutionDoc, getting(h.Executions, Executions.Execution, executionRecord)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/rollout-executions/{id}/stream", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: plain(streamExecutionDoc, h.streamExecution),
		},
		{
			method: http.MethodGet, path: "/v1/ota/rollout-executions/{id}/looks", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: operation(listLooksDoc, h.listLooks),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/pause", access: editor, channelKeys: true,
			id:    executionIdentifier(h.Executions),
			serve: operation(repeatable(pauseExecutionDoc), h.command(models.CommandPause)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/resume", access: editor, asks: true, channelKeys: true,
			id:    executionIdentifier(h.Executions),
			serve: operation(repeatable(resumeExecutionDoc), h.command(models.CommandResume)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/advance", access: editor, asks: true, channelKeys: true,
			id:    executionIdentifier(h.Executions),
			serve: operation(repeatable(advanceExecutionDoc), h.command(models.CommandAdvance)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/cancel", access: editor, channelKeys: true,
			id:    executionIdentifier(h.Executions),
			serve: operation(repeatable(cancelExecutionDoc), h.cancelExecution),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/rollback", access: editor, channelKeys: true,
			id:    executionIdentifier(h.Executions),
			serve: operation(rollbackExecutionDoc, h.rollBackExecution),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/pause/preview", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: operation(previewPauseDoc, rehearseCommand(h, models.CommandPause, commandInput)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/resume/preview", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: operation(previewResumeDoc, rehearseCommand(h, models.CommandResume, commandInput)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/advance/preview", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: operation(previewAdvanceDoc, rehearseCommand(h, models.CommandAdvance, commandInput)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/cancel/preview", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: operation(previewCancelDoc, rehearseCommand(h, models.CommandCancel, cancelInput)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/rollout-executions/{id}/rollback/preview", access: viewer,
			id:    executionIdentifier(h.Executions),
			serve: operation(previewRollbackExecutionDoc, previewing(h, h.rollBackExecution, targetID)),
		},
	}
}
