package e2e

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/access"
	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
	"github.com/waft-ota/waft/internal/lab/enginetest"
	"github.com/waft-ota/waft/models"
)

const goodPassword = "correct horse battery staple"

// human is a person with an account, who is signed in.
type human struct{ email, session string }

// owners are the owners of the installations, by the URL of their database.
var owners sync.Map

// owner returns the owner of the installation. The first call sets the installation up through its setup link.
func (p *tenant) owner() human {
	p.t.Helper()
	made, _ := owners.LoadOrStore(p.databaseURL, sync.OnceValues(func() (human, error) {
		link, err := app.SetupLink(p.t.Context(), config.Accounts{DatabaseURL: p.databaseURL, BaseURL: p.url})
		if err != nil {
			return human{}, err
		}
		_, token, _ := strings.Cut(link, "/app/setup#")
		a := p.hashes(request{method: http.MethodPost, path: "/v1/auth/setup", body: object{
			"token": token, "email": "owner@example.com", "name": "Olive", "password": goodPassword,
		}}.with("Authorization", ""))
		a.record(http.StatusCreated)
		return human{"owner@example.com", a.session()}, nil
	}))
	owner, err := made.(func() (human, error))()
	require.NoError(p.t, err)
	return owner
}

// sessionCookies are the names of the session cookie, without and with https in WAFT_BASE_URL. A server reads one of
// them.
var sessionCookies = []string{access.PlainCookie, access.SessionCookie}

// session returns the token in the cookie that a response sets.
func (a answer) session() string {
	a.t.Helper()
	for _, cookie := range (&http.Response{Header: a.header}).Cookies() {
		if slices.Contains(sessionCookies, cookie.Name) && cookie.Value != "" {
			return cookie.Value
		}
	}
	require.FailNow(a.t, "the response has no session", "%v", a.header)
	return ""
}

// address returns an unused email address.
func (p *tenant) address() string { return "p" + uuid.NewString() + "@example.com" }

// invite returns the token of a new invitation.
func (p *tenant) invite(email string, role models.Role) string {
	p.t.Helper()
	made := p.create("/v1/ota/invitations", object{"email": email, "role": role})
	_, token, _ := strings.Cut(made["url"].(string), "/app/invite#")
	return token
}

// hashes sends a request for which the server hashes a password. The server hashes only a few at a time and refuses
// further requests, so hashes repeats the request.
func (p *tenant) hashes(r request) (a answer) {
	p.t.Helper()
	p.eventually(func() bool { a = p.do(r); return a.status != http.StatusTooManyRequests })
	return a
}

// person creates a member of the tenant, with an account of their own.
func (p *tenant) person(role models.Role) human {
	p.t.Helper()
	email := p.address()
	a := p.hashes(request{method: http.MethodPost, path: "/v1/auth/invitations/accept", body: object{
		"token": p.invite(email, role), "name": p.marker, "password": goodPassword,
	}}.with("Authorization", ""))
	a.record(http.StatusOK)
	return human{email, a.session()}
}

func (p *tenant) signIn(email string) (session string) {
	p.t.Helper()
	a := p.hashes(request{
		method: http.MethodPost, path: "/v1/auth/login", body: object{"email": email, "password": goodPassword},
	}.with("Authorization", ""))
	a.record(http.StatusOK)
	return a.session()
}

// member returns the ID of a person's membership.
func (p *tenant) member(who human) int64 {
	p.t.Helper()
	return p.membership(who).id("id")
}

func (p *tenant) membership(who human) object {
	p.t.Helper()
	for _, m := range p.do(request{method: http.MethodGet, path: "/v1/ota/members?limit=200"}).list() {
		if m["email"] == who.email {
			return m
		}
	}
	require.FailNow(p.t, "no member", who.email)
	return nil
}

