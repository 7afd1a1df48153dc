package e2e

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// An app reports what its user allows, and without personal data.
func TestAnAppReportsWhatItsUserAllows(t *testing.T) {
	t.Parallel()
	p := install(t).tenant(t)
	p.known()
	app := newPhone(t, p.url, p.slug)
	app.options = `{"requireConsent":true}`
	app.start()
	app.say(object{"do": "user", "name": "u-7"})
	app.say(object{"do": "breadcrumb", "name": "Basket"})
	app.say(object{"do": "error", "name": "undecided"})
	app.say(object{"do": "flush"})
	require.False(t, app.stores("undecided"))
	app.say(object{"do": "consent", "state": "true"})
	p.eventually(func() bool { return p.reported("js_error", "undecided") == 1 })
	event := p.list("/v1/ota/telemetry/events?type=js_error")[0]
	require.Equal(t, map[string]any{"user.id": "u-7"}, event["tags"])
	crumbs := event["breadcrumbs"].([]any)
	require.Len(t, crumbs, 1)
	crumb := crumbs[0].(map[string]any)
	require.Equal(t, []any{"navigation", "Basket", "info", map[string]any{"from": "Home"}},
		[]any{crumb["category"], crumb["message"], crumb["level"], crumb["data"]})
	text, err := json.Marshal(event)
	require.NoError(t, err)
	require.NotContains(t, string(text), "example.com")
	require.NotContains(t, string(text), "the name of")

	app.say(object{"do": "consent", "state": "false"})
	app.say(object{"do": "error", "name": "refused"})
	app.say(object{"do": "flush"})
	app.kill()
	app.start()
	app.say(object{"do": "error", "name": "refused"})
	app.say(object{"do": "flush"})
	require.False(t, app.stores("refused"))
	app.options = `{"requireConsent":true,"sendPersonalData":true}`
	app.kill()
	app.start()
	app.say(object{"do": "consent", "state": "true"})
	app.say(object{"do": "user", "name": "u-8"})
	app.say(object{"do": "error", "name": "allowed"})
	p.eventually(func() bool { return p.reported("js_error", "allowed") == 1 })
	require.Zero(t, p.reported("js_error", "refused"))
	require.Equal(t, map[string]any{"user.id": "u-8", "user.email": "u-8@example.com", "user.username": "the name of u-8"},
		p.list("/v1/ota/telemetry/events?type=js_error&search=allowed")[0]["tags"])
}
