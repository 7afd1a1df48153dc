package flags

import (
	"strings"

	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// rule is a rule of a flag, ready to be matched. Its type determines which fields are set.
type rule struct {
	*models.FlagRule
	// outcome is the result when the rule matches. A split uses the outcomes of its shares instead.
	outcome *Outcome

	users map[string]struct{}

	// salt, bucketBy and shares belong to a split.
	salt     string
	bucketBy attribute
	shares   []rolloutShare

	// any and conditions are the conditions of an attribute rule, or of the segment.
	any        bool
	conditions []condition

	update *updateCondition
}

// rolloutShare is a range of buckets, from the end of the previous share up to end, exclusive.
type rolloutShare struct {
	end     uint32
	outcome *Outcome
}

// match returns the outcome if the rule matches the context, otherwise nil. It explains the match if why is not nil. A split
// matches those contexts that both fulfil its conditions and are in one of its shares.
func (r *rule) match(c *Context, why *RuleExplanation) *Outcome {
	applies := false
	switch r.RuleType {
	case models.RuleUserList:
		_, applies = r.users[c.TargetingKey]
	case models.RulePercentageRollout:
		applies = true
	case models.RuleAttribute, models.RuleSegment:
		applies = len(r.conditions) > 0 && satisfied(r.conditions, r.any, c, why)
	case models.RuleOTAUpdate:
		applies = r.update.holds(c)
	}
	if why != nil {
		why.applies = applies
	}
	switch {
	case !applies:
		return nil
	case len(r.shares) > 0:
		return r.shareOf(c, why)
	}
	return r.outcome
}

// shareOf returns the outcome of the share that contains the context, or nil.
func (r *rule) shareOf(c *Context, why *RuleExplanation) *Outcome {
	id, known := r.bucketID(c)
	if why != nil {
		why.Threshold = &r.shares[len(r.shares)-1].end
	}
	if !known {
		// A share of 100% includes contexts without an ID.
		if r.shares[0].end >= rollout.Buckets {
			return r.shares[0].outcome
		}
		return nil
	}
	bucket := rollout.Bucket(r.salt, id)
	if why != nil {
		why.Bucket = new(bucket) // with &bucket, every evaluation would allocate
	}
	for i := range r.shares {
		if bucket < r.shares[i].end {
			if why != nil {
				why.Threshold = &r.shares[i].end
			}
			return r.shares[i].outcome
		}
	}
	return nil
}

// bucketID returns the ID that decides the bucket of a context.
func (r *rule) bucketID(c *Context) (id string, known bool) {
	if r.bucketBy.name == "" {
		return c.TargetingKey, c.TargetingKey != ""
	}
	id, known = c.get(r.bucketBy).string()
	return id, known && id != ""
}

// updateCondition compares the running release. Every field that is set must hold.
type updateCondition struct {
	runtimeVersion *models.VersionCondition
	bound          version
	comparable     bool // bound is a valid version
	branch         string
	withinDays     *float64
	updateUUID     string
}

func compileUpdateCondition(c models.RuleConfig) *updateCondition {
	u := &updateCondition{
		runtimeVersion: c.RuntimeVersion, branch: c.Branch, withinDays: c.UpdatedWithinDays, updateUUID: strings.ToLower(c.UpdateUUID),
	}
	if c.RuntimeVersion != nil {
		u.bound, u.comparable = parseVersion(c.RuntimeVersion.Value)
	}
	return u
}

func (u *updateCondition) holds(c *Context) bool {
	return u.fitsVersion(c) && (u.branch == "" || u.branch == c.Update.Branch) &&
		(u.updateUUID == "" || u.isUpdate(c)) && u.fitsAge(c)
}

func (u *updateCondition) isUpdate(c *Context) bool {
	return u.updateUUID == c.Update.UUID || u.updateUUID == c.Update.Alias
}

// fitsVersion compares runtime versions as semantic versions. For the operator eq, equal strings fit even if they are
// not versions.
func (u *updateCondition) fitsVersion(c *Context) bool {
	if u.runtimeVersion == nil {
		return true
	}
	running, ok := c.get(attribute{"ota.runtime_version", builtinUpdateRuntimeVersion}).string()
	if !ok {
		return false
	}
	if u.runtimeVersion.Operator == models.OpEq && running == u.runtimeVersion.Value {
		return true
	}
	v, ok := parseVersion(running)
	if !ok || !u.comparable {
		return false
	}
	return ordered(u.runtimeVersion.Operator, v.compare(u.bound))
}

func (u *updateCondition) fitsAge(c *Context) bool {
	if u.withinDays == nil {
		return true
	}
	days, ok := c.updateAge()
	return ok && days <= *u.withinDays
}
