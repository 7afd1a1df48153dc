package models

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPatternsAreCommonToRE2AndECMAScript(t *testing.T) {
	t.Parallel()
	for pattern, texts := range map[string]struct{ matched, not []string }{
		`^1\.`:               {[]string{"1.9"}, []string{"21."}},
		`^.$`:                {[]string{"a", "é", "🚀"}, []string{"", "ab", "\n", "\r", "\u2028", "\u2029"}},
		`^\s+$`:              {[]string{" ", "\t\v\u00a0\ufeff\u3000"}, []string{"", "x", "\u200b"}},
		`^\S$`:               {[]string{"x", "\u200b"}, []string{" ", "\v", "\u2028"}},
		`^[\s\d]+$`:          {[]string{"1 \u00a02"}, []string{"a"}},
		`^[^a-c\]\-]$`:       {[]string{"d", "["}, []string{"a", "]", "-"}},
		`^(?:pro|team)-\w+$`: {[]string{"pro-1", "team-a_b"}, []string{"free-1", "pro-é"}},
		`a{2,3}b{2}c{1,}`:    {[]string{"aabbc", "aaabbcc"}, []string{"abbc", "aabc"}},
		`\bnew\b`:            {[]string{"a new one"}, []string{"renewed"}},
		`^\x41\/\{\}$`:       {[]string{"A/{}"}, []string{"a/{}"}},
		`(a+)+$|^$`:          {[]string{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", ""}, []string{"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}},
		`größe?`:             {[]string{"größe", "größ"}, []string{"grosse"}},
		`^[a-]$`:             {[]string{"a", "-"}, []string{"b"}},
	} {
		p, err := ParseFlagPattern(pattern)
		require.NoError(t, err, pattern)
		for _, text := range texts.matched {
			require.True(t, p.MatchString(text), "%s %q", pattern, text)
		}
		for _, text := range texts.not {
			require.False(t, p.MatchString(text), "%s %q", pattern, text)
		}
	}
	for _, pattern := range []string{
		`(`, `)`, `[`, `[]`, `[^]`, `[]a]`, `[z-a]`, `[a-\d]`, `[\d-z]`, `[[:alpha:]]`, `[a[b]`, `[\S]`, `[\b]`, `*a`, `a**`, `a++`, `a{2}{3}`,
		`a{,2}`, `a{`, `{`, `}`, `]`, `a{2,1}`, `a{2000}`, `^*`, `$+`, `\b?`, `\B{2}`, `(?i)a`, `(?i:a)`, `(?=a)`, `(?!a)`, `(?<=a)`, `(?<n>a)`, `(?P<n>a)`,
		`\1`, `\k<n>`, `\p{L}`, `\pL`, `\A`, `\z`, `\Q.\E`, `\C`, `\a`, `\e`, `\0`, `\07`, `\u0041`, `\u{1F600}`, `\x{41}`, `\x4`, `\cA`, `\-`, `\_`, `\é`, `\`,
	} {
		_, err := ParseFlagPattern(pattern)
		require.Error(t, err, pattern)
	}
}

func FuzzPatterns(f *testing.F) {
	for _, pattern := range []string{`^1\.`, `[^a-c\]\-]`, `(?:a|b){2,3}`, `\s[\s]`, `\`, `[`, `(?`, `a{`, `\x4`, `\é`} {
		f.Add(pattern, "a1. ")
	}
	f.Fuzz(func(_ *testing.T, pattern, text string) {
		if p, err := ParseFlagPattern(pattern); err == nil {
			p.MatchString(text)
		}
	})
}
