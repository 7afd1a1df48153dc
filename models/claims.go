package models

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Claims are the claims of an ID token about the CI job that presents it.
type Claims map[string]any

const (
	maxClaimRules     = 16
	maxClaimNameBytes = 100
	maxClaimBytes     = 300
	// maxAuditedClaims is the maximum number of a token's claims in the audit log.
	maxAuditedClaims = 40
	maxJobNameBytes  = 200
)

// ClaimRules maps the names of claims that a token must have to their required values. The claim must be a string that
// equals the value. For patternClaims the value may end in *, which stands for any string that is not empty.
type ClaimRules map[string]string

// patternClaims are the claims about the ref that was built. Their values may be patterns, because a git ref cannot contain
// a *. Claims about the repository must be exact: the pattern acme* would also match a repository of acme-evil.
var patternClaims = []string{"ref", "ref_path", "build_branch", "build_tag"}

// refPrefixes are the prefixes allowed for patterns of ref and ref_path. The pattern refs/* would match pull requests, too.
var refPrefixes = []string{"refs/heads/", "refs/tags/"}

// pins are sets of claims that identify the repository, pipeline or subject of a token. The rules must include at least one
// complete set. Otherwise a publisher would trust every user of a public CI system.
var pins = [][]string{
	{"sub"}, {"repository"}, {"repository_id"}, {"project_path"}, {"project_id"},
	{"organization_slug", "pipeline_slug"}, {"organization_id", "pipeline_id"}, {"organization_slug", "pipeline_id"},
	{"organization_id", "pipeline_slug"},
}

// ownClaims are checked for every token, so rules cannot name them.
var ownClaims = []string{"iss", "aud", "exp", "nbf", "iat", "jti"}

// Match reports whether claims satisfy every rule.
func (r ClaimRules) Match(claims Claims) bool {
	for name, rule := range r {
		value, isText := claims[name].(string)
		if !isText || !matchesRule(name, rule, value) {
			return false
		}
	}
	return len(r) > 0
}

func matchesRule(name, rule, value string) bool {
	prefix, isPattern := strings.CutSuffix(rule, "*")
	if !isPattern || !slices.Contains(patternClaims, name) {
		return value == rule
	}
	return len(value) > len(prefix) && strings.HasPrefix(value, prefix)
}

func (r ClaimRules) check(p *Problems, field string) {
	if len(r) == 0 {
		p.Add(field, "is required: name the repository that may publish, such as {\"repository\": \"acme/app\", \"ref\": \"refs/heads/main\"}")
		return
	}
	if len(r) > maxClaimRules {
		p.Add(field, "must have at most %d claims", maxClaimRules)
		return
	}
	for _, name := range slices.Sorted(maps.Keys(r)) {
		at := fmt.Sprintf("%s.%s", field, StorableText(name, maxClaimNameBytes))
		switch {
		case name == "" || len(name) > maxClaimNameBytes || !isVisibleASCII(name):
			p.Add(at, "must have a name of 1 to %d visible ASCII characters", maxClaimNameBytes)
		case slices.Contains(ownClaims, name):
			p.Add(at, "cannot be used as a rule: Waft checks this claim for every token")
		default:
			checkRequiredText(p, at, r[name], maxClaimBytes)
			checkPattern(p, at, name, r[name])
		}
	}
	whole := func(claim string) bool { return r[claim] != "" }
	if !slices.ContainsFunc(pins, func(pin []string) bool { return !slices.ContainsFunc(pin, func(c string) bool { return !whole(c) }) }) {
		p.Add(field, "must include a claim that identifies the repository or project: repository (GitHub), project_path (GitLab), "+
			"organization_slug with pipeline_slug (Buildkite), or sub")
	}
}

// checkPattern accepts a * only at the end of a valid pattern.
func checkPattern(p *Problems, field, name, rule string) {
	at := strings.IndexByte(rule, '*')
	prefix := rule[:max(0, at)]
	switch {
	case at < 0:
	case !slices.Contains(patternClaims, name):
		p.Add(field, "must be an exact value: only %s may contain a *", strings.Join(patternClaims, ", "))
	case at != len(rule)-1:
		p.Add(field, "may have a * only at its end")
	case name == "ref" || name == "ref_path":
		if !slices.ContainsFunc(refPrefixes, func(begin string) bool { return strings.HasPrefix(prefix, begin) }) {
			p.Add(field, "must begin with refs/heads/ or refs/tags/ if it ends in *")
		}
	case prefix == "":
		p.Add(field, "must have something before the *; leave the claim out to allow every value")
	}
}

// JobName returns a name for the job that a token belongs to, such as "acme/app@refs/heads/main via https://…".
func (c Claims) JobName(issuer string) string {
	text := func(name string) string { v, _ := c[name].(string); return v }
	where := cmp.Or(text("repository"), text("project_path"))
	if pipeline := text("pipeline_slug"); where == "" && pipeline != "" {
		where = text("organization_slug") + "/" + pipeline
	}
	what := cmp.Or(text("ref_path"), text("ref"), text("build_tag"), text("build_branch"))
	if where == "" {
		where, what = cmp.Or(text("sub"), "a job"), ""
	}
	if what != "" {
		where += "@" + what
	}
	via := " via " + issuer
	name := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, where)
	return StorableText(StorableText(name, max(maxJobNameBytes/2, maxJobNameBytes-len(via)))+via, maxJobNameBytes)
}

// Audited returns the claims that the audit log keeps: strings, numbers and booleans, without email addresses.
func (c Claims) Audited() map[string]any {
	kept := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if len(kept) == maxAuditedClaims {
			break
		}
		if len(name) > maxClaimNameBytes || !IsText(name) || strings.Contains(name, "email") {
			continue
		}
		switch value := c[name].(type) {
		case string:
			kept[name] = StorableText(value, maxClaimBytes)
		case float64, bool:
			kept[name] = value
		}
	}
	return kept
}
