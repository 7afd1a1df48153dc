package api

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// A session of a terminal cannot add a way to sign in, which would outlive the session. It may do what the CLI does.
func TestASessionOfATerminalAddsNoWayToSignIn(t *testing.T) {
	t.Parallel()
	owner := models.User{ID: 310, Email: "owner@example.com", IsOwner: true}
	for path, body := range map[string]string{
		"/v1/auth/passkeys/register/begin":  "",
		"/v1/auth/passkeys/register/finish": `{"name":"x","credential":{}}`,
		"/v1/auth/oidc/okta/link":           `{}`,
		"/v1/auth/password":                 `{"new":"another good one"}`,
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			call := request{method: http.MethodPost, path: path, body: body, header: map[string]string{"Content-Type": "application/json"}}
			call.session = w.addSessionBy(models.LoginTerminal, owner, now)
			require.Contains(t, w.problem(w.do(call), 403, models.CodeForbidden).Detail, "use the dashboard in your browser")
			call.session = w.addSessionBy(models.LoginPasskey, owner, now)
			require.NotEqual(t, 403, w.do(call).Code)
		})
	}
	w := newTestAPI(t)
	terminal := w.addSessionBy(models.LoginTerminal, owner, now)
	for path, body := range map[string]string{
		"/v1/ota/api-keys": `{"name":"ci","role":"editor"}`, "/v1/ota/invitations": `{"email":"kim@example.com","role":"viewer"}`,
	} {
		require.Equal(t, 201, w.do(request{method: http.MethodPost, path: path, body: body, session: terminal}).Code, path)
	}
}
