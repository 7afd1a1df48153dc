package api

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

func readBuilds(session string) request {
	return request{method: get, path: "/v1/ota/builds", session: session}
}

// Sessions that Waft did not create are refused without a query, however many are sent, and valid sessions keep
// working.
func TestMadeUpSessionsCostNothing(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) { d.Rates.UnknownKeys = 1 })
	token, tag, _ := strings.Cut(w.owner, ".")
	other, _, _ := strings.Cut(w.signedIn[models.RoleViewer], ".")
	bad := []string{token, token + ".", token + "." + tag[1:], token + "." + tag + "A", "." + tag, other + "." + tag, w.owner + "." + tag}
	for range 500 {
		bad = append(bad, models.NewSecretToken().Reveal()+"."+tag)
	}
	for _, cookie := range bad {
		require.Equal(t, access.ErrUnauthenticated.Message, w.problem(w.do(readBuilds(cookie)), 401, models.CodeUnauthenticated).Detail)
	}
	require.Zero(t, w.store.people.sessionLookups)
	require.Equal(t, 200, w.do(readBuilds(w.owner)).Code, "from the same address, in a process that has not seen it")
	require.Equal(t, 1, w.store.people.sessionLookups)
}

// A session that has ended is looked up once per minute.
func TestAnEndedSessionIsRemembered(t *testing.T) {
	t.Parallel()
	at := now
	w := newTestAPI(t, func(d *parts) { d.Now = func() time.Time { return at } })
	ended := cookieValue(models.NewSecretToken())
	idle := w.addSession(models.User{ID: 310, IsOwner: true}, now.Add(-models.SessionLife))
	for _, cookie := range []string{ended, idle} {
		before := w.store.people.sessionLookups
		for range 50 {
			w.problem(w.do(readBuilds(cookie)), 401, models.CodeUnauthenticated)
		}
		require.Equal(t, before+1, w.store.people.sessionLookups)
	}
	at = at.Add(time.Minute)
	w.problem(w.do(readBuilds(ended)), 401, models.CodeUnauthenticated)
	require.Equal(t, 3, w.store.people.sessionLookups)

	// A session that cannot be looked up has not ended.
	w.store.people.findSession = func() error { return models.Unavailable("Postgres", nil) }
	w.problem(w.do(readBuilds(w.owner)), 503, models.CodeUnavailable)
	w.store.people.findSession = nil
	require.Equal(t, 200, w.do(readBuilds(w.owner)).Code)
}

// When the secret key changes, sessions tagged with the previous key stay valid.
func TestSessionsOutliveTheSecretKey(t *testing.T) {
	t.Parallel()
	next := append(make([]byte, 31), 1)
	for name, keys := range map[string][][]byte{"both": {next, testSessionKeys[0]}, "the next one": {next}} {
		w := newTestAPI(t, func(d *parts) { d.SessionKeys = keys })
		want := 200
		if len(keys) == 1 {
			want = 401
		}
		require.Equal(t, want, w.do(readBuilds(w.owner)).Code, name)
		fresh := cookieOf(t, w.do(signIn(jo))).Value
		require.Equal(t, taggedBy(next, parsed(t, fresh)), fresh, "the first key makes tags")
	}
}

func parsed(t *testing.T, cookie string) models.SecretToken {
	t.Helper()
	text, _, _ := strings.Cut(cookie, ".")
	token, ok := models.ParseSecretToken(text)
	require.True(t, ok)
	return token
}

// Unsafe requests of a page of another origin are never run for the person who is signed in.
func TestEveryUnsafeRouteIsOfTheSameOrigin(t *testing.T) {
	t.Parallel()
	shared := newTestAPI(t)
	for _, r := range table(t) {
		ofPeople := strings.HasPrefix(r.Path, "/v1/auth/")
		if r.Access == rest.Client || r.Access == rest.Public && !ofPeople || r.Method == get || r.Method == head {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			for _, headers := range []map[string]string{
				{"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}, {"Origin": "https://evil.example"}, {"Origin": "null"},
			} {
				call := callOn(r)
				call.session, call.header = w.owner, headers
				require.Contains(t, w.problem(w.do(call), 403, models.CodeForbidden).Detail, "other origins")
			}
			require.Empty(t, w.store.people.logins)
		})
	}
}
