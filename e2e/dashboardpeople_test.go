package e2e

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// dashboardPeople is what browser tests need to sign people in besides passwords: an identity provider, and a way to
// make logins old.
type dashboardPeople struct {
	provider *identityProvider
	logins   *httptest.Server
}

// withPeople sets the settings of a server that offers an identity provider.
func withPeople(t *testing.T, env map[string]string) *dashboardPeople {
	t.Helper()
	p := &dashboardPeople{provider: newIdentityProvider(t)}
	for _, name := range []string{"sasha", "robin"} {
		p.provider.put(name, name+"@example.com", true)
	}
	env["WAFT_OIDC_PROVIDERS"] = p.provider.settings(t)
	db, err := pgxpool.New(t.Context(), env["DATABASE_URL"])
	require.NoError(t, err)
	t.Cleanup(db.Close)
	p.logins = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		done, err := db.Exec(r.Context(), `UPDATE sessions SET created_at = created_at - interval '16 minutes'
			WHERE user_id = (SELECT id FROM users WHERE email = $1)`, r.URL.Query().Get("email"))
		if err != nil || done.RowsAffected() == 0 {
			http.Error(w, "no session was made older", http.StatusInternalServerError)
		}
	}))
	t.Cleanup(p.logins.Close)
	return p
}

// at tells the provider where the server is, by the name that passkeys need, and returns that address.
func (p *dashboardPeople) at(address string) string {
	address = strings.Replace(address, "127.0.0.1", "localhost", 1)
	p.provider.allow(address + "/v1/auth/oidc/zitadel/callback")
	return address
}

func (p *dashboardPeople) env() []string { return []string{"WAFT_OLD_LOGINS=" + p.logins.URL} }
