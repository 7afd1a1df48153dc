package models

// Quota is a limit on the records or bytes of one project. Its value is the name of the setting.
type Quota string

// All quotas apply to one project, except QuotaFlagRules (one flag) and QuotaRuleUsers (one rule).
const (
	QuotaFlags     Quota = "WAFT_QUOTA_FLAGS"
	QuotaFlagRules Quota = "WAFT_QUOTA_FLAG_RULES"
	QuotaRuleUsers Quota = "WAFT_QUOTA_RULE_USERS"
	QuotaSegments  Quota = "WAFT_QUOTA_SEGMENTS"
	// QuotaFlagBytes counts the bytes of the texts of flags, variations, rules and segments, plus 256 bytes for each record.
	QuotaFlagBytes Quota = "WAFT_QUOTA_FLAG_BYTES"
	QuotaChannels  Quota = "WAFT_QUOTA_CHANNELS"
	QuotaBranches  Quota = "WAFT_QUOTA_BRANCHES"
	// QuotaReleases and QuotaLinkedFlags count releases that are not deleted. A rollback is never refused, so rollbacks can
	// exceed these quotas.
	QuotaReleases    Quota = "WAFT_QUOTA_RELEASES"
	QuotaLinkedFlags Quota = "WAFT_QUOTA_LINKED_FLAGS"
	QuotaPolicies    Quota = "WAFT_QUOTA_POLICIES"
	QuotaWebhooks    Quota = "WAFT_QUOTA_WEBHOOKS"
	QuotaAPIKeys     Quota = "WAFT_QUOTA_API_KEYS"
	QuotaOverrides   Quota = "WAFT_QUOTA_OVERRIDES"
	// QuotaBuildBytes counts the bytes of stored files with their compressed variants, each content once, and of partial files.
	QuotaBuildBytes Quota = "WAFT_QUOTA_BUILD_BYTES"
	// QuotaContexts counts both pinned contexts and contexts that evaluations recorded.
	QuotaContexts  Quota = "WAFT_QUOTA_CONTEXTS"
	QuotaApprovals Quota = "WAFT_QUOTA_APPROVALS"
)

// Quotas maps each quota to its limit. A quota that is missing is unlimited.
type Quotas map[Quota]int64

// Check returns CodeQuotaExceeded if more records would exceed the quota of a project that already has some. what is a plural noun
// that describes the records and their owner.
func (q Quotas) Check(quota Quota, what string, has, more int64) error {
	limit, bound := q[quota]
	if !bound || more <= 0 || has+more <= limit {
		return nil
	}
	return Errorf(CodeQuotaExceeded, "there would be %d %s, but %s allows %d; delete some, or ask the server's operator to raise the setting",
		has+more, what, quota, limit)
}
