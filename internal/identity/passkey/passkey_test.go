package passkey

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDomainIsThatOfTheURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]struct{ id, origin string }{
		"https://ota.example.com":      {"ota.example.com", "https://ota.example.com"},
		"https://ota.example.com:8443": {"ota.example.com", "https://ota.example.com:8443"},
		"https://example.com/waft":     {"example.com", "https://example.com"},
		"http://localhost:8080":        {"localhost", "http://localhost:8080"},
	} {
		party, err := New(url)
		require.NoError(t, err, url)
		require.Equal(t, want.id, party.ID())
		require.Equal(t, []string{want.origin}, party.library.Config.RPOrigins)
	}
	for url, says := range map[string]string{
		"":                       "not set",
		"http://ota.example.com": "https",
		"https://192.0.2.7":      "no domain",
		"https://[2001:db8::1]":  "no domain",
		"http://192.0.2.7:8080":  "https",
		"https://":               "no domain",
	} {
		party, err := New(url)
		require.ErrorContains(t, err, says, url)
		require.Nil(t, party)
	}
}
