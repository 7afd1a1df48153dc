package api

import (
	"net/http"

	"github.com/waft-ota/waft/internal/reports"
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

// routes is every endpoint with who may call it. Authentication, the check of the
// role, and the OpenAPI document follow from the row.
func (d Deps) routes(m *mux) []route {
	limited := newLimits(d.Rates, d.Now)
	projects := projectHandlers{d.Projects}
	keys := apiKeyHandlers{d.APIKeys, d.Now}
	builds := buildHandlers{d.Builds, d.Releases}
	uploads := uploadHandlers{d.Builds, d.Blobs, d.Stager, d.Limits, m.keyed}
	updates := updateHandlers{d.Releases}
	channels := channelHandlers{d.Channels}
	flags := flagHandlers{d.Flags}
	definitions := definitionHandlers{d.Snapshots}
	executions := executionHandlers{d.Executions, d.RolloutCommands}
	streams := streamHandlers{d.Executions, d.Changes, d.Streams, streamHeartbeat, d.Log}
	webhooks := webhookHandlers{d.Webhooks}
	contexts := contextHandlers{d.Contexts}
	signing := signingHandlers{d.SigningKeys}
	audit := auditHandlers{d.Audit}
	settings := settingsHandlers{d.Settings}
	garbage := garbageHandlers{d.Collector}
	serves := serveBook{d.Serves, newNotedExposures(d.Now)}
	erasing := eraseHandlers{d.Eraser, serves.noted}
	resolver := resolveHandlers{d.Snapshots}
	manifests := manifestHandlers{d.Snapshots, serves, refusalBook{d.Refusals}, limited}
	patches := patchHandlers{d.Patches}
	files := fileHandlers{d.Snapshots, d.Assets, d.PatchFiles, d.AssetRedirect, serves}
	health := reportHandlers{d.Reports, d.Snapshots, d.Now, d.Limits.ReportBytes, limited, reports.NewLimiter(d.Now, d.Metrics), newLimitedBook(d.Refusals, d.Metrics)}
	evaluations := evaluationHandlers{health, d.Evaluations, contextBook{d.EvaluatedContexts}}
	insights := insightHandlers{d.Insights, d.UpdateNames, d.Snapshots, d.Now}
	segments := segmentHandlers{d.Segments, d.SegmentDevices, insights, d.Now}
	flagInsights := flagInsightHandlers{insights, d.Flags}
	incidents := incidentHandlers{insights, d.Incidents}
	readiness := readyHandlers{d.Checks, d.Log}

	return []route{
		{get, "/v1/ota/manifest/{projectSlug}", public, plain(manifestDoc, manifests.within, manifests.get)},
		{get, "/v1/ota/flag-definitions/{projectSlug}", public, plain(flagDefinitionsDoc, limited.requests, answerMoving(answerStallTime), definitions.get)},
		{get, "/v1/ota/assets/{md5}", public, plain(assetDoc, answerMoving(answerStallTime), files.serve)},
		{head, "/v1/ota/assets/{md5}", public, plain(assetHeadDoc, files.serve)},
		{post, "/v1/ota/health-metrics", public, receiving[HealthReport](reportHealthDoc, health.within, health.report)},
		{post, "/v1/ota/flag-evaluations", public, receiving[EvaluationReport](reportEvaluationsDoc, limited.requests, evaluations.report)},

		{get, "/v1/ota/projects", root, operation(listProjectsDoc, projects.list)},
		{post, "/v1/ota/projects", root, operation(createProjectDoc, projects.create)},
		{remove, "/v1/ota/projects/{slug}", root, operation(deleteProjectDoc, projects.delete)},

		{get, "/v1/ota/api-keys", admin, operation(listAPIKeysDoc, listing(d.APIKeys, APIKeys.ListAPIKeys, apiKeyRecord))},
		{post, "/v1/ota/api-keys", admin, operation(createAPIKeyDoc, keys.create)},
		{remove, "/v1/ota/api-keys/{id}", admin, operation(revokeAPIKeyDoc, deleting(d.APIKeys, APIKeys.RevokeAPIKey))},

		{get, "/v1/ota/builds", viewer, operation(listBuildsDoc, listing(d.Builds, Builds.ListBuilds, buildRecord))},
		{post, "/v1/ota/builds", editor, uploading(uploadBuildDoc, bodyMoving(uploadStallTime), uploads.upload)},
		{remove, "/v1/ota/builds/{id}", editor, operation(deleteBuildDoc, deleting(d.Builds, Builds.DeleteBuild))},
		{post, "/v1/ota/builds/{id}/publish", editor, operation(publishBuildDoc, builds.publish)},

		{get, "/v1/ota/updates", viewer, operation(listUpdatesDoc, updates.list)},
		{post, "/v1/ota/updates", editor, operation(createUpdateDoc, creating[createUpdateBody](d.Releases, Releases.Publish, updateRecord))},
		{get, "/v1/ota/updates/{id}", viewer, operation(getUpdateDoc, getting(d.Releases, Releases.Release, updateRecord))},
		{patch, "/v1/ota/updates/{id}", editor, operation(patchUpdateDoc, patching[patchUpdateBody](d.Releases, Releases.UpdateRelease, updateRecord))},
		{remove, "/v1/ota/updates/{id}", editor, operation(deleteUpdateDoc, deleting(d.Releases, Releases.DeleteRelease))},
		{post, "/v1/ota/updates/{id}/republish", editor, operation(republishDoc, updates.republish)},
		{get, "/v1/ota/updates/{id}/history", viewer, operation(updateHistoryDoc, updates.history)},
		{get, "/v1/ota/updates/{id}/patches", viewer, operation(listPatchesDoc, patches.list)},
		{post, "/v1/ota/rollback", editor, operation(rollbackDoc, creating[rollbackBody](d.Releases, Releases.Rollback, updateRecord))},
		{get, "/v1/ota/resolve", viewer, operation(resolveDoc, resolver.resolve)},

		{get, "/v1/ota/branches", viewer, operation(listBranchesDoc, listing(d.Branches, Branches.ListBranches, branchRecord))},
		{post, "/v1/ota/branches", editor, operation(createBranchDoc, creating[createBranchBody](d.Branches, Branches.CreateBranch, branchRecord))},
		{remove, "/v1/ota/branches/{name}", editor, operation(deleteBranchDoc, deletingNamed(d.Branches, Branches.DeleteBranch))},

		{get, "/v1/ota/channels", viewer, operation(listChannelsDoc, listing(d.Channels, Channels.ListChannels, channelRecord))},
		{post, "/v1/ota/channels", editor, operation(createChannelDoc, creating[createChannelBody](d.Channels, Channels.CreateChannel, channelRecord))},
		{patch, "/v1/ota/channels/{name}", editor, operation(patchChannelDoc, channels.patch)},
		{remove, "/v1/ota/channels/{name}", editor, operation(deleteChannelDoc, deletingNamed(d.Channels, Channels.DeleteChannel))},

		{get, "/v1/ota/user-overrides", viewer, operation(listOverridesDoc, listing(d.UserOverrides, UserOverrides.ListUserOverrides, overrideRecord))},
		{post, "/v1/ota/user-overrides", editor, operation(createOverrideDoc, creating[createOverrideBody](d.UserOverrides, UserOverrides.CreateUserOverride, overrideRecord))},
		{remove, "/v1/ota/user-overrides/{id}", editor, operation(deleteOverrideDoc, deleting(d.UserOverrides, UserOverrides.DeleteUserOverride))},

		{get, "/v1/ota/contexts", viewer, operation(listContextsDoc, contexts.list)},
		{post, "/v1/ota/contexts", editor, operation(createContextDoc, contexts.create)},
		{get, "/v1/ota/contexts/kinds", viewer, operation(listContextKindsDoc, contexts.kinds)},
		{get, "/v1/ota/contexts/{id}", viewer, operation(getContextDoc, getting(d.Contexts, Contexts.Context, contextRecord))},
		{remove, "/v1/ota/contexts/{id}", editor, operation(deleteContextDoc, deleting(d.Contexts, Contexts.DeleteContext))},

		{get, "/v1/ota/webhooks", viewer, operation(listWebhooksDoc, listing(d.Webhooks, Webhooks.ListWebhooks, webhookRecord))},
		{post, "/v1/ota/webhooks", editor, operation(createWebhookDoc, webhooks.create)},
		{patch, "/v1/ota/webhooks/{id}", editor, operation(patchWebhookDoc, patching[patchWebhookBody](d.Webhooks, Webhooks.UpdateWebhook, webhookRecord))},
		{remove, "/v1/ota/webhooks/{id}", editor, operation(deleteWebhookDoc, deleting(d.Webhooks, Webhooks.DeleteWebhook))},
		{post, "/v1/ota/webhooks/{id}/rotate-secret", editor, operation(rotateWebhookDoc, webhooks.rotate)},
		{get, "/v1/ota/webhooks/{id}/deliveries", viewer, operation(listDeliveriesDoc, webhooks.deliveries)},
		{post, "/v1/ota/webhooks/{id}/test", editor, operation(testWebhookDoc, webhooks.test)},
		{post, "/v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver", editor, operation(redeliverDoc, webhooks.redeliver)},

		{get, "/v1/ota/code-signing", admin, operation(getSigningDoc, signing.get)},
		{put, "/v1/ota/code-signing", admin, operation(putSigningDoc, creating[putSigningBody](d.SigningKeys, SigningKeys.PutSigningKey, signingRecord))},
		{remove, "/v1/ota/code-signing", admin, operation(deleteSigningDoc, signing.delete)},

		{get, "/v1/ota/flags", viewer, operation(listFlagsDoc, listing(d.Flags, Flags.ListFlags, flagRecord))},
		{post, "/v1/ota/flags", editor, operation(createFlagDoc, creating[createFlagBody](d.Flags, Flags.CreateFlag, flagRecord))},
		{get, "/v1/ota/flags/{id}", viewer, operation(getFlagDoc, getting(d.Flags, Flags.Flag, flagRecord))},
		{patch, "/v1/ota/flags/{id}", editor, operation(patchFlagDoc, patching[patchFlagBody](d.Flags, Flags.UpdateFlag, flagRecord))},
		{remove, "/v1/ota/flags/{id}", editor, operation(deleteFlagDoc, deleting(d.Flags, Flags.DeleteFlag))},
		{post, "/v1/ota/flags/{id}/rules", editor, operation(createRuleDoc, flags.createRule)},
		{patch, "/v1/ota/flags/{id}/rules/{ruleId}", editor, operation(patchRuleDoc, flags.patchRule)},
		{remove, "/v1/ota/flags/{id}/rules/{ruleId}", editor, operation(deleteRuleDoc, flags.deleteRule)},
		{patch, "/v1/ota/flags/{id}/variations/{variationId}", editor, operation(patchVariationDoc, flags.patchVariation)},
		{patch, "/v1/ota/flags/{id}/env/{channelName}", editor, operation(patchEnvironmentDoc, flags.patchEnvironment)},

		{get, "/v1/ota/segments", viewer, operation(listSegmentsDoc, segments.list)},
		{post, "/v1/ota/segments", editor, operation(createSegmentDoc, segments.create)},
		{get, "/v1/ota/segments/{id}", viewer, operation(getSegmentDoc, segments.get)},
		{patch, "/v1/ota/segments/{id}", editor, operation(patchSegmentDoc, segments.patch)},
		{remove, "/v1/ota/segments/{id}", editor, operation(deleteSegmentDoc, deleting(d.Segments, Segments.DeleteSegment))},

		{get, "/v1/ota/rollout-policies", viewer, operation(listPoliciesDoc, listing(d.Policies, Policies.ListPolicies, policyRecord))},
		{post, "/v1/ota/rollout-policies", editor, operation(createPolicyDoc, creating[createPolicyBody](d.Policies, Policies.CreatePolicy, policyRecord))},
		{get, "/v1/ota/rollout-policies/{id}", viewer, operation(getPolicyDoc, getting(d.Policies, Policies.Policy, policyRecord))},
		{patch, "/v1/ota/rollout-policies/{id}", editor, operation(patchPolicyDoc, patching[patchPolicyBody](d.Policies, Policies.UpdatePolicy, policyRecord))},
		{remove, "/v1/ota/rollout-policies/{id}", editor, operation(deletePolicyDoc, deleting(d.Policies, Policies.DeletePolicy))},

		{get, "/v1/ota/rollout-executions", viewer, operation(listExecutionsDoc, listing(d.Executions, Executions.ListExecutions, executionRecord))},
		{post, "/v1/ota/rollout-executions", editor, operation(startExecutionDoc, executions.start)},
		{get, "/v1/ota/rollout-executions/{id}", viewer, operation(getExecutionDoc, getting(d.Executions, Executions.Execution, executionRecord))},
		{get, "/v1/ota/rollout-executions/{id}/stream", viewer, plain(streamExecutionDoc, streams.execution)},
		{post, "/v1/ota/rollout-executions/{id}/pause", editor, repeatable(operation(pauseExecutionDoc, executions.command(models.CommandPause)))},
		{post, "/v1/ota/rollout-executions/{id}/resume", editor, repeatable(operation(resumeExecutionDoc, executions.command(models.CommandResume)))},
		{post, "/v1/ota/rollout-executions/{id}/advance", editor, repeatable(operation(advanceExecutionDoc, executions.command(models.CommandAdvance)))},
		{post, "/v1/ota/rollout-executions/{id}/cancel", editor, repeatable(operation(cancelExecutionDoc, executions.cancel))},
		{post, "/v1/ota/rollout-executions/{id}/rollback", editor, operation(rollbackExecutionDoc, executions.rollback)},

		{get, "/v1/ota/flags/{id}/evaluations", viewer, operation(flagEvaluationsDoc, flagInsights.evaluations)},
		{get, "/v1/ota/flags/{id}/health", viewer, operation(flagHealthDoc, flagInsights.health)},

		{get, "/v1/ota/insights/adoption", viewer, operation(adoptionDoc, insights.adoption)},
		{get, "/v1/ota/telemetry/timeseries", viewer, operation(timeseriesDoc, insights.timeseries)},
		{get, "/v1/ota/telemetry/flag-impacts", viewer, operation(flagImpactsDoc, insights.flagImpacts)},
		{get, "/v1/ota/telemetry/events", viewer, operation(telemetryEventsDoc, insights.telemetryEvents)},
		{get, "/v1/ota/telemetry/refused", viewer, operation(refusedDoc, insights.refused)},
		{get, "/v1/ota/telemetry/incidents", viewer, operation(listIncidentsDoc, incidents.list)},
		{get, "/v1/ota/observe/events", viewer, operation(observeEventsDoc, insights.observeEvents)},

		{get, "/v1/ota/audit-log", viewer, operation(listAuditDoc, audit.list)},

		{get, "/v1/ota/settings", viewer, operation(getSettingsDoc, settings.get)},
		{patch, "/v1/ota/settings", admin, operation(patchSettingsDoc, settings.patch)},
		{get, "/v1/ota/gc", viewer, operation(previewGarbageDoc, garbage.preview)},
		{post, "/v1/ota/gc", admin, repeatable(operation(collectGarbageDoc, garbage.run))},
		{remove, "/v1/ota/devices/{deviceId}/data", admin, operation(eraseDeviceDoc, erasing.erase)},

		{get, "/healthz", public, answering[Liveness](livenessDoc, live)},
		{get, "/readyz", public, answering[Readiness](readinessDoc, readiness.ready)},
		{get, "/metrics", public, plain(metricsDoc, metrics(d.Metrics))},
		{get, "/openapi.json", public, plain(openAPIDoc, document(m.document31))},
		{get, "/openapi-3.0.json", public, plain(openAPI30Doc, document(m.document30))},
		{get, "/docs", public, plain(docsDoc, docs())},
	}
}
