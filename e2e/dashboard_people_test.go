package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// signInEveryWay configures a server to offer passkeys, which require a public URL, and an identity provider with
// people of these names.
func signInEveryWay(t *testing.T, env map[string]string, names ...string) {
	t.Helper()
	env["WAFT_LISTEN_ADDR"] = freeAddress(t)
	env["WAFT_BASE_URL"] = "http://" + strings.Replace(env["WAFT_LISTEN_ADDR"], "127.0.0.1", "localhost", 1)
	provider := newIdentityProvider(t, func() string { return env["WAFT_BASE_URL"] + "/v1/auth/oidc/zitadel/callback" })
	for _, name := range names {
		provider.put(name, name+"@example.com", true)
	}
	env["WAFT_OIDC_PROVIDERS"] = string(mustJSON(t, []object{{
		"id": "zitadel", "name": "Zitadel", "issuer": provider.URL, "clientId": "waft", "clientSecret": "secret",
	}}))
}

// serveSessionAges lets the browser tests make sessions older. POST /old?email= makes a person's sessions 16 minutes
// older, and POST /expired?email= lets them expire. POST /verified?email= verifies the person's address, as an operator
// does.
func serveSessionAges(t *testing.T, databaseURL string) string {
	t.Helper()
	db, err := pgxpool.New(t.Context(), databaseURL)
	require.NoError(t, err)
	t.Cleanup(db.Close)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const ofPerson = " WHERE user_id = (SELECT id FROM users WHERE email = $1)"
		statement := map[string]string{
			"/old":      "UPDATE sessions SET created_at = created_at - interval '16 minutes'" + ofPerson,
			"/expired":  "UPDATE sessions SET expires_at = now()" + ofPerson,
			"/verified": "UPDATE users SET email_verified = true WHERE email = $1",
		}[r.URL.Path]
		done, err := db.Exec(r.Context(), statement, r.URL.Query().Get("email"))
		if err != nil || done.RowsAffected() == 0 {
			http.Error(w, "nothing was changed", http.StatusInternalServerError)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}
