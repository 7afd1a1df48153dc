package mail

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Settings{
		"smtp://jo:s%40cret@mail.example.com?from=waft@example.com": {
			Host: "mail.example.com", Port: 587, User: "jo", Password: "s@cret", From: "<waft@example.com>",
		},
		"smtps://jo:secret@mail.example.com?from=Waft%20%3Cwaft@example.com%3E": {
			Host: "mail.example.com", Port: 465, User: "jo", Password: "secret", From: `"Waft" <waft@example.com>`, Implicit: true,
		},
		"smtp://[::1]:2525?from=waft@example.com&tls=none": {Host: "::1", Port: 2525, From: "<waft@example.com>", Plain: true},
	} {
		s, err := ParseURL(text)
		require.NoError(t, err, text)
		require.Equal(t, want, s)
	}
	for text, want := range map[string]string{
		"mail.example.com:587":                                        "must be smtp://",
		"https://mail.example.com?from=waft@example.com":              "must be smtp://",
		"smtp:///?from=waft@example.com":                              "must be smtp://",
		"smtp://mail.example.com/x?from=waft@example.com":             "must be smtp://",
		"smtp://mail.example.com:99999?from=waft@example.com":         "port from 1 to 65535",
		"smtp://mail.example.com":                                     "?from=waft@example.com",
		"smtp://mail.example.com?from=nobody":                         "?from=waft@example.com",
		"smtp://mail.example.com?from=a@example.com%0D%0ABcc:b@c.d":   "?from=waft@example.com",
		"smtp://mail.example.com?from=waft@example.com&auth=plain":    `unknown parameter "auth"`,
		"smtp://mail.example.com?from=waft@example.com&tls=maybe":     "tls=none only",
		"smtps://mail.example.com?from=waft@example.com&tls=none":     "tls=none only",
		"smtp://jo:x@mail.example.com?from=waft@example.com&tls=none": "remove tls=none",
	} {
		_, err := ParseURL(text)
		require.ErrorContains(t, err, want, text)
		require.NotContains(t, err.Error(), "jo:x")
	}
}
