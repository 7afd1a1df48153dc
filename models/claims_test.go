package models

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestClaimsMatch(t *testing.T) {
	t.Parallel()
	token := Claims{
		"repository": "acme/app", "ref": "refs/tags/v1.2/rc", "environment": "staging", "run_number": 7.0, "protected": true,
		"groups": []any{"acme/app"}, "empty": "", "build_tag": "v1",
	}
	for _, c := range []struct {
		rules ClaimRules
		match bool
	}{
		{ClaimRules{"repository": "acme/app"}, true},
		{ClaimRules{"repository": "acme/app", "environment": "staging"}, true},
		{ClaimRules{"repository": "acme/app", "environment": "production"}, false},
		{ClaimRules{"repository": "ACME/app"}, false},
		{ClaimRules{"repository": "acme/app "}, false},
		{ClaimRules{"repository": "acme/ap"}, false},
		{ClaimRules{"Repository": "acme/app"}, false},
		{ClaimRules{"absent": ""}, false},
		{ClaimRules{"run_number": "7"}, false},
		{ClaimRules{"protected": "true"}, false},
		{ClaimRules{"groups": "acme/app"}, false},
		{ClaimRules{}, false},
		{nil, false},
		{ClaimRules{"ref": "refs/tags/*"}, true},
		{ClaimRules{"ref": "refs/tags/v1.2/rc*"}, false}, // * is not nothing
		{ClaimRules{"ref": "refs/tags/v*"}, true},
		{ClaimRules{"ref": "refs/heads/*"}, false},
		{ClaimRules{"ref": "refs/tags/v1.2/r?"}, false},
		{ClaimRules{"ref": "refs/tags/[v]*"}, false}, // no other character has a meaning
		{ClaimRules{"ref": "refs/*/v1.2/rc"}, false},
		{ClaimRules{"build_tag": "v*"}, true},
		{ClaimRules{"repository": "acme/*"}, false}, // not a pattern: Validate refuses it
		{ClaimRules{"repository": "*"}, false},
	} {
		require.Equal(t, c.match, c.rules.Match(token), "%v", c.rules)
	}
}

// TestNoOtherRefMatches: what a stranger may name his branch or repository does not match.
func TestNoOtherRefMatches(t *testing.T) {
	t.Parallel()
	rules := ClaimRules{"repository": "acme/app", "ref": "refs/tags/release-*"}
	require.True(t, rules.Match(Claims{"repository": "acme/app", "ref": "refs/tags/release-1"}))
	for _, ref := range []any{
		"refs/heads/refs/tags/release-1", "refs/tags/release-", "refs/tags/Release-1", "refs/pull/1/merge", " refs/tags/release-1",
		"refs/tags/\u2010release-1", "refs/tags/release‐1", nil, 1, []any{"refs/tags/release-1"}, map[string]any{"": "refs/tags/release-1"},
	} {
		require.False(t, rules.Match(Claims{"repository": "acme/app", "ref": ref}), "%v", ref)
	}
	for _, repository := range []any{"acme/app-evil", "evil/acme/app", "acme/app/", "acme%2Fapp", "acme/app\x00", "acme/app\n", "аcme/app"} {
		require.False(t, rules.Match(Claims{"repository": repository, "ref": "refs/tags/release-1"}), "%q", repository)
	}
}

func FuzzClaimsMatch(f *testing.F) {
	f.Add("refs/tags/*", "refs/tags/v1")
	f.Add("refs/heads/main", "refs/heads/main")
	f.Fuzz(func(t *testing.T, rule, value string) {
		matched := ClaimRules{"ref": rule}.Match(Claims{"ref": value})
		prefix, pattern := strings.CutSuffix(rule, "*")
		require.Equal(t, rule == value && !pattern || pattern && strings.HasPrefix(value, prefix) && value != prefix, matched)
		require.Equal(t, rule == value, ClaimRules{"repository": rule}.Match(Claims{"repository": value}))
	})
}

