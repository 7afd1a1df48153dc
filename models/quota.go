package models

// Quota is a bound on what one project may have. Its text is the name of the setting.
type Quota string

// QuotaContexts is of contexts, both pinned and recorded ones.
const QuotaContexts Quota = "WAFT_QUOTA_CONTEXTS"

// Quotas are the limits. A quota without one does not bind.
type Quotas map[Quota]int64

// Check returns CodeQuotaExceeded when a project that has some records may not get more of them. what names them in the
// plural, and whose they are.
func (q Quotas) Check(quota Quota, what string, has, more int64) error {
	limit, bound := q[quota]
	if !bound || more <= 0 || has+more <= limit {
		return nil
	}
	return Errorf(CodeQuotaExceeded, "there would be %d %s, and %s allows %d: delete some, or have the operator of the server raise the setting",
		has+more, what, quota, limit)
}
