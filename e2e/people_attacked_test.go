package e2e

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/models"
)

// TestOperatorsSeeAnAccountUnderAttack guesses the passwords of two accounts from many networks. The metrics count the
// attempts that had to wait, and the log names each account once, by its ID.
func TestOperatorsSeeAnAccountUnderAttack(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	var log serverLog
	url, _ := startLogging(t, env, app.Role{API: true}, slog.New(slog.NewTextHandler(&log, nil)))
	p := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	attacked := []human{p.person(models.RoleEditor), p.person(models.RoleEditor)}
	delayed := func(limit string) float64 {
		return p.metric(fmt.Sprintf("waft_rate_limited_total{limit=%q}", "logins_"+limit))
	}
	lines := func(who human) int {
		var id int64
		p.sqlValue("SELECT id FROM users WHERE email = $1", &id, who.email)
		return strings.Count(log.String(), fmt.Sprintf("under attack: wrong passwords are sent again and again; "+
			"logged once per minute and account\" userId=%d from=", id))
	}

	for range 5 {
		p.signInFrom("192.0.2.1", attacked[0].email, "mistyped").problem(401, models.CodeUnauthenticated)
	}
	require.Zero(t, lines(attacked[0]), "a few typing errors are not an attack")
	for i, who := range attacked {
		p.guessFromManyNetworks(18+i, who.email)
		require.Equal(t, 1, lines(who))
	}
	require.Zero(t, delayed("account"))
	for range 3 {
		p.signInFrom("198.18.3.1", attacked[0].email, goodPassword).problem(429, models.CodeRateLimited)
	}
	require.InDelta(t, 3, delayed("account"), 0)

	p.guessFromManyNetworks(20, p.address())
	for range 6 {
		p.signInFrom("203.0.113.1", p.address(), "a wrong password").problem(401, models.CodeUnauthenticated)
	}
	require.Equal(t, 2, strings.Count(log.String(), "under attack"), "addresses without an account are not logged")
	address := p.address()
	for range 6 {
		p.signInFrom("203.0.113.2", address, "a wrong password").problem(401, models.CodeUnauthenticated)
	}
	p.signInFrom("203.0.113.2", address, "a wrong password").problem(429, models.CodeRateLimited)
	require.InDelta(t, 1, delayed("account_in_network"), 0)
	require.Contains(t, log.String(), "limit=logins_account ")
	for _, who := range attacked {
		require.NotContains(t, log.String(), who.email)
	}
}

// TestOperatorsSeeLoginsThatABrowserMustRepeat lets a browser return from its identity provider too often. The browser
// gets the sign-in page instead of a 429, but the metrics count it.
func TestOperatorsSeeLoginsThatABrowserMustRepeat(t *testing.T) {
	t.Parallel()
	env := settings(t)
	front, _ := frontWithProvider(t, env, nil)
	server := serveAPI(t, env)
	front.to(server)
	v := newBrowser(t, front.URL)
	returns := func() (location string) {
		v.get(v.base + "/v1/auth/oidc/zitadel")
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.base+"/v1/auth/oidc/zitadel/callback?state=guessed&code=c", nil)
		require.NoError(t, err)
		req.Header.Set("Accept", "text/html")
		res, err := v.client.Do(req)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.Header.Get("Location")
	}
	for range 6 {
		require.Contains(t, returns(), "error=unauthenticated")
	}
	require.Contains(t, returns(), "error=rate_limited")
	require.InDelta(t, 1, metricOf(t, server, `waft_rate_limited_total{limit="logins_answers"}`), 0)
}
