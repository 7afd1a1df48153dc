package api

import (
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// login holds the credentials with which a person signs in.
type login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

var jo = login{"jo@example.com", "correct horse battery staple"}

func signIn(body any) request {
	return request{
		method: post, path: "/v1/auth/login", anonymous: true, body: body, header: map[string]string{"Content-Type": "application/json"},
	}
}

// cookieOf returns the one cookie that a response sets.
func cookieOf(t *testing.T, answer *httptest.ResponseRecorder) *http.Cookie {
	t.Helper()
	cookies := answer.Result().Cookies()
	require.Len(t, cookies, 1, answer.Body.String())
	return cookies[0]
}

func TestALoginSetsTheCookieOfTheContract(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]struct {
		name   string
		secure bool
	}{
		"ota.example.com":        {"__Host-waft_session", true},
		"192.0.2.7:8080":         {"__Host-waft_session", true},
		"localhost.example.com":  {"__Host-waft_session", true},
		"localhost:8080":         {"waft_session", false},
		"127.0.0.1:8080":         {"waft_session", false},
		"[::1]:8080":             {"waft_session", false},
		"https://localhost:8080": {"__Host-waft_session", true}, // a proxy ends TLS
	} {
		t.Run(host, func(t *testing.T) {
			t.Parallel()
			w := newTestAPI(t)
			req := httptest.NewRequest(post, "/v1/auth/login", strings.NewReader(`{"email":"jo@example.com","password":"`+jo.Password+`"}`))
			req.Header.Set("Content-Type", "application/json")
			name, tls := strings.CutPrefix(host, "https://")
			if req.Host = name; tls {
				req.Header.Set("X-Forwarded-Proto", "https")
			}
			answer := httptest.NewRecorder()
			w.handler.ServeHTTP(answer, req)
			require.Equal(t, 200, answer.Code, answer.Body.String())
			require.Equal(t, "no-store", answer.Header().Get("Cache-Control"))
			cookie := cookieOf(t, answer)
			require.Equal(t, want.name, cookie.Name)
			require.Equal(t, want.secure, cookie.Secure)
			require.True(t, cookie.HttpOnly)
			require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
			require.Equal(t, "/", cookie.Path)
			require.Empty(t, cookie.Domain)
			require.Equal(t, 14*24*3600, cookie.MaxAge)
			require.Equal(t, hashOf(t, cookie.Value), string(w.store.people.logins[0].TokenHash))
			require.NotContains(t, answer.Body.String(), cookie.Value)
			require.JSONEq(t, `{"user":{"id":3,"email":"jo@example.com","name":"","isOwner":false}}`, answer.Body.String())
		})
	}
}

// A browser that sends a cookie gets a new one, and the session of the old one ends.
func TestALoginTakesNoTokenFromTheBrowser(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]bool{"made up": false, "of Waft": true} {
		w := newTestAPI(t)
		planted := models.NewSecretToken()
		call := signIn(jo)
		if call.session = planted.Reveal(); made {
			call.session = cookieValue(planted)
		}
		answer := w.do(call)
		require.Equal(t, 200, answer.Code, name)
		require.NotEqual(t, call.session, cookieOf(t, answer).Value)
		if made {
			require.Equal(t, planted.Hash(), w.store.people.logins[0].Replaces)
		} else {
			require.Nil(t, w.store.people.logins[0].Replaces)
		}
		w.problem(w.do(request{method: get, path: "/v1/me", session: call.session}), 401, models.CodeUnauthenticated)
	}
}

// An unknown address and a wrong password get the same response and cost one comparison.
func TestALoginDoesNotSayWhoHasAnAccount(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.people.users["sso@example.com"] = models.User{ID: 9, Email: "sso@example.com"} // without a password
	var details []string
	for i, body := range []login{
		{"jo@example.com", "wrong"}, {"nobody@example.com", "wrong"}, {"sso@example.com", "wrong"}, {"not an address", "wrong"},
	} {
		answer := w.do(signIn(body))
		details = append(details, w.problem(answer, 401, models.CodeUnauthenticated).Detail)
		require.Equal(t, details[0], details[i])
		require.Empty(t, answer.Result().Cookies())
		require.Equal(t, i+1, w.store.verified)
	}
	require.Empty(t, w.store.people.logins)
}