func TestTrustedPublishersAreChecked(t *testing.T) {
	t.Parallel()
	good := func() NewTrustedPublisher {
		return NewTrustedPublisher{
			Issuer: "https://token.actions.githubusercontent.com", Audience: "waft", Claims: ClaimRules{"repository": "acme/app"}, Role: RoleEditor,
		}
	}
	require.NoError(t, NewTrustedPublishers{good()}.Validate())
	require.NoError(t, NewTrustedPublishers{}.Validate())
	for _, claims := range []ClaimRules{
		{"sub": "repo:acme/app:ref:refs/heads/main"}, {"repository_id": "7", "ref": "refs/tags/*"},
		{"project_path": "a/b", "ref_path": "refs/tags/v*"},
		{"organization_slug": "acme", "pipeline_slug": "app", "build_branch": "release/*"},
	} {
		n := good()
		n.Claims = claims
		require.NoError(t, NewTrustedPublishers{n}.Validate(), "%v", claims)
	}
	for _, c := range []struct {
		field  string
		change func(n *NewTrustedPublisher)
	}{
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "http://gitlab.example.com" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https://user:secret@gitlab.example.com" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https://user@gitlab.example.com" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https://gitlab.example.com?x=1" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https://gitlab.example.com/#a" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https:///x" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https://:443" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https://gitlab.example.com/ä" }},
		{"[0].issuer", func(n *NewTrustedPublisher) { n.Issuer = "https://" + strings.Repeat("a", 300) }},
		{"[0].audience", func(n *NewTrustedPublisher) { n.Audience = " " }},
		{"[0].audience", func(n *NewTrustedPublisher) { n.Audience = strings.Repeat("a", 301) }},
		{"[0].role", func(n *NewTrustedPublisher) { n.Role = RoleAdmin }},
		{"[0].role", func(n *NewTrustedPublisher) { n.Role = RoleClient }},
		{"[0].channels", func(n *NewTrustedPublisher) { n.Channels = []string{} }},
		{"[0].channels", func(n *NewTrustedPublisher) { n.Channels = make([]string, 21) }},
		{"[0].channels[0]", func(n *NewTrustedPublisher) { n.Channels = []string{"a b"} }},
		{"[0].channels[1]", func(n *NewTrustedPublisher) { n.Channels = []string{"staging", "staging"} }},
		{"[0].claims", func(n *NewTrustedPublisher) { n.Claims = nil }},
		{"[0].claims", func(n *NewTrustedPublisher) { n.Claims = ClaimRules{"ref": "refs/heads/main"} }},
		{"[0].claims", func(n *NewTrustedPublisher) { n.Claims = ClaimRules{"repository_owner": "acme"} }},
		{"[0].claims", func(n *NewTrustedPublisher) { n.Claims = ClaimRules{"pipeline_slug": "app"} }},
		{"[0].claims.repository", func(n *NewTrustedPublisher) { n.Claims = ClaimRules{"repository": ""} }},
		{"[0].claims.repository", func(n *NewTrustedPublisher) { n.Claims = ClaimRules{"repository": "acme/*"} }},
		{"[0].claims.sub", func(n *NewTrustedPublisher) { n.Claims = ClaimRules{"sub": "repo:acme*"} }},
		{"[0].claims.ref", func(n *NewTrustedPublisher) { n.Claims["ref"] = "*" }},
		{"[0].claims.ref", func(n *NewTrustedPublisher) { n.Claims["ref"] = "refs/*" }},
		{"[0].claims.ref", func(n *NewTrustedPublisher) { n.Claims["ref"] = "v*" }},
		{"[0].claims.ref", func(n *NewTrustedPublisher) { n.Claims["ref"] = "refs/tags/v*.0" }},
		{"[0].claims.ref", func(n *NewTrustedPublisher) { n.Claims["ref"] = "refs/tags/**" }},
		{"[0].claims.build_tag", func(n *NewTrustedPublisher) { n.Claims["build_tag"] = "*" }},
		{"[0].claims.aud", func(n *NewTrustedPublisher) { n.Claims["aud"] = "x" }},
		{"[0].claims.jti", func(n *NewTrustedPublisher) { n.Claims["jti"] = "x" }},
		{"[0].claims.a b", func(n *NewTrustedPublisher) { n.Claims["a b"] = "x" }},
		{"[0].claims.x", func(n *NewTrustedPublisher) { n.Claims["x"] = strings.Repeat("a", 301) }},
		{"[0].claims", func(n *NewTrustedPublisher) {
			for i := range 20 {
				n.Claims[fmt.Sprint("c", i)] = "x"
			}
		}},
	} {
		n := good()
		c.change(&n)
		var e *Error
		require.ErrorAs(t, NewTrustedPublishers{n}.Validate(), &e, "%v", n)
		require.Equal(t, c.field, e.Fields[0].Field, "%v", e)
	}
	var e *Error
	other := good()
	other.Channels = []string{"b", "a"}
	twin := good()
	twin.Channels = []string{"a", "b"}
	require.NoError(t, NewTrustedPublishers{good(), other}.Validate())
	require.ErrorAs(t, NewTrustedPublishers{good(), other, twin}.Validate(), &e)
	require.Equal(t, []FieldError{{"[2]", "is the same as [1]"}}, e.Fields)
	require.Error(t, make(NewTrustedPublishers, 51).Validate())
}

func TestJobName(t *testing.T) {
	t.Parallel()
	const issuer = "https://ci.example.com"
	for want, claims := range map[string]Claims{
		"acme/app@refs/heads/main":        {"repository": "acme/app", "ref": "refs/heads/main", "sub": "x"},
		"group/app@refs/heads/main":       {"project_path": "group/app", "ref": "main", "ref_path": "refs/heads/main"},
		"acme/app@main":                   {"organization_slug": "acme", "pipeline_slug": "app", "build_branch": "main"},
		"acme/app@v1":                     {"organization_slug": "acme", "pipeline_slug": "app", "build_branch": "v1.0", "build_tag": "v1"},
		"system:serviceaccount:ci:deploy": {"sub": "system:serviceaccount:ci:deploy"},
		"a job":                           {"sub": 7.0},
		"acme/app@a b":                    {"repository": "acme/app", "ref": "a\nb"},
	} {
		require.Equal(t, want+" via "+issuer, claims.JobName(issuer))
	}
	long := Claims{"repository": strings.Repeat("ä", 200)}.JobName("https://" + strings.Repeat("x", 200))
	require.LessOrEqual(t, len(long), 200)
	require.Contains(t, long, " via https://")
	var p Problems
	CheckName(&p, "name", long)
	require.Empty(t, p)
}

func TestAuditedClaims(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string]any{"repository": "acme/app", "run": 7.0, "protected": true, "long": strings.Repeat("x", 300)}, Claims{
		"repository": "acme/app", "run": 7.0, "protected": true, "user_email": "jo@example.com", "list": []any{"x"}, "nothing": nil,
		"long": strings.Repeat("x", 400), strings.Repeat("n", 200): "x",
	}.Audited())
}
