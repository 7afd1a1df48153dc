package config

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A wrong mail server is reported at the start, by the name of its setting and without its password.
func TestTheMailServerIsChecked(t *testing.T) {
	t.Parallel()
	_, err := FromMap(map[string]string{"WAFT_SMTP_URL": "smtp://jo:hunter2@mail.example.com"})
	require.ErrorContains(t, err, "WAFT_SMTP_URL must name the sender")
	require.ErrorContains(t, err, "WAFT_BASE_URL is required with WAFT_SMTP_URL, because links in mails begin with it")
	require.NotContains(t, err.Error(), "hunter2")
	_, err = FromMap(map[string]string{
		"WAFT_SMTP_URL": "smtps://jo:hunter2@mail.example.com?from=waft@example.com", "WAFT_BASE_URL": "https://ota.example.com",
	})
	require.NotContains(t, err.Error(), "WAFT_SMTP_URL")
}
