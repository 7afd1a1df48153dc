package models

// Quota is a bound on what one project may have. Its text is the name of the setting.
type Quota string

// The quotas. Those of FlagRules and RuleUsers are of one flag and one rule; the one of BuildBytes is of stored files, each
// content once, with its compressed variants, and of parts of files that are not complete; the one of FlagBytes is of the texts of
// flags, variations, rules and segments, with 256 bytes for each; the one of
// Contexts counts pinned and recorded ones; those of Releases and LinkedFlags count what is not deleted, and rollbacks, which never
// wait, add to it beyond the quota.
const (
	QuotaFlags       Quota = "WAFT_QUOTA_FLAGS"
	QuotaFlagRules   Quota = "WAFT_QUOTA_FLAG_RULES"
	QuotaRuleUsers   Quota = "WAFT_QUOTA_RULE_USERS"
	QuotaSegments    Quota = "WAFT_QUOTA_SEGMENTS"
	QuotaFlagBytes   Quota = "WAFT_QUOTA_FLAG_BYTES"
	QuotaChannels    Quota = "WAFT_QUOTA_CHANNELS"
	QuotaBranches    Quota = "WAFT_QUOTA_BRANCHES"
	QuotaReleases    Quota = "WAFT_QUOTA_RELEASES"
	QuotaLinkedFlags Quota = "WAFT_QUOTA_LINKED_FLAGS"
	QuotaPolicies    Quota = "WAFT_QUOTA_POLICIES"
	QuotaWebhooks    Quota = "WAFT_QUOTA_WEBHOOKS"
	QuotaAPIKeys     Quota = "WAFT_QUOTA_API_KEYS"
	QuotaOverrides   Quota = "WAFT_QUOTA_OVERRIDES"
	QuotaBuildBytes  Quota = "WAFT_QUOTA_BUILD_BYTES"
	QuotaContexts    Quota = "WAFT_QUOTA_CONTEXTS"
	QuotaApprovals   Quota = "WAFT_QUOTA_APPROVALS"
)

// Quotas are the limits. A quota without one does not bind.
type Quotas map[Quota]int64

// Check returns CodeQuotaExceeded when a project that has some records may not get more of them. what names them in the
// plural, and whose they are.
func (q Quotas) Check(quota Quota, what string, has, more int64) error {
	limit, bound := q[quota]
	if !bound || more <= 0 || has+more <= limit {
		return nil
	}
	return Errorf(CodeQuotaExceeded, "there would be %d %s, and %s allows %d: delete some, or have the server's operator raise the setting",
		has+more, what, quota, limit)
}