func TestTooManyFailuresAreDelayed(t *testing.T) {
	t.Parallel()
	at := now
	w := newTestAPI(t, func(d *parts) { d.Now = func() time.Time { return at } })
	for range 6 {
		w.problem(w.do(signIn(login{jo.Email, "wrong"})), 401, models.CodeUnauthenticated)
	}
	delayed := w.do(signIn(jo))
	w.problem(delayed, 429, models.CodeRateLimited)
	require.Equal(t, "5", delayed.Header().Get("Retry-After"))
	require.Equal(t, 6, w.store.verified, "a delayed attempt costs nothing")
	at = at.Add(5 * time.Second)
	require.Equal(t, 200, w.do(signIn(jo)).Code)
}

// Guesses of the current password also count as guesses.
func TestChangePassword(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	joHere := w.addSession(w.store.people.users[jo.Email], now.Add(-time.Hour))
	change := func(current, next string) request {
		return request{
			method: post, path: "/v1/auth/password", session: joHere, body: map[string]string{"current": current, "new": next},
			header: map[string]string{"Content-Type": "application/json"},
		}
	}
	require.Equal(t, []string{"new"}, fieldsOf(w.problem(w.do(change(jo.Password, "short")), 400, models.CodeInvalid)))
	for range 6 {
		require.Equal(t, []string{"current"}, fieldsOf(w.problem(w.do(change("wrong", "another good one")), 400, models.CodeInvalid)))
	}
	w.problem(w.do(change(jo.Password, "another good one")), 429, models.CodeRateLimited)
	require.Empty(t, w.store.people.passwords)

	fresh := newTestAPI(t)
	joHere = fresh.addSession(fresh.store.people.users[jo.Email], now.Add(-time.Hour))
	require.Equal(t, 204, fresh.do(change(jo.Password, "another good one")).Code)
	require.Equal(t, []string{"$argon2id$another good one"}, fresh.store.people.passwords)
	require.Equal(t, fresh.store.people.sessions[hashOf(t, joHere)].Session.ID, fresh.store.people.ended[0], "this session stays")
}

func hashOf(t *testing.T, token string) string {
	t.Helper()
	return string(parsed(t, token).Hash())
}

func TestSessionsEnd(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	session := func(login, seen time.Duration) string {
		token := w.addSession(models.User{ID: 310, IsOwner: true}, now.Add(-login))
		s := w.store.people.sessions[hashOf(t, token)]
		s.Session.LastSeenAt = now.Add(-seen)
		w.store.people.sessions[hashOf(t, token)] = s
		return token
	}
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		login, seen time.Duration
		status      int
	}{
		"new":                  {0, 0, 200},
		"almost idle too long": {day, 12*time.Hour - time.Second, 200},
		"idle too long":        {day, 12 * time.Hour, 401},
		"almost too old":       {14*day - time.Second, 0, 200},
		"too old":              {14 * day, 0, 401},
	} {
		answer := w.do(request{method: get, path: "/v1/ota/builds", session: session(c.login, c.seen)})
		require.Equal(t, c.status, answer.Code, "%s: %s", name, answer.Body)
		if c.status == 401 {
			require.Equal(t, access.ErrUnauthenticated.Message, w.problem(answer, 401, models.CodeUnauthenticated).Detail)
		}
	}
	recent := session(day, time.Minute-time.Second)
	old := session(day, time.Minute)
	w.store.people.touchedSessions = nil
	for _, token := range []string{recent, old} {
		require.Equal(t, 200, w.do(request{method: get, path: "/v1/ota/builds", session: token}).Code)
	}
	require.Equal(t, []int64{w.store.people.sessions[hashOf(t, old)].Session.ID}, w.store.people.touchedSessions)
}

