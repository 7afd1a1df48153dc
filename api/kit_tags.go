package api

// Tags of the document, in the order in which it lists them.
const (
	tagDevices    = "Devices"
	tagProjects   = "Projects"
	tagSignIn     = "Signing in"
	tagMembers    = "Members"
	tagKeys       = "API keys"
	tagBuilds     = "Builds"
	tagUpdates    = "Updates"
	tagBranches   = "Branches"
	tagChannels   = "Channels"
	tagFlags      = "Feature flags"
	tagOFREP      = "OFREP"
	tagSegments   = "Segments"
	tagPolicies   = "Rollout policies"
	tagExecutions = "Rollout executions"
	tagApprovals  = "Approvals"
	tagOverrides  = "User overrides"
	tagContexts   = "Contexts"
	tagWebhooks   = "Webhooks"
	tagSigning    = "Code signing"
	tagAudit      = "Audit log"
	tagTelemetry  = "Telemetry"
	tagRetention  = "Retention"
	tagSystem     = "System"
)
