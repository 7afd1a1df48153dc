package models

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMaskedURL(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"https://example.com":                       "https://example.com",
		"https://example.com/":                      "https://example.com/",
		"https://example.com/hooks/waft":            "https://example.com/hooks/waft",
		"https://example.com/on_change.php/v2":      "https://example.com/on_change.php/v2",
		"http://[::1]:8080/v1/hook":                 "http://[::1]:8080/v1/hook",
		"https://example.com/hook?":                 "https://example.com/hook?",
		"https://user:word@example.com/hook":        "https://…@example.com/hook",
		"https://token@example.com":                 "https://…@example.com",
		"https://example.com/hook?token=abc&b=":     "https://example.com/hook?token=…&b=",
		"https://example.com/?s3cr3ttoken":          "https://example.com/?…",
		"https://example.com/?a&b":                  "https://example.com/?a&b",
		"https://h/a%2Fb/onlylettersbutverylong/x/": "https://h/a%2Fb/…/x/",
		"https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX": "https://hooks.slack.com/services/…/…/…",
		"https://discord.com/api/webhooks/1234567890/abcDEF-ghi_JKL":                    "https://discord.com/api/webhooks/…/…",
		"https://hooks.zapier.com/hooks/catch/123456/3abc4d":                            "https://hooks.zapier.com/hooks/catch/…/…",
	} {
		require.Equal(t, want, Webhook{URL: raw}.MaskedURL(), raw)
	}
}

func TestHideURLSecrets(t *testing.T) {
	t.Parallel()
	const url = "https://h/services/T00000000/a%20secret%20with%20spaces?token=abc123def&x=1"
	require.Equal(t, "Cannot POST /services/…/…?token=…&x=1", HideURLSecrets("Cannot POST /services/T00000000/a%20secret%20with%20spaces?token=abc123def&x=1", url))
	require.Equal(t, "no '…'", HideURLSecrets("no 'a secret with spaces'", url))
	require.Equal(t, "unchanged 1", HideURLSecrets("unchanged 1", url))
}

func TestAMaskIsNoURL(t *testing.T) {
	t.Parallel()
	n := NewWebhook{URL: "https://example.com/services/…", Events: []string{"*"}}
	require.ErrorContains(t, n.Validate(), "where a secret is hidden")
}