// Unsafe requests that a page of another origin sends for a signed-in person are refused. The page cannot see the
// responses to its reads.
func TestRequestsFromOtherOriginsAreRefused(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	with := func(path string, headers ...string) *httptest.ResponseRecorder {
		call := request{
			method: post, path: path, session: w.owner, body: `{"name":"beta"}`, header: map[string]string{"Content-Type": "application/json"},
		}
		if path == "/v1/auth/login" {
			call.body = jo
		}
		for i := 0; i < len(headers); i += 2 {
			call.header[headers[i]] = headers[i+1]
		}
		return w.do(call)
	}
	for _, path := range []string{"/v1/ota/branches", "/v1/auth/login"} {
		for name, headers := range map[string][]string{
			"another site":        {"Sec-Fetch-Site", "cross-site"},
			"a sibling":           {"Sec-Fetch-Site", "same-site"},
			"an old browser":      {"Origin", "https://evil.example"},
			"a sandboxed page":    {"Origin", "null"},
			"a host that matches": {"Sec-Fetch-Site", "cross-site", "Origin", "https://example.com.evil.example"},
		} {
			w.problem(with(path, headers...), 403, models.CodeForbidden)
			require.Empty(t, w.store.people.logins, name)
		}
		for name, headers := range map[string][]string{
			"this origin":             {"Sec-Fetch-Site", "same-origin"},
			"typed":                   {"Sec-Fetch-Site", "none"},
			"an old browser":          {"Origin", "http://example.com"}, // the host of httptest
			"behind a changing proxy": {"Origin", "https://ota.example.com"},
			"no browser":              {},
		} {
			require.Less(t, with(path, headers...).Code, 300, "%s %s", path, name)
		}
		w.store.people.logins = nil
	}
	// Browsers do not send keys on their own.
	answer := w.do(request{method: post, path: "/v1/ota/branches", body: `{"name":"beta"}`, header: map[string]string{
		"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site",
	}})
	require.Equal(t, 201, answer.Code)
}

func TestWhatProtectsTheProjectNeedsARecentLogin(t *testing.T) {
	t.Parallel()
	sensitive := map[string]bool{
		"POST /v1/ota/api-keys": true, "DELETE /v1/ota/api-keys/{id}": true, "POST /v1/ota/api-keys/revoke": true,
		"PATCH /v1/ota/members/{id}": true, "DELETE /v1/ota/members/{id}": true,
		"POST /v1/ota/invitations": true, "DELETE /v1/ota/invitations/{id}": true,
		"PUT /v1/ota/code-signing": true, "DELETE /v1/ota/code-signing": true,
		"DELETE /v1/ota/projects/{slug}": true, "DELETE /v1/auth/passkeys/{id}": true,
		"POST /v1/auth/passkeys/register/begin": true, "POST /v1/auth/passkeys/register/finish": true,
		"PUT /v1/ota/trusted-publishers": true, "POST /v1/auth/oidc/{provider}/link": true, "DELETE /v1/auth/identities/{id}": true,
		"POST /v1/auth/terminal-logins/{code}/confirm": true,
	}
	shared := newTestAPI(t)
	for _, r := range table(t) {
		if r.Access == rest.Public {
			continue
		}
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			w := shared.in(t)
			owner := models.User{ID: 310, Email: "owner@example.com", IsOwner: true}
			call := callOn(r)
			call.session = w.addSession(owner, now.Add(-models.RecentLogin-time.Second))
			if answer := w.do(call); sensitive[r.Method+" "+r.Path] {
				w.problem(answer, 403, models.CodeReauthenticate)
			} else {
				require.NotEqual(t, 403, answer.Code, answer.Body.String())
			}
			call.session = w.addSession(owner, now.Add(-models.RecentLogin))
			require.NotEqual(t, 403, w.do(call).Code)
			if r.Access != rest.Person { // keys have no login
				call.session, call.key = "", w.rootKey
				require.NotEqual(t, 403, w.do(call).Code)
			}
		})
	}
}

func TestMe(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	withKey := w.do(request{method: get, path: "/v1/me", key: w.keys[models.RoleEditor]})
	require.Equal(t, 200, withKey.Code)
	require.JSONEq(t, `{"apiKey":{"name":"editor","role":"editor","prefix":"`+w.keys[models.RoleEditor][5:13]+`"},
		"projects":[{"slug":"demo","name":"Demo","role":"editor"}],"position":"7:7:/7:7:/0"}`, withKey.Body.String())
	withSession := w.do(request{method: get, path: "/v1/me", session: w.owner})
	require.JSONEq(t, `{"user":{"id":310,"email":"owner@example.com","name":"","isOwner":true},"projects":[],
		"position":"7:7:/7:7:/0"}`, withSession.Body.String())
	w.problem(w.do(request{method: get, path: "/v1/me", anonymous: true}), 401, models.CodeUnauthenticated)
}

