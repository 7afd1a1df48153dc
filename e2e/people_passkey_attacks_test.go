package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"testing"

	"github.com/descope/virtualwebauthn"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// loginWith returns a sign-in by an authenticator after change was applied to it.
func loginWith(change func(a *authenticator)) func(p *tenant, a *authenticator) request {
	return func(p *tenant, a *authenticator) request {
		change(a)
		b := p.begin("")
		return finishLogin(b, a.get(p.t, b))
	}
}

// TestPasskeyLoginsThatAreRefused tries sign-ins that would let someone sign in as another person. All get the same
// response, except where the response helps the person.
func TestPasskeyLoginsThatAreRefused(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	shared := servePasskeys(t, env).tenant(t)
	network := 0
	for name, attack := range map[string]func(p *tenant, a *authenticator) request{
		"another browser's challenge": func(p *tenant, a *authenticator) request {
			return finishLogin(p.begin(""), a.get(p.t, p.begin("")))
		},
		"a challenge of a registration": func(p *tenant, a *authenticator) request {
			b := p.begin(p.person(models.RoleViewer).session)
			return finishLogin(p.begin(""), a.get(p.t, b))
		},
		"another origin":          loginWith(func(a *authenticator) { a.party.Origin = "https://ota.example.com.evil.example" }),
		"an origin without TLS":   loginWith(func(a *authenticator) { a.party.Origin = "http://ota.example.com" }),
		"a page below the domain": loginWith(func(a *authenticator) { a.party.Origin = "https://pages.ota.example.com" }),
		"another port":            loginWith(func(a *authenticator) { a.party.Origin = "https://ota.example.com:8443" }),
		"another domain":          loginWith(func(a *authenticator) { a.party.ID = "example.com" }),
		"an unknown passkey": func(p *tenant, _ *authenticator) request {
			stranger := newAuthenticator()
			stranger.Options.UserHandle = []byte("somebody")
			b := p.begin("")
			return finishLogin(b, stranger.get(p.t, b))
		},
		"another key under the passkey's id": func(p *tenant, a *authenticator) request {
			forger := newAuthenticator()
			forger.credential.ID, forger.Options = a.credential.ID, a.Options
			b := p.begin("")
			return finishLogin(b, forger.get(p.t, b))
		},
		"another person's handle": func(p *tenant, a *authenticator) request {
			other, _ := p.passkey(p.person(models.RoleAdmin))
			a.Options.UserHandle = other.Options.UserHandle
			b := p.begin("")
			return finishLogin(b, a.get(p.t, b))
		},
		"no handle":                   loginWith(func(a *authenticator) { a.Options.UserHandle = nil }),
		"the person was not verified": loginWith(func(a *authenticator) { a.Options.UserNotVerified = true }),
		"nobody was there":            loginWith(func(a *authenticator) { a.Options.UserNotPresent = true }),
		"a passkey that is backed up all of a sudden": loginWith(func(a *authenticator) { a.Options.BackupEligible = true }),
		"nonsense": func(p *tenant, _ *authenticator) request {
			return finishLogin(p.begin(""), json.RawMessage(`{"id":"AA","rawId":"AA","type":"public-key","response":{}}`))
		},
		"of a registration, not a login": func(p *tenant, a *authenticator) request {
			b := p.begin("")
			options, err := virtualwebauthn.ParseAssertionOptions(b.options)
			require.NoError(p.t, err)
			answer := virtualwebauthn.CreateAttestationResponse(a.party, a.Authenticator, a.credential,
				virtualwebauthn.AttestationOptions{Challenge: options.Challenge})
			return finishLogin(b, json.RawMessage(answer))
		},
		"a passkey that was removed": func(p *tenant, a *authenticator) request {
			p.sql("DELETE FROM passkeys WHERE credential_id = $1", a.credential.ID)
			b := p.begin("")
			return finishLogin(b, a.get(p.t, b))
		},
		"of an account that was removed": func(p *tenant, a *authenticator) request {
			for _, statement := range []string{
				"DELETE FROM sessions WHERE user_id = (SELECT id FROM users WHERE handle = $1)",
				"DELETE FROM members WHERE user_id = (SELECT id FROM users WHERE handle = $1)",
				"DELETE FROM passkeys WHERE user_id = (SELECT id FROM users WHERE handle = $1)", "DELETE FROM users WHERE handle = $1",
			} {
				p.sql(statement, a.Options.UserHandle)
			}
			b := p.begin("")
			return finishLogin(b, a.get(p.t, b))
		},
		"a passkey of another domain": func(p *tenant, a *authenticator) request {
			p.sql("UPDATE passkeys SET rp_id = 'old.example.com' WHERE credential_id = $1", a.credential.ID)
			b := p.begin("")
			return finishLogin(b, a.get(p.t, b))
		},
	} {
		network++
		from := fmt.Sprintf("198.51.%d.1", network) // failures count per network
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := *shared
			p.t = t
			a, _ := p.passkey(p.person(models.RoleEditor))
			answer := p.do(attack(&p, a).with("X-Forwarded-For", from))
			require.Equal(t, "the passkey is not valid here; sign in another way",
				answer.problem(http.StatusUnauthorized, models.CodeUnauthenticated)["detail"], "the response must be the same for every reason")
			require.NotContains(t, answer.header, "Set-Cookie")
		})
	}
}