// TestRoles compares every route with its access level. It calls the route without credentials, and with ended and
// expired sessions. It uses another project's people and keys, people and keys of each role, the owner and the root
// key. A route without an entry in levels fails the test. With -short it calls every third route.
func TestRoles(t *testing.T) {
	t.Parallel()
	server := servePasskeys(t, settings(t))
	routes := allRoutes(t)
	named := map[string]bool{}
	for _, r := range routes {
		require.Contains(t, levels, r.String(), "the route has no entry in levels")
		named[r.String()] = true
	}
	for name := range levels {
		require.True(t, named[name], "%s is not a route", name)
	}
	shared := server.tenant(t) // its people are signed in only once
	shared.owner()
	people := map[string]human{
		"viewer": shared.person("viewer"), "editor": shared.person("editor"), "admin": shared.person("admin"), "owner": shared.owner(),
	}
	elsewhere := server.tenant(t)
	stranger := elsewhere.person(models.RoleAdmin)
	ended, expired, idle := shared.person(models.RoleAdmin), shared.person(models.RoleAdmin), shared.person(models.RoleAdmin)
	const ofPerson = " WHERE user_id = (SELECT id FROM users WHERE email = $1)"
	shared.sql("UPDATE sessions SET expires_at = now()"+ofPerson, expired.email)
	shared.sql("UPDATE sessions SET last_seen_at = now() - interval '12 hours'"+ofPerson, idle.email)
	forClients := shared.create("/v1/ota/api-keys", object{"name": "web", "role": "client"})["key"].(string)
	require.Equal(t, http.StatusNoContent, shared.do(request{method: http.MethodPost, path: "/v1/auth/logout", session: ended.session}).status)
	ranks := map[string]int{"viewer": 1, "editor": 2, "admin": 3, "owner": 4}
	for i, r := range routes {
		level := levels[r.String()]
		if level == "public" || (i+2)%enginetest.Sized(1, 3) != 0 {
			continue // TestEveryEndpoint calls public routes, without a key and with one
		}
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			p := *shared
			if p.t = t; r.method == http.MethodDelete && level == "owner" { // the call deletes the project
				p = *server.tenant(t)
			}
			// Calls for keys and members require a recent sign-in, but this route's turn may come long after the people
			// signed in.
			p.sql("UPDATE sessions SET created_at = now()")
			call := r.call(&p)
			own := call.session
			call.session = ""
			delete(call.header, "Cookie")
			if level == "owner" {
				call.project = "-"
			}
			as := func(session string) answer {
				c := call
				c.session = session
				return p.do(c)
			}
			with := func(key string) answer {
				c := call
				c.key = key
				return p.do(c)
			}
			if level == "client" { // any key, but no session; see TestOFREP for keys
				require.Equal(t, 401, p.do(call.with("Authorization", "")).status)
				require.Equal(t, 401, as(people["owner"].session).status)
				return
			}
			p.do(call.with("Authorization", "")).problem(401, models.CodeUnauthenticated)
			for _, over := range []string{ended.session, expired.session, idle.session, models.NewSecretToken().Reveal()} {
				as(over).problem(401, models.CodeUnauthenticated)
			}
			if level == "session" { // any session, but no key; TestEveryEndpoint calls it with a session
				require.NotEmpty(t, own)
				for _, key := range []string{forClients, p.keys["viewer"], p.keys["admin"], p.rootKey} {
					with(key).problem(403, models.CodeForbidden)
				}
				return
			}
			with(forClients).problem(403, models.CodeForbidden)
			if level != "anyone" {
				as(stranger.session).problem(403, models.CodeForbidden)
				with(elsewhere.keys[models.RoleAdmin]).problem(403, models.CodeForbidden)
			}
			// Refused calls come first, because an allowed call may change the record.
			for _, allowed := range []bool{false, true} {
				for role, who := range people {
					may := level == "anyone" || ranks[role] >= ranks[level]
					if may != allowed || strings.HasSuffix(r.path, "/stream") && may {
						continue
					}
					a := as(who.session)
					if may {
						require.NotContains(t, []int{401, 403}, a.status, "%s: %s", role, a.body)
					} else {
						a.problem(403, models.CodeForbidden)
					}
					if level == "owner" || role == "owner" {
						continue
					}
					if a := with(p.keys[models.Role(role)]); may && !peopleOnly[r.String()] {
						require.NotContains(t, []int{401, 403}, a.status, "key of %s: %s", role, a.body)
					} else {
						a.problem(403, models.CodeForbidden)
					}
				}
			}
		})
	}
}

