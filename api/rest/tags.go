package rest

// Tags of the document, in the order in which it lists them.
const (
	TagDevices    = "Devices"
	TagProjects   = "Projects"
	TagSignIn     = "Signing in"
	TagMembers    = "Members"
	TagKeys       = "API keys"
	TagBuilds     = "Builds"
	TagUpdates    = "Updates"
	TagBranches   = "Branches"
	TagChannels   = "Channels"
	TagFlags      = "Feature flags"
	TagOFREP      = "OFREP"
	TagSegments   = "Segments"
	TagPolicies   = "Rollout policies"
	TagExecutions = "Rollout executions"
	TagApprovals  = "Approvals"
	TagOverrides  = "User overrides"
	TagContexts   = "Contexts"
	TagWebhooks   = "Webhooks"
	TagSigning    = "Code signing"
	TagAudit      = "Audit log"
	TagTelemetry  = "Telemetry"
	TagRetention  = "Retention"
	TagSystem     = "System"
)