// sql changes the database of the installation directly, without the server.
func (p *tenant) sql(statement string, args ...any) {
	p.t.Helper()
	done, err := p.postgres().Exec(p.t.Context(), statement, args...)
	require.NoError(p.t, err)
	require.NotZero(p.t, done.RowsAffected(), statement)
}

// TestAPasskeysAnswerIsTakenOnce checks that an authenticator's response is accepted once by all processes together,
// and only from the browser in which the sign-in began.
func TestAPasskeysAnswerIsTakenOnce(t *testing.T) {
	t.Parallel()
	env := settings(t)
	server := servePasskeys(t, env)
	p := server.tenant(t)
	another := *p
	elsewhere := maps.Clone(env)
	elsewhere["WAFT_DATA_DIR"] = t.TempDir()
	another.url = serveAPI(t, elsewhere)
	who := p.person(models.RoleEditor)
	registration := p.begin(who.session)
	a := newAuthenticator()
	register := finishRegistration(registration, who.session, "one", a.create(t, registration))
	made := p.do(register).record(http.StatusCreated)
	own := request{method: http.MethodDelete, path: path("/v1/auth/passkeys/%d", made.id("id")), session: who.session}

	login := p.begin("")
	answer := a.get(t, login)
	stolen := finishLogin(login, answer)
	for name, without := range map[string]request{
		"no cookie": stolen.with("Cookie", ""), "a cookie that was changed": stolen.with("Cookie", ofPasskey(login.cookie[1:])),
		"the cookie of a registration": stolen.with("Cookie", ofPasskey(registration.cookie)),
	} {
		require.Contains(t, p.do(without).problem(http.StatusUnauthorized, models.CodeUnauthenticated)["detail"], "begin again", name)
	}
	require.Equal(t, http.StatusOK, another.do(stolen).status, "all processes share one key")
	for _, process := range []*tenant{p, &another} {
		require.Contains(t, process.do(stolen).problem(http.StatusUnauthorized, models.CodeUnauthenticated)["detail"], "already used")
	}
	// An old response cannot restore a deleted passkey.
	require.Equal(t, http.StatusNoContent, p.do(own).status)
	require.Contains(t, p.do(register).problem(http.StatusConflict, models.CodeAlreadyExists)["detail"], "already used")
	require.Empty(t, p.do(request{method: http.MethodGet, path: "/v1/auth/passkeys", session: who.session}).list())
}

