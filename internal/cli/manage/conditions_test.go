package manage

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/command"
)

func TestConditionsOnTheCommandLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]parsedCondition{
		"plan eq beta":                {"plan", "eq", []any{"beta"}},
		`plan in ["beta", "staff"]`:   {"plan", "in", []any{"beta", "staff"}},
		"seats gte 3":                 {"seats", "gte", []any{3.0}},
		`version semver_gte "2.0"`:    {"version", "semver_gte", []any{"2.0"}},
		"version semver_gte 2.0.0":    {"version", "semver_gte", []any{"2.0.0"}},
		"  email   exists ":           {"email", "exists", []any{}},
		"name eq Ada Lovelace":        {"name", "eq", []any{"Ada Lovelace"}},
		`isStaff neq true`:            {"isStaff", "neq", []any{true}},
		`path matches ^/shop/[0-9]+$`: {"path", "matches", []any{"^/shop/[0-9]+$"}},
	} {
		got, err := parseCondition(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "plan", "plan eq", "plan is beta", "plan exists beta"} {
		_, err := parseCondition(text)
		require.ErrorAs(t, err, new(*command.UsageError), text)
		require.ErrorContains(t, err, "--condition")
	}
}

func TestSharesOnTheCommandLine(t *testing.T) {
	t.Parallel()
	got, err := parseShares([]string{"true=12.5", "a=b=87.5%"})
	require.NoError(t, err)
	require.Equal(t, []map[string]any{{"variantValue": "true", "weight": 12.5}, {"variantValue": "a=b", "weight": 87.5}}, got)
	for _, text := range []string{"true", "true=", "true=x"} {
		_, err := parseShares([]string{text})
		require.ErrorContains(t, err, "--share must be VALUE=PERCENTAGE", text)
	}
}

// An export of the audit log can contain strings that make terminals act, and a last line without an end.
func TestExportedLinesAreDisplayedOnly(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, copyLines(&out, strings.NewReader("{\"a\":\"\u009b2J\"}\n{\"end\":true}"), true))
	require.Equal(t, "{\"a\":\"\\u009b2J\"}\n{\"end\":true}\n", out.String())
	out.Reset()
	require.NoError(t, copyLines(&out, strings.NewReader("id,who\r\n1,\x1b[2Jada\r\n"), false))
	require.Equal(t, "id,who\n1,[2Jada\n", out.String())
}
