package models_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func fieldsOf(t testing.TB, err error) (fields []string) {
	t.Helper()
	var e *models.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, models.CodeInvalid, e.Code)
	for _, f := range e.Fields {
		fields = append(fields, f.Field)
	}
	return fields
}

func TestWebhookURLs(t *testing.T) {
	t.Parallel()
	valid := func(url string) error {
		return models.NewWebhook{URL: url, Events: []string{"*"}}.Validate()
	}
	for _, url := range []string{
		"https://example.com", "http://example.com:8080/a/b?c=d", "https://[2001:db8::1]/x", "http://localhost/",
	} {
		require.NoError(t, valid(url), url)
	}
	for _, url := range []string{
		"", " ", "example.com", "/path", "ftp://example.com", "https://", "https:///path", "https://:443/", "https://user@example.com",
		"https://user:word@example.com", "https://example.com/#part", "https://example.com/\x00", "https://exa mple.com/",
		"https://example.com/" + strings.Repeat("x", 2048), "javascript:alert(1)",
	} {
		require.Equal(t, []string{"url"}, fieldsOf(t, valid(url)), url)
	}
}

func TestWebhookEvents(t *testing.T) {
	t.Parallel()
	valid := func(events ...string) error {
		return models.NewWebhook{URL: "https://example.com", Events: events}.Validate()
	}
	var all []string
	for _, e := range models.Events {
		if e.Subscribable() {
			all = append(all, e.Name)
		}
	}
	require.NoError(t, valid(all...))
	require.NoError(t, valid("*"))
	require.NoError(t, valid("*", "build.published"))
	require.Equal(t, []string{"events"}, fieldsOf(t, valid()))
	require.Equal(t, []string{"events[1]", "events[2]"}, fieldsOf(t, valid("build.published", "build.*", "")))
	require.Equal(t, []string{"events[1]"}, fieldsOf(t, valid("flag.created", "flag.created")))
	require.Less(t, len(fieldsOf(t, valid(make([]string, 10_000)...))), 30, "the answer stays short")
}

func TestWebhookSecrets(t *testing.T) {
	t.Parallel()
	valid := func(text string) error {
		secret := models.WebhookSecretOf(text)
		return models.NewWebhook{URL: "https://example.com", Events: []string{"*"}, Secret: &secret}.Validate()
	}
	standard := base64.StdEncoding.EncodeToString([]byte("0123456789abcdef01234567"))
	for text, key := range map[string]string{
		"raw": "raw", "whsec": "whsec", "whsec_" + standard: "0123456789abcdef01234567", "x_whsec_" + standard: "x_whsec_" + standard,
	} {
		require.NoError(t, valid(text), text)
		require.Equal(t, key, string(models.WebhookSecretOf(text).Key()))
		require.Equal(t, text, models.WebhookSecretOf(text).Reveal())
	}
	for _, text := range []string{"", "with space", "tab\t", "ünicode", "whsec_", "whsec_not base64", "whsec_YQ", strings.Repeat("x", 513)} {
		require.Equal(t, []string{"secret"}, fieldsOf(t, valid(text)), text)
	}

	first, second := models.NewWebhookSecret(), models.NewWebhookSecret()
	require.NotEqual(t, first, second)
	require.NoError(t, valid(first.Reveal()))
	require.Len(t, first.Key(), 32)
	require.Equal(t, "…"+first.Reveal()[len(first.Reveal())-4:], first.Hint())
	require.Equal(t, "…", models.WebhookSecretOf("short").Hint(), "four characters of so few would tell too much")
	require.NotContains(t, fmt.Sprintf("%v %+v %#v %s", first, first, first, first), first.Reveal()[6:])
}

func TestAWebhookHasAPortThatThereIs(t *testing.T) {
	t.Parallel()
	for url, ok := range map[string]bool{
		"https://e.example": true, "https://e.example:65535/x": true, "https://e.example:0": false, "https://e.example:65536": false, "https://e.example:": true,
	} {
		err := models.NewWebhook{URL: url, Events: []string{models.AllEvents}}.Validate()
		require.Equal(t, ok, err == nil, "%s: %v", url, err)
	}
}