// TestRegistrationsThatAreRefused checks that only the person can add a passkey, in the session and browser in which
// the registration began.
func TestRegistrationsThatAreRefused(t *testing.T) {
	t.Parallel()
	p := servePasskeys(t, settings(t)).tenant(t)
	jo, mallory := p.person(models.RoleAdmin), p.person(models.RoleViewer)
	theirs := p.begin(jo.session)
	for name, attack := range map[string]func(a *authenticator) request{
		"another person's challenge and cookie": func(a *authenticator) request {
			return finishRegistration(theirs, mallory.session, "x", a.create(t, theirs))
		},
		"another person's challenge": func(a *authenticator) request {
			return finishRegistration(p.begin(mallory.session), mallory.session, "x", a.create(t, theirs))
		},
		"another session of the same person": func(a *authenticator) request {
			return finishRegistration(theirs, p.signIn(jo.email), "x", a.create(t, theirs))
		},
		"the cookie of a login": func(a *authenticator) request {
			return finishRegistration(p.begin(""), jo.session, "x", a.create(t, theirs))
		},
		"another origin": func(a *authenticator) request {
			a.party.Origin = "https://evil.example"
			return finishRegistration(theirs, jo.session, "x", a.create(t, theirs))
		},
		"another domain": func(a *authenticator) request {
			a.party.ID = "evil.example"
			return finishRegistration(theirs, jo.session, "x", a.create(t, theirs))
		},
		"the person was not verified": func(a *authenticator) request {
			a.Options.UserNotVerified = true
			return finishRegistration(theirs, jo.session, "x", a.create(t, theirs))
		},
		"nonsense": func(*authenticator) request {
			return finishRegistration(theirs, jo.session, "x", json.RawMessage(`{"id":7}`))
		},
	} {
		problem := p.do(attack(newAuthenticator())).problem(http.StatusBadRequest, models.CodeInvalid)
		require.Equal(t, []string{"credential"}, fields(problem), name)
	}
	victim := newAuthenticator()
	p.do(finishRegistration(theirs, jo.session, "mine", victim.create(t, theirs))).record(http.StatusCreated)
	copied := newAuthenticator()
	copied.credential.ID = victim.credential.ID
	b := p.begin(mallory.session)
	p.do(finishRegistration(b, mallory.session, "x", copied.create(t, b))).problem(http.StatusConflict, models.CodeAlreadyExists)
	p.logIn(victim).record(http.StatusOK)
	for _, who := range []human{jo, mallory} {
		list := p.do(request{method: http.MethodGet, path: "/v1/auth/passkeys", session: who.session}).list()
		require.Equal(t, who == jo, len(list) == 1)
	}
}

// TestACopyOfAPasskey checks that Waft detects a copy of a passkey when its counter of uses falls behind.
func TestACopyOfAPasskey(t *testing.T) {
	t.Parallel()
	p := servePasskeys(t, settings(t)).tenant(t)
	who := p.person(models.RoleEditor)
	a, _ := p.passkey(who)
	used := func(count uint32) answer {
		a.credential.Counter = count
		return p.logIn(a)
	}
	used(5).record(http.StatusOK)
	for range 2 {
		for _, count := range []uint32{5, 3} {
			require.Contains(t, used(count).problem(http.StatusUnauthorized, models.CodeUnauthenticated)["detail"], "copy")
		}
	}
	list := p.do(request{method: http.MethodGet, path: "/v1/auth/passkeys", session: who.session}).list()
	require.Equal(t, true, list[0]["cloneWarning"])
	warnings := 0
	for _, action := range p.actions() {
		if action == "user.passkey_cloned" {
			warnings++
		}
	}
	require.Equal(t, 1, warnings)
	used(6).record(http.StatusOK)
}

// TestPasskeyLoginsAreThrottled checks that failed sign-ins with passkeys and with passwords count together, per
// network. Beginning a sign-in is not stored and does not count.
func TestPasskeyLoginsAreThrottled(t *testing.T) {
	t.Parallel()
	p := servePasskeys(t, settings(t)).tenant(t)
	a, _ := p.passkey(p.person(models.RoleEditor))
	for range 50 {
		p.begin("")
	}
	p.logIn(a).record(http.StatusOK)
	stranger := newAuthenticator()
	stranger.Options.UserHandle = []byte("somebody")
	for range 6 {
		p.logIn(stranger).problem(http.StatusUnauthorized, models.CodeUnauthenticated)
	}
	delayed := p.logIn(stranger)
	delayed.problem(http.StatusTooManyRequests, models.CodeRateLimited)
	require.NotEmpty(t, delayed.header.Get("Retry-After"))
	p.do(request{method: http.MethodPost, path: "/v1/auth/login", body: object{"email": p.address(), "password": goodPassword}}.
		with("Authorization", "")).problem(http.StatusTooManyRequests, models.CodeRateLimited)
}
