package api

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/waft-ota/waft/models"
)

const (
	get    = http.MethodGet
	head   = http.MethodHead
	post   = http.MethodPost
	put    = http.MethodPut
	patch  = http.MethodPatch
	remove = http.MethodDelete
)

// routes is the table of all endpoints and who may call them. Authentication, the check
// of the role and the OpenAPI document follow from it.
func (h *handlers) routes(m *mux) []route {
	return []route{
		{get, "/v1/ota/manifest/{projectSlug}", public, limited(manifestDoc, h.limitManifests, h.getManifest)},
		{get, "/v1/ota/flag-definitions/{projectSlug}", public, limited(flagDefinitionsDoc, h.limitRequests, limitAnswerStall(answerStallTime), h.flagDefinitions)},
		{get, "/v1/ota/assets/{md5}", public, plain(assetDoc, limitAnswerStall(answerStallTime), h.getAsset)},
		{head, "/v1/ota/assets/{md5}", public, plain(assetHeadDoc, h.getAsset)},
		{post, "/v1/ota/health-metrics", public, limited(reportHealthDoc, h.limitReports, h.reportHealth)},
		{post, "/v1/ota/flag-evaluations", public, limited(reportEvaluationsDoc, h.limitRequests, h.reportEvaluations)},
		{post, "/v1/ota/flag-evaluations-bulk", public, limited(bulkDoc, h.limitRequests, h.evaluateBulk)},
		{get, "/v1/ota/flag-stream/{projectSlug}", public, limited(flagStreamDoc, h.limitRequests, h.streamFlags)},
		{post, "/ofrep/v1/evaluate/flags", client, limited(ofrepBulkDoc, h.limitOFREP, h.ofrepBulk)},
		{post, "/ofrep/v1/evaluate/flags/{key}", client, limited(ofrepDoc, h.limitOFREP, h.ofrepFlag)},

		{get, "/v1/auth/methods", public, operation(methodsDoc, h.loginMethods)},
		{get, "/v1/auth/methods/own", person, operation(ownMethodsDoc, h.ownMethods)},
		{post, "/v1/auth/setup", public, operation(setUpDoc, h.setUp)},
		{post, "/v1/auth/login", public, operation(logInDoc, h.logIn)},
		{post, "/v1/auth/logout", person, operation(logOutDoc, h.logOut)},
		{post, "/v1/auth/password", person, operation(changePasswordDoc, h.changePassword)},
		{get, "/v1/auth/sessions", person, operation(listSessionsDoc, h.listSessions)},
		{remove, "/v1/auth/sessions/{id}", person, operation(endSessionDoc, h.endSession)},
		{post, "/v1/auth/invitations/accept", public, operation(acceptDoc, h.acceptInvitation)},
		{post, "/v1/auth/token", public, operation(exchangeTokenDoc, h.exchangeToken)},
		{get, "/v1/auth/oidc/{provider}", public, plain(beginOIDCDoc, h.beginOIDC)},
		{get, "/v1/auth/oidc/{provider}/callback", public, plain(finishOIDCDoc, h.finishOIDC)},
		{get, "/v1/auth/passkeys", person, operation(listPasskeysDoc, h.listPasskeys)},
		{post, "/v1/auth/passkeys/register/begin", person, operation(beginPasskeyDoc, h.beginPasskey)},
		{post, "/v1/auth/passkeys/register/finish", person, operation(addPasskeyDoc, h.addPasskey)},
		{patch, "/v1/auth/passkeys/{id}", person, operation(patchPasskeyDoc, h.patchPasskey)},
		{remove, "/v1/auth/passkeys/{id}", person, operation(removePasskeyDoc, h.removePasskey)},
		{post, "/v1/auth/passkeys/login/begin", public, operation(beginPasskeyLoginDoc, h.beginPasskeyLogin)},
		{post, "/v1/auth/passkeys/login/finish", public, operation(passkeyLoginDoc, h.logInWithPasskey)},
		{get, "/v1/me", anyone, operation(meDoc, h.me)},
		{patch, "/v1/me", person, operation(patchMeDoc, h.patchMe)},

		{get, "/v1/ota/projects", anyone, operation(listProjectsDoc, h.listProjects)},
		{post, "/v1/ota/projects", root, operation(createProjectDoc, h.createProject)},
		{remove, "/v1/ota/projects/{slug}", root, operation(deleteProjectDoc, h.deleteProject)},

		{get, "/v1/ota/api-keys", admin, operation(listAPIKeysDoc, h.listAPIKeys)},
		{post, "/v1/ota/api-keys", admin, operation(createAPIKeyDoc, h.createAPIKey)},
		{remove, "/v1/ota/api-keys/{id}", admin, operation(revokeAPIKeyDoc, deleting(h.APIKeys, APIKeys.RevokeAPIKey))},
		{get, "/v1/ota/trusted-publishers", admin, operation(listPublishersDoc, reading(h.TrustedPublishers, TrustedPublishers.TrustedPublishers, renderPublishers))},
		{put, "/v1/ota/trusted-publishers", admin, operation(putPublishersDoc, h.putPublishers)},

		{get, "/v1/ota/members", viewer, operation(listMembersDoc, listing(h.Members, Members.ListMembers, memberRecord))},
		{patch, "/v1/ota/members/{id}", admin, operation(patchMemberDoc, patching[patchMemberBody](h.Members, Members.UpdateMember, memberRecord))},
		{remove, "/v1/ota/members/{id}", admin, operation(removeMemberDoc, deleting(h.Members, Members.RemoveMember))},
		{get, "/v1/ota/invitations", admin, operation(listInvitationsDoc, listing(h.Members, Members.ListInvitations, invitationRecord))},
		{post, "/v1/ota/invitations", admin, operation(createInvitationDoc, h.createInvitation)},
		{remove, "/v1/ota/invitations/{id}", admin, operation(revokeInvitationDoc, deleting(h.Members, Members.RevokeInvitation))},

		{get, "/v1/ota/builds", viewer, operation(listBuildsDoc, listing(h.Builds, Builds.ListBuilds, buildRecord))},
		{post, "/v1/ota/builds", editor, plain(uploadBuildDoc, limitBodyTime(uploadStallTime, true), h.uploadBuild)},
		{post, "/v1/ota/builds/check", editor, operation(repeatable(checkFilesDoc), h.checkFiles)},
		{head, "/v1/ota/builds/files/{sha256}", editor, plain(fileHeadDoc, h.headFile)},
		{put, "/v1/ota/builds/files/{sha256}", editor, plain(putFileDoc, limitBodyTime(uploadStallTime, true), h.putFile)},
		{remove, "/v1/ota/builds/{id}", editor, operation(deleteBuildDoc, deleting(h.Builds, Builds.DeleteBuild))},
		{put, "/v1/ota/builds/{id}/sourcemap", editor, plain(putSourceMapDoc, limitBodyTime(uploadStallTime, true), h.putSourceMap)},
		{post, "/v1/ota/builds/{id}/publish", editor, operation(asking(publishBuildDoc), h.publishBuild)},

		{get, "/v1/ota/updates", viewer, operation(listUpdatesDoc, h.listUpdates)},
		{post, "/v1/ota/updates", editor, operation(asking(createUpdateDoc), creating[createUpdateBody](h.Releases, Releases.Publish, updateRecord))},
		{get, "/v1/ota/updates/{id}", viewer, operation(getUpdateDoc, getting(h.Releases, Releases.Release, updateRecord))},
		{patch, "/v1/ota/updates/{id}", editor, operation(asking(patchUpdateDoc), patching[patchUpdateBody](h.Releases, Releases.UpdateRelease, updateRecord))},
		{remove, "/v1/ota/updates/{id}", editor, operation(deleteUpdateDoc, deleting(h.Releases, Releases.DeleteRelease))},
		{post, "/v1/ota/updates/{id}/republish", editor, operation(asking(republishDoc), h.republish)},
		{get, "/v1/ota/updates/{id}/history", viewer, operation(updateHistoryDoc, h.updateHistory)},
		{get, "/v1/ota/updates/{id}/patches", viewer, operation(listPatchesDoc, h.listPatches)},
		{post, "/v1/ota/rollback", editor, operation(asking(rollbackDoc), creating[rollbackBody](h.Releases, Releases.Rollback, updateRecord))},
		{post, "/v1/ota/rollback/preview", viewer, operation(previewRollbackDoc, previewing(h, creating[rollbackBody](h.Releases, Releases.Rollback, updateRecord), noTarget))},
		{get, "/v1/ota/resolve", viewer, operation(resolveDoc, h.resolve)},

		{get, "/v1/ota/branches", viewer, operation(listBranchesDoc, listing(h.Branches, Branches.ListBranches, branchRecord))},
		{post, "/v1/ota/branches", editor, operation(createBranchDoc, creating[createBranchBody](h.Branches, Branches.CreateBranch, branchRecord))},
		{remove, "/v1/ota/branches/{name}", editor, operation(deleteBranchDoc, deletingNamed(h.Branches, Branches.DeleteBranch))},

		{get, "/v1/ota/channels", viewer, operation(listChannelsDoc, listing(h.Channels, Channels.ListChannels, channelRecord))},
		{post, "/v1/ota/channels", editor, operation(createChannelDoc, creating[createChannelBody](h.Channels, Channels.CreateChannel, channelRecord))},
		{get, "/v1/ota/channels/{name}", viewer, operation(getChannelDoc, h.getChannel)},
		{patch, "/v1/ota/channels/{name}", editor, operation(asking(patchChannelDoc), h.patchChannel)},
		{post, "/v1/ota/channels/{name}/preview", viewer, operation(previewChannelDoc, previewing(h, h.patchChannel, noTarget))},
		{remove, "/v1/ota/channels/{name}", editor, operation(asking(deleteChannelDoc), deletingNamed(h.Channels, Channels.DeleteChannel))},

		{get, "/v1/ota/approvals", viewer, operation(listApprovalsDoc, h.listApprovals)},
		{get, "/v1/ota/approvals/{id}", viewer, operation(getApprovalDoc, getting(h.Approvals, Approvals.Approval, approvalRecord))},
		{post, "/v1/ota/approvals/{id}/approve", editor, operation(approveApprovalDoc, h.decide(models.VerdictApprove))},
		{post, "/v1/ota/approvals/{id}/reject", editor, operation(rejectApprovalDoc, h.decide(models.VerdictReject))},

		{get, "/v1/ota/emergency-stop", viewer, operation(getStopDoc, h.getStop)},
		{post, "/v1/ota/emergency-stop", editor, operation(stopDoc, h.stopProject)},
		{post, "/v1/ota/emergency-stop/preview", viewer, operation(previewStopDoc, previewing(h, h.stopProject, everyRollout))},
		{remove, "/v1/ota/emergency-stop", editor, operation(asking(resumeDoc), h.resumeProject)},
		{post, "/v1/ota/emergency-stop/resume/preview", viewer, operation(previewResumptionDoc, previewing(h, h.resumeProject, everyRollout))},

		{get, "/v1/ota/user-overrides", viewer, operation(listOverridesDoc, listing(h.UserOverrides, UserOverrides.ListUserOverrides, overrideRecord))},
		{post, "/v1/ota/user-overrides", editor, operation(asking(createOverrideDoc), creating[createOverrideBody](h.UserOverrides, UserOverrides.CreateUserOverride, overrideRecord))},
		{remove, "/v1/ota/user-overrides/{id}", editor, operation(asking(deleteOverrideDoc), deleting(h.UserOverrides, UserOverrides.DeleteUserOverride))},

		{get, "/v1/ota/contexts", viewer, operation(listContextsDoc, h.listContexts)},
		{post, "/v1/ota/contexts", editor, operation(createContextDoc, h.createContext)},
		{get, "/v1/ota/contexts/kinds", viewer, operation(listContextKindsDoc, h.listContextKinds)},
		{get, "/v1/ota/contexts/{id}", viewer, operation(getContextDoc, getting(h.Contexts, Contexts.Context, contextRecord))},
		{remove, "/v1/ota/contexts/{id}", editor, operation(deleteContextDoc, deleting(h.Contexts, Contexts.DeleteContext))},

		{get, "/v1/ota/webhooks", viewer, operation(listWebhooksDoc, h.listWebhooks)},
		{post, "/v1/ota/webhooks", editor, operation(createWebhookDoc, h.createWebhook)},
		{get, "/v1/ota/webhooks/events", viewer, operation(listWebhookEventsDoc, h.listWebhookEvents)},
		{post, "/v1/ota/webhooks/{id}/recover", editor, operation(recoverWebhookDoc, h.recoverWebhook)},
		{get, "/v1/ota/webhooks/{id}", viewer, operation(getWebhookDoc, h.getWebhook)},
		{patch, "/v1/ota/webhooks/{id}", editor, operation(patchWebhookDoc, h.patchWebhook)},
		{remove, "/v1/ota/webhooks/{id}", editor, operation(deleteWebhookDoc, deleting(h.Webhooks, Webhooks.DeleteWebhook))},
		{post, "/v1/ota/webhooks/{id}/rotate-secret", editor, operation(rotateWebhookDoc, h.rotateWebhook)},
		{get, "/v1/ota/webhooks/{id}/deliveries", viewer, operation(listDeliveriesDoc, h.listDeliveries)},
		{post, "/v1/ota/webhooks/{id}/test", editor, operation(testWebhookDoc, h.testWebhook)},
		{post, "/v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver", editor, operation(redeliverDoc, h.redeliverWebhook)},

		{get, "/v1/ota/code-signing", admin, operation(getSigningDoc, reading(h.SigningKeys, SigningKeys.SigningKey, signingRecord))},
		{put, "/v1/ota/code-signing", admin, operation(putSigningDoc, creating[putSigningBody](h.SigningKeys, SigningKeys.PutSigningKey, signingRecord))},
		{remove, "/v1/ota/code-signing", admin, operation(deleteSigningDoc, h.deleteSigning)},

		{get, "/v1/ota/flags", viewer, operation(listFlagsDoc, h.listFlags)},
		{post, "/v1/ota/flags", editor, operation(asking(createFlagDoc), creating[createFlagBody](h.Flags, Flags.CreateFlag, flagRecord))},
		{post, "/v1/ota/flags/explain", viewer, operation(repeatable(explainFlagsDoc), h.explainFlags)},
		{post, "/v1/ota/flags/{id}/explain", viewer, operation(repeatable(explainFlagDoc), h.explainFlag)},
		{get, "/v1/ota/flags/{id}", viewer, operation(getFlagDoc, getting(h.Flags, Flags.Flag, flagRecord))},
		{patch, "/v1/ota/flags/{id}", editor, operation(asking(patchFlagDoc), patching[patchFlagBody](h.Flags, Flags.UpdateFlag, flagRecord))},
		{remove, "/v1/ota/flags/{id}", editor, operation(asking(deleteFlagDoc), deleting(h.Flags, Flags.DeleteFlag))},
		{post, "/v1/ota/flags/{id}/rules", editor, operation(asking(createRuleDoc), h.createRule)},
		{put, "/v1/ota/flags/{id}/rules/order", editor, operation(asking(orderRulesDoc), h.orderRules)},
		{post, "/v1/ota/flags/{id}/copy", editor, operation(asking(copyFlagDoc), h.copyFlag)},
		{patch, "/v1/ota/flags/{id}/rules/{ruleId}", editor, operation(asking(patchRuleDoc), h.patchRule)},
		{remove, "/v1/ota/flags/{id}/rules/{ruleId}", editor, operation(asking(deleteRuleDoc), h.deleteRule)},
		{patch, "/v1/ota/flags/{id}/variations/{variationId}", editor, operation(asking(patchVariationDoc), h.patchVariation)},
		{patch, "/v1/ota/flags/{id}/env/{channelName}", editor, operation(asking(patchEnvironmentDoc), h.patchEnvironment)},

		{get, "/v1/ota/segments", viewer, operation(listSegmentsDoc, h.listSegments)},
		{post, "/v1/ota/segments", editor, operation(createSegmentDoc, h.createSegment)},
		{post, "/v1/ota/segments/estimate", viewer, operation(repeatable(estimateSegmentDoc), h.estimateSegment)},
		{get, "/v1/ota/segments/{id}", viewer, operation(getSegmentDoc, h.getSegment)},
		{patch, "/v1/ota/segments/{id}", editor, operation(asking(patchSegmentDoc), h.patchSegment)},
		{remove, "/v1/ota/segments/{id}", editor, operation(deleteSegmentDoc, deleting(h.Segments, Segments.DeleteSegment))},

		{get, "/v1/ota/rollout-policies", viewer, operation(listPoliciesDoc, listing(h.Policies, Policies.ListPolicies, policyRecord))},
		{post, "/v1/ota/rollout-policies", editor, operation(createPolicyDoc, creating[createPolicyBody](h.Policies, Policies.CreatePolicy, policyRecord))},
		{post, "/v1/ota/rollout-policies/preview", viewer, operation(repeatable(previewPolicyDoc), h.previewPolicy)},
		{get, "/v1/ota/rollout-policies/{id}", viewer, operation(getPolicyDoc, getting(h.Policies, Policies.Policy, policyRecord))},
		{patch, "/v1/ota/rollout-policies/{id}", editor, operation(patchPolicyDoc, patching[patchPolicyBody](h.Policies, Policies.UpdatePolicy, policyRecord))},
		{remove, "/v1/ota/rollout-policies/{id}", editor, operation(deletePolicyDoc, deleting(h.Policies, Policies.DeletePolicy))},

		{get, "/v1/ota/rollout-executions", viewer, operation(listExecutionsDoc, h.listExecutions)},
		{post, "/v1/ota/rollout-executions", editor, operation(asking(startExecutionDoc), h.startExecution)},
		{get, "/v1/ota/rollout-executions/{id}", viewer, operation(getExecutionDoc, getting(h.Executions, Executions.Execution, executionRecord))},
		{get, "/v1/ota/rollout-executions/{id}/stream", viewer, plain(streamExecutionDoc, h.streamExecution)},
		{get, "/v1/ota/rollout-executions/{id}/looks", viewer, operation(listLooksDoc, h.listLooks)},
		{post, "/v1/ota/rollout-executions/{id}/pause", editor, operation(repeatable(pauseExecutionDoc), h.command(models.CommandPause))},
		{post, "/v1/ota/rollout-executions/{id}/resume", editor, operation(repeatable(asking(resumeExecutionDoc)), h.command(models.CommandResume))},
		{post, "/v1/ota/rollout-executions/{id}/advance", editor, operation(repeatable(asking(advanceExecutionDoc)), h.command(models.CommandAdvance))},
		{post, "/v1/ota/rollout-executions/{id}/cancel", editor, operation(repeatable(cancelExecutionDoc), h.cancelExecution)},
		{post, "/v1/ota/rollout-executions/{id}/rollback", editor, operation(rollbackExecutionDoc, h.rollBackExecution)},
		{post, "/v1/ota/rollout-executions/{id}/pause/preview", viewer, operation(previewPauseDoc, rehearseCommand(h, models.CommandPause, commandInput))},
		{post, "/v1/ota/rollout-executions/{id}/resume/preview", viewer, operation(previewResumeDoc, rehearseCommand(h, models.CommandResume, commandInput))},
		{post, "/v1/ota/rollout-executions/{id}/advance/preview", viewer, operation(previewAdvanceDoc, rehearseCommand(h, models.CommandAdvance, commandInput))},
		{post, "/v1/ota/rollout-executions/{id}/cancel/preview", viewer, operation(previewCancelDoc, rehearseCommand(h, models.CommandCancel, cancelInput))},
		{post, "/v1/ota/rollout-executions/{id}/rollback/preview", viewer, operation(previewRollbackExecutionDoc, previewing(h, h.rollBackExecution, targetID))},

		{get, "/v1/ota/flags/{id}/evaluations", viewer, operation(flagEvaluationsDoc, h.flagEvaluations)},
		{get, "/v1/ota/flags/{id}/health", viewer, operation(flagHealthDoc, h.flagHealth)},

		{get, "/v1/ota/stream", viewer, plain(streamProjectDoc, h.streamProject)},
		{get, "/v1/ota/overview", viewer, operation(overviewDoc, h.overview)},
		{get, "/v1/ota/devices", viewer, operation(listDevicesDoc, h.listDevices)},
		{get, "/v1/ota/devices/{deviceId}", viewer, operation(getDeviceDoc, h.getDevice)},
		{get, "/v1/ota/insights/adoption", viewer, operation(adoptionDoc, h.adoption)},
		{get, "/v1/ota/telemetry/timeseries", viewer, operation(timeseriesDoc, h.timeseries)},
		{get, "/v1/ota/telemetry/flag-impacts", viewer, operation(flagImpactsDoc, h.flagImpacts)},
		{get, "/v1/ota/telemetry/events", viewer, operation(telemetryEventsDoc, h.telemetryEvents)},
		{get, "/v1/ota/telemetry/refused", viewer, operation(refusedDoc, h.listRefused)},
		{get, "/v1/ota/telemetry/incidents", viewer, operation(listIncidentsDoc, h.listIncidents)},
		{get, "/v1/ota/telemetry/incidents/{id}", viewer, operation(getIncidentDoc, h.getIncident)},
		{patch, "/v1/ota/telemetry/incidents/{id}", editor, operation(patchIncidentDoc, h.patchIncident)},
		{get, "/v1/ota/observe/events", viewer, operation(observeEventsDoc, h.observeEvents)},
		{get, "/v1/ota/observe/events/{eventId}", viewer, operation(getEventDoc, h.getEvent)},
		{get, "/v1/ota/observe/groups", viewer, operation(listGroupsDoc, h.listErrorGroups)},
		{get, "/v1/ota/observe/groups/{fingerprint}", viewer, operation(getGroupDoc, h.getErrorGroup)},

		{get, "/v1/ota/audit-log/export", viewer, operation(exportAuditDoc, h.exportAudit)},
		{get, "/v1/ota/audit-log", viewer, operation(listAuditDoc, h.listAudit)},

		{get, "/v1/ota/settings", viewer, operation(getSettingsDoc, reading(h.Settings, Settings.Settings, settingsRecord))},
		{patch, "/v1/ota/settings", admin, operation(patchSettingsDoc, h.patchSettings)},
		{get, "/v1/ota/gc", viewer, operation(previewGarbageDoc, reading(h.Collector, Collector.Preview, garbageRecord))},
		{post, "/v1/ota/gc", admin, operation(repeatable(collectGarbageDoc), h.collectGarbage)},
		{remove, "/v1/ota/devices/{deviceId}/data", admin, operation(eraseDeviceDoc, h.eraseDevice)},

		{get, "/healthz", public, plain(livenessDoc, gin.WrapH(NewLiveness()))},
		{get, "/readyz", public, plain(readinessDoc, gin.WrapH(h.Readiness.Public()))},
		{get, "/openapi.json", public, plain(openAPIDoc, serveOnce(m.document31))},
		{get, "/docs", public, plain(docsDoc, docs())},
	}
}