func TestTheAuditLogNamesThePerson(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	var actor models.Actor
	w.store.createProject = func(a models.Actor, _ models.NewProject) (models.Project, error) {
		actor = a
		return demo, nil
	}
	w.do(request{
		method: post, path: "/v1/ota/projects", body: `{"name":"Demo"}`, session: w.owner,
		header: map[string]string{"X-Request-Id": "req-1"},
	})
	require.Equal(t, models.Actor{Type: models.ActorUser, ID: "310", Name: "owner@example.com", RequestID: "req-1"}, actor)
}

func TestAnUnreachableSessionStoreIsUnavailable(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.people.findSession = func() error { return models.Unavailable("Postgres", errors.New("connection refused")) }
	answer := w.do(request{method: get, path: "/v1/ota/builds", session: w.owner})
	w.problem(answer, 503, models.CodeUnavailable)
	require.NotEmpty(t, answer.Header().Get("Retry-After"))
	manifest := request{method: get, path: "/v1/ota/manifest/demo?channel=production", session: w.owner, header: map[string]string{
		"expo-runtime-version": "1.0.0", "expo-platform": "ios",
	}}
	require.Equal(t, 200, w.do(manifest).Code, "devices have no sessions")
}

// A stored response is replayed only to its own session.
func TestASessionHasItsOwnIdempotencyKeys(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	made := countChannels(w)
	create := func(session string) *httptest.ResponseRecorder {
		call := createChannel("k", `{"name":"beta"}`)
		call.session = session
		return w.do(call)
	}
	first, again := create(w.owner), create(w.owner)
	require.Equal(t, 201, first.Code, first.Body.String())
	require.Equal(t, first.Body.String(), again.Body.String())
	require.Equal(t, "true", again.Header().Get("Idempotency-Replayed"))
	require.Equal(t, 201, create(w.signedIn[models.RoleEditor]).Code)
	require.EqualValues(t, 2, *made)
}

// The log does not contain secrets that a person enters or gets.
func TestTheLogHasNoSecretsOfPeople(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	w := newTestAPI(t, func(d *parts) {
		d.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	token := models.NewSecretToken().Reveal()
	answer := w.do(signIn(jo))
	w.do(signIn(login{jo.Email, "a wrong password"}))
	for _, path := range []string{"/v1/auth/setup", "/v1/auth/invitations/accept"} {
		call := signIn(map[string]any{"token": token, "email": "sam@example.com", "name": "Sam", "password": "a good password"})
		call.path = path
		w.do(call)
	}
	invitation := w.do(request{
		method: post, path: "/v1/ota/invitations", session: w.owner, body: map[string]any{"email": "sam@example.com", "role": models.RoleViewer},
	})
	require.Equal(t, 201, invitation.Code, invitation.Body.String())
	_, link, _ := strings.Cut(decoded(t, invitation, 201)["url"].(string), "#")
	require.NotEmpty(t, log.String())
	for _, secret := range []string{
		jo.Password, "a wrong password", "a good password", token, link, w.owner, cookieOf(t, answer).Value, "@example.com",
	} {
		require.NotContains(t, log.String(), secret)
	}
}

// Behind a proxy that ends TLS, every cookie is Secure, whatever Host and X-Forwarded-Proto the proxy sends.
func TestCookiesAreSecureWhereTheBaseURLIsHTTPS(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t, func(d *parts) { d.SecureCookies = true })
	req := httptest.NewRequest(post, "/v1/auth/login", strings.NewReader(`{"email":"jo@example.com","password":"`+jo.Password+`"}`))
	req.Host = "localhost:8080"
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-Forwarded-Proto", "http")
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, req)
	require.Equal(t, 200, answer.Code, answer.Body.String())
	require.Equal(t, "__Host-waft_session", cookieOf(t, answer).Name)
	require.True(t, cookieOf(t, answer).Secure)
}

// Passwords that were not compared do not count as failures.
func TestABusyServerCountsNoFailure(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	w.store.busy = &models.Error{Code: models.CodeRateLimited, Message: "busy", RetryAfter: time.Second}
	for range 20 {
		require.Equal(t, "busy", w.problem(w.do(signIn(jo)), 429, models.CodeRateLimited).Detail)
	}
	w.store.busy = nil
	require.Equal(t, 200, w.do(signIn(jo)).Code)
}