// TestAPersonReachesOnlyWhatIsTheirs checks that people do not see projects, sessions and audit entries of others.
func TestAPersonReachesOnlyWhatIsTheirs(t *testing.T) {
	t.Parallel()
	server := install(t)
	a, b := server.tenant(t), server.tenant(t)
	inA, inB := a.person(models.RoleEditor), b.person(models.RoleAdmin)
	for _, path := range []string{"/v1/me", "/v1/ota/projects", "/v1/auth/sessions", "/v1/auth/passkeys", "/v1/ota/audit-log"} {
		answer := b.do(request{method: http.MethodGet, path: path, session: inB.session})
		require.Equal(t, http.StatusOK, answer.status, answer.body)
		require.NotContains(t, answer.body, a.marker)
		require.NotContains(t, answer.body, a.slug)
		require.NotContains(t, answer.body, inA.email)
	}
	me := a.do(request{method: http.MethodGet, path: "/v1/me", session: inA.session}).record(200)
	require.Equal(t, []any{map[string]any{"slug": a.slug, "name": a.marker, "role": "editor"}}, me["projects"])
	all := a.do(request{method: http.MethodGet, path: "/v1/ota/projects", session: a.owner().session}).list()
	require.Len(t, all, 2)
	with := func(key string) []object {
		return a.do(request{method: http.MethodGet, path: "/v1/ota/projects", key: key, project: "-"}).list()
	}
	require.Len(t, with(a.rootKey), 2)
	require.Equal(t, a.slug, with(a.keys[models.RoleViewer])[0]["slug"])
}

// TestTheFirstAccount creates the first account with the link of `waftd setup-link`, which works once.
func TestTheFirstAccount(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := installation{url: serveAPI(t, env), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	p := server.tenant(t)
	methods := func() object {
		return p.do(request{method: http.MethodGet, path: "/v1/auth/methods"}.with("Authorization", "")).record(200)
	}
	require.Equal(t, true, methods()["setupRequired"])
	link := func(args ...string) (string, error) {
		command := launch(t, env, append([]string{"setup-link"}, args...)...)
		err := <-command.exited
		return strings.TrimSpace(command.log.String()), err
	}
	delete(env, "WAFT_LISTEN_ADDR") // the test chooses a free port
	delete(env, "WAFT_BASE_URL")
	missing, err := link()
	require.Error(t, err)
	require.Contains(t, missing, "set WAFT_BASE_URL to its URL")
	require.NotContains(t, missing, "localhost")
	env["WAFT_BASE_URL"] = "https://ota.example.com"
	printed, err := link()
	require.NoError(t, err, printed)
	require.Regexp(t, `^https://ota\.example\.com/app/setup#[\w-]{43}$`, printed, "the link must be on its own line")
	_, token, _ := strings.Cut(printed, "#")
	setUp := func(token string) answer {
		return p.do(request{method: http.MethodPost, path: "/v1/auth/setup", body: object{
			"token": token, "email": "owner@example.com", "name": "Olive", "password": goodPassword,
		}}.with("Authorization", ""))
	}
	setUp("x").problem(401, models.CodeUnauthenticated)
	setUp(models.NewSecretToken().Reveal()).problem(401, models.CodeUnauthenticated)
	made := setUp(token)
	require.Equal(t, true, made.record(201)["user"].(map[string]any)["isOwner"])
	setUp(token).problem(409, models.CodeAlreadyExists)
	require.Equal(t, false, methods()["setupRequired"])
	said, err := link()
	require.Error(t, err)
	require.Contains(t, said, "already set up")
	said, err = link("--if-needed")
	require.NoError(t, err)
	require.Empty(t, said)
	require.Equal(t, http.StatusOK, p.do(request{method: http.MethodGet, path: "/v1/ota/builds", session: made.session()}).status)
	actions := p.actions()
	require.Subset(t, actions, []string{"member.added"})

	// As an emergency measure, the operator sets a new password. All sessions end.
	reset := launch(t, env, "reset-password", "OWNER@example.com")
	require.NoError(t, <-reset.exited, reset.log)
	secret := strings.TrimSpace(reset.log.String())
	p.do(request{method: http.MethodGet, path: "/v1/me", session: made.session()}).problem(401, models.CodeUnauthenticated)
	login := func(password string) answer {
		return p.do(request{
			method: http.MethodPost, path: "/v1/auth/login", body: object{"email": "owner@example.com", "password": password},
		}.with("Authorization", ""))
	}
	login(goodPassword).problem(401, models.CodeUnauthenticated)
	login(secret).record(200)
	require.Subset(t, p.actions(), []string{"user.password_reset", "session.revoked", "session.created"})
	unknown := launch(t, env, "reset-password", "nobody@example.com")
	require.Error(t, <-unknown.exited)
}

// actions returns the actions in the tenant's audit log.
func (p *tenant) actions() (actions []string) {
	p.t.Helper()
	for _, e := range p.do(request{method: http.MethodGet, path: "/v1/ota/audit-log?limit=200"}).list() {
		actions = append(actions, e["action"].(string))
	}
	return actions
}
