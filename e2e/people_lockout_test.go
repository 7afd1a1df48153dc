package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// signInFrom signs in from the address, and returns the response.
func (p *tenant) signInFrom(address, email, password string) answer {
	p.t.Helper()
	return p.do(request{
		method: http.MethodPost, path: "/v1/auth/login", body: object{"email": email, "password": password},
	}.with("Authorization", "").with("X-Forwarded-For", address))
}

// guessFromManyNetworks guesses the password once from each of 25 networks in 198.<block>, which is above the limit of
// an account.
func (p *tenant) guessFromManyNetworks(block int, email string) {
	p.t.Helper()
	for i := range 25 {
		p.signInFrom(fmt.Sprintf("198.%d.%d.1", block, i), email, "a wrong password").problem(401, models.CodeUnauthenticated)
	}
}

// TestNobodyIsLockedOut attacks an account from many networks. The person can still sign in from a network that Waft
// knows, and at the first attempt from any other network, even after a restart. Repeated attempts of the attacker are
// delayed.
func TestNobodyIsLockedOut(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	url, stop := startRole(t, env, app.Role{API: true})
	p := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	who := p.person(models.RoleEditor)
	const home = "203.0.113.7"
	p.signInFrom(home, who.email, goodPassword).record(200)

	p.guessFromManyNetworks(18, who.email)
	delayed := p.signInFrom("198.18.3.1", who.email, goodPassword)
	delayed.problem(429, models.CodeRateLimited)
	require.NotEmpty(t, delayed.header.Get("Retry-After"))
	p.signInFrom(home, who.email, "mistyped").problem(401, models.CodeUnauthenticated)
	p.signInFrom("203.0.113.200", who.email, goodPassword).record(200)
	p.signInFrom("192.0.2.1", who.email, goodPassword).record(200)

	stop()
	p.url, _ = startRole(t, env, app.Role{API: true})
	p.guessFromManyNetworks(19, who.email)
	p.signInFrom("198.19.3.1", who.email, goodPassword).problem(429, models.CodeRateLimited)
	p.signInFrom(home, who.email, "mistyped").problem(401, models.CodeUnauthenticated)
	p.signInFrom(home, who.email, goodPassword).record(200)
	p.signInFrom("192.0.2.9", who.email, "mistyped").problem(401, models.CodeUnauthenticated)
	p.signInFrom("192.0.2.9", who.email, goodPassword).record(200)
	p.signInFrom("100.64.7.1", who.email, goodPassword).record(200)
}

// TestANetworkHasALimitOverAllAccounts guesses at invented addresses from one network until the network has to wait. A
// person who has signed in from that network before does not have to wait.
func TestANetworkHasALimitOverAllAccounts(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	who, other := p.person(models.RoleEditor), p.person(models.RoleEditor)
	p.signInFrom("203.0.113.7", who.email, goodPassword).record(200)
	guesses := 0
	for ; p.signInFrom("203.0.113.66", p.address(), "a wrong password").status == http.StatusUnauthorized; guesses++ {
		require.Less(t, guesses, 100, "the network has no limit")
	}
	require.Greater(t, guesses, 6, "the limit of a network is higher than the limit per account and network")
	p.signInFrom("203.0.113.66", other.email, goodPassword).problem(429, models.CodeRateLimited)
	p.signInFrom("203.0.113.66", who.email, goodPassword).record(200)
	p.signInFrom("192.0.2.1", other.email, goodPassword).record(200)
}

// TestKnownNetworksAreStoredAsHashes checks how Postgres stores the networks of an account.
func TestKnownNetworksAreStoredAsHashes(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	p := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	who := p.person(models.RoleEditor)
	for _, address := range []string{"203.0.113.7", "203.0.113.8", "2001:db8:1:2::1", "2001:db8:1:3::1"} {
		p.signInFrom(address, who.email, goodPassword).record(200)
	}
	const known = ` FROM known_networks JOIN users ON users.id = user_id WHERE email = $1`
	var count int
	p.sqlValue("SELECT count(*)"+known, &count, who.email)
	require.Equal(t, 3, count, "the networks of 127.0.0.1, 203.0.113.7 and 2001:db8:1::")
	var rows string
	p.sqlValue("SELECT string_agg(known_networks::text, ' ')"+known, &rows, who.email)
	for _, part := range []string{"203.0.113", "2001:db8", "127.0.0"} {
		require.NotContains(t, rows, part)
	}

	reset := launch(t, env, "reset-password", who.email)
	require.NoError(t, <-reset.exited, reset.log)
	p.sqlValue("SELECT count(*)"+known, &count, who.email)
	require.Zero(t, count, "a new password must delete the known networks, because an attacker may have used some")
}
