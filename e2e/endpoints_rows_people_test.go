package e2e

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// as returns the request with the session of a new viewer of the tenant.
func (p *tenant) as(r request) request {
	r.session = p.person(models.RoleViewer).session
	return r
}

// terminalRow returns the row of a route that a person uses with the code of a terminal.
func terminalRow(status int, step string) row {
	return row{
		status: status,
		request: func(p *tenant) request {
			return p.as(request{path: path("/v1/auth/terminal-logins/%s%s", p.terminal()["code"], step)})
		},
		refusals: []refusal{{"no terminal has the code", 404, models.CodeNotFound, func(p *tenant) request {
			return p.as(request{path: path("/v1/auth/terminal-logins/BBBB-BBBB%s", step)})
		}}},
	}
}

var peopleRows = map[string]row{
	"GET /v1/auth/methods":     {status: 200, request: own},
	"GET /v1/auth/methods/own": {status: 200, request: func(p *tenant) request { return p.as(request{}) }},
	"POST /v1/auth/setup": {
		status: 409, // every installation in these tests is already set up; see TestTheFirstAccount
		request: func(p *tenant) request {
			p.owner()
			return request{body: object{"token": "x", "email": "a@example.com", "name": "A", "password": goodPassword}}
		},
		refusals: []refusal{{"the password is short", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"token": "x", "email": "a@example.com", "name": "A", "password": "short"}}.with("Authorization", "")
		}}},
	},
	"POST /v1/auth/login": {
		status: 200,
		request: func(p *tenant) request {
			return request{body: object{"email": p.person(models.RoleViewer).email, "password": goodPassword}}
		},
		refusals: []refusal{{"there is no such account", 401, models.CodeUnauthenticated, func(*tenant) request {
			return request{body: object{"email": uuid.NewString() + "@example.com", "password": goodPassword}}.with("Authorization", "")
		}}},
	},
	"POST /v1/auth/logout": {status: 204, request: func(p *tenant) request { return p.as(request{}) }},
	"POST /v1/auth/password": {
		status: 204,
		request: func(p *tenant) request {
			return p.as(request{body: object{"current": goodPassword, "new": goodPassword + "!"}})
		},
		refusals: []refusal{{"the current one is wrong", 400, models.CodeInvalid, func(p *tenant) request {
			return p.as(request{body: object{"current": "wrong", "new": goodPassword + "!"}})
		}}},
	},
	// TestAForgottenPassword runs a server that sends mail.
	"POST /v1/auth/password/forgot": {status: 403, request: func(p *tenant) request { return request{body: object{"email": p.address()}} }},
	"POST /v1/auth/password/reset": {status: 403, request: func(*tenant) request {
		return request{body: object{"token": models.NewSecretToken().Reveal(), "password": goodPassword}}
	}},
	"GET /v1/auth/sessions": {status: 200, request: func(p *tenant) request { return p.as(request{}) }},
	"DELETE /v1/auth/sessions/{id}": {
		status: 204,
		request: func(p *tenant) request {
			who := p.person(models.RoleViewer)
			again := p.signIn(who.email)
			id := p.do(request{method: http.MethodGet, path: "/v1/auth/sessions", session: again}).list()[0].id("id")
			return request{path: path("/v1/auth/sessions/%d", id), session: who.session}
		},
		refusals: []refusal{{"it is another person's", 404, models.CodeNotFound, func(p *tenant) request {
			id := p.do(p.as(request{method: http.MethodGet, path: "/v1/auth/sessions"})).list()[0].id("id")
			return p.as(request{path: path("/v1/auth/sessions/%d", id)})
		}}},
	},
	"POST /v1/auth/terminal-logins": {
		status:  201,
		request: func(p *tenant) request { return request{body: object{"name": p.marker}} },
		refusals: []refusal{{"the name is missing", 400, models.CodeInvalid, func(*tenant) request {
			return request{body: object{"name": ""}}.with("Authorization", "")
		}}},
	},
	"POST /v1/auth/terminal-session": {
		status:  200,
		request: func(p *tenant) request { return request{body: object{"secret": p.terminal()["secret"]}} },
		refusals: []refusal{{"Waft did not create the secret", 401, models.CodeUnauthenticated, func(*tenant) request {
			return request{body: object{"secret": models.NewSecretToken().Reveal()}}.with("Authorization", "")
		}}},
	},
	"GET /v1/auth/terminal-logins/{code}":          terminalRow(200, ""),
	"POST /v1/auth/terminal-logins/{code}/confirm": terminalRow(204, "/confirm"),
	"POST /v1/auth/terminal-logins/{code}/refuse":  terminalRow(204, "/refuse"),
	"POST /v1/auth/invitations/accept": {
		status: 200,
		request: func(p *tenant) request {
			return request{body: object{"token": p.invite(p.address(), models.RoleEditor), "name": p.marker, "password": goodPassword}}
		},
		refusals: []refusal{
			{"there is no such invitation", 404, models.CodeNotFound, func(*tenant) request {
				return request{body: object{"token": models.NewSecretToken().Reveal(), "name": "x", "password": goodPassword}}.with("Authorization", "")
			}},
			{"a new person has no password", 400, models.CodeInvalid, func(p *tenant) request {
				return request{body: object{"token": p.invite(p.address(), models.RoleEditor), "name": "x"}}.with("Authorization", "")
			}},
			{"the account's password is wrong", 401, models.CodeUnauthenticated, func(p *tenant) request {
				other := p.tenant(p.t)
				token := other.invite(p.verifies(p.person(models.RoleViewer)).email, models.RoleEditor)
				return request{body: object{"token": token, "password": "wrong"}}.with("Authorization", "")
			}},
			{"it is for another account", 403, models.CodeForbidden, func(p *tenant) request {
				return p.as(request{body: object{"token": p.invite(p.address(), models.RoleEditor)}})
			}},
		},
	},
	"POST /v1/auth/oidc/{provider}/link": {status: 404, request: func(p *tenant) request {
		return p.as(request{path: "/v1/auth/oidc/nowhere/link", body: object{}})
	}},
	"DELETE /v1/auth/identities/{id}": {
		status: 204,
		request: func(p *tenant) request {
			who := p.person(models.RoleViewer)
			return request{path: path("/v1/auth/identities/%d", p.identity(who)), session: who.session}
		},
		refusals: []refusal{
			{"it is another person's", 404, models.CodeNotFound, func(p *tenant) request {
				return p.as(request{path: path("/v1/auth/identities/%d", p.identity(p.person(models.RoleViewer)))})
			}},
			{"it is the only way to sign in", 409, models.CodeInUse, func(p *tenant) request {
				who := p.person(models.RoleViewer)
				id := p.identity(who)
				p.sql("UPDATE users SET password_hash = '' WHERE email = $1", who.email)
				return request{path: path("/v1/auth/identities/%d", id), session: who.session}
			}},
		},
	},
	"GET /v1/auth/passkeys":                 {status: 200, request: func(p *tenant) request { return p.as(request{}) }},
	"POST /v1/auth/passkeys/register/begin": {status: 200, request: func(p *tenant) request { return p.as(request{}) }},
	"POST /v1/auth/passkeys/register/finish": {
		status: 201,
		request: func(p *tenant) request {
			who, a := p.person(models.RoleViewer), newAuthenticator()
			b := p.begin(who.session)
			r := finishRegistration(b, who.session, p.marker, a.create(p.t, b))
			r.path = ""
			return r
		},
		refusals: []refusal{
			{"the passkey has no name", 400, models.CodeInvalid, func(p *tenant) request {
				return p.as(request{body: object{"name": " ", "credential": object{}}})
			}},
			{"the browser has begun nothing", 400, models.CodeInvalid, func(p *tenant) request {
				return p.as(request{body: object{"name": "x", "credential": object{}}})
			}},
		},
	},
	"PATCH /v1/auth/passkeys/{id}": {
		status: 200,
		request: func(p *tenant) request {
			who := p.person(models.RoleViewer)
			_, id := p.passkey(who)
			return request{path: path("/v1/auth/passkeys/%d", id), session: who.session, body: object{"name": "another"}}
		},
		refusals: []refusal{{"it is another person's", 404, models.CodeNotFound, func(p *tenant) request {
			_, id := p.passkey(p.person(models.RoleViewer))
			return p.as(request{path: path("/v1/auth/passkeys/%d", id), body: object{"name": "mine"}})
		}}},
	},
	"DELETE /v1/auth/passkeys/{id}": {
		status: 204,
		request: func(p *tenant) request {
			who := p.person(models.RoleViewer)
			_, id := p.passkey(who)
			return request{path: path("/v1/auth/passkeys/%d", id), session: who.session}
		},
		refusals: []refusal{
			{"it is another person's", 404, models.CodeNotFound, func(p *tenant) request {
				_, id := p.passkey(p.person(models.RoleViewer))
				return p.as(request{path: path("/v1/auth/passkeys/%d", id)})
			}},
			{"it is the only way to sign in", 409, models.CodeInUse, func(p *tenant) request {
				who := p.person(models.RoleViewer)
				_, id := p.passkey(who)
				p.sql("UPDATE users SET password_hash = '' WHERE email = $1", who.email)
				return request{path: path("/v1/auth/passkeys/%d", id), session: who.session}
			}},
		},
	},
	"POST /v1/auth/passkeys/login/begin": {status: 200, request: func(*tenant) request { return request{} }},
	"POST /v1/auth/passkeys/login/finish": {
		status: 200,
		request: func(p *tenant) request {
			a, _ := p.passkey(p.person(models.RoleViewer))
			b := p.begin("")
			r := finishLogin(b, a.get(p.t, b))
			r.path = ""
			return r
		},
		refusals: []refusal{{"the browser has begun nothing", 401, models.CodeUnauthenticated, func(*tenant) request {
			return request{body: object{"credential": object{}}}.with("Authorization", "")
		}}},
	},
	// TestTrustedPublishing has tokens that are accepted.
	"POST /v1/auth/token": {
		status: 401, request: func(p *tenant) request { return request{body: object{"projectSlug": p.slug, "idToken": "a.b.c"}} },
		refusals: []refusal{{"there is no token", 400, models.CodeInvalid, func(p *tenant) request {
			return request{body: object{"projectSlug": p.slug, "idToken": ""}}.with("Authorization", "")
		}}},
	},
	"GET /v1/ota/trusted-publishers": {status: 200, request: own},
	"PUT /v1/ota/trusted-publishers": {
		status: 200, request: func(p *tenant) request { return request{body: []object{p.publisher(nil)}} },
		refusals: []refusal{
			{"the role is too high", 400, models.CodeInvalid, func(p *tenant) request {
				return request{body: []object{p.publisher(object{"role": "admin"})}}
			}},
			{"there is no such channel", 400, models.CodeInvalid, func(p *tenant) request {
				return request{body: []object{p.publisher(object{"channels": []string{"nowhere"}})}}
			}},
		},
		borrowed: func(a, _ *tenant) []request {
			return []request{{body: []object{a.publisher(object{"channels": []string{a.channel()}})}}}
		},
	},
	// TestSignInWithAProvider runs a provider.
	"GET /v1/auth/oidc/{provider}":          {status: 404, request: func(*tenant) request { return at("/v1/auth/oidc/nowhere") }},
	"GET /v1/auth/oidc/{provider}/callback": {status: 404, request: func(*tenant) request { return at("/v1/auth/oidc/nowhere/callback") }},

	"GET /v1/me":   {status: 200, request: own},
	"PATCH /v1/me": {status: 200, request: func(p *tenant) request { return p.as(request{body: object{"name": p.marker}}) }},

	"GET /v1/ota/members": {status: 200, request: own},
	"PATCH /v1/ota/members/{id}": {
		status: 200,
		request: func(p *tenant) request {
			return to(object{"role": "editor"}, "/v1/ota/members/%d", p.member(p.person(models.RoleViewer)))
		},
		refusals: []refusal{
			unknownRecord("/v1/ota/members/1", object{"role": "editor"}),
			{"there is no such role", 400, models.CodeInvalid, func(p *tenant) request {
				return to(object{"role": "king"}, "/v1/ota/members/%d", p.member(p.person(models.RoleViewer)))
			}},
			{"an owner stays an admin", 409, models.CodeInUse, func(p *tenant) request {
				return to(object{"role": "viewer"}, "/v1/ota/members/%d", p.member(p.owner()))
			}},
		},
	},
	"DELETE /v1/ota/members/{id}": {
		status:  204,
		request: func(p *tenant) request { return at("/v1/ota/members/%d", p.member(p.person(models.RoleViewer))) },
		refusals: []refusal{unknownRecord("/v1/ota/members/1", nil), {"an owner stays", 409, models.CodeInUse, func(p *tenant) request {
			return at("/v1/ota/members/%d", p.member(p.owner()))
		}}},
	},
	"GET /v1/ota/invitations": {status: 200, request: own},
	"POST /v1/ota/invitations": {
		status:  201,
		request: func(p *tenant) request { return request{body: object{"email": p.address(), "role": "editor"}} },
		refusals: []refusal{
			{"the address is none", 400, models.CodeInvalid, func(*tenant) request {
				return request{body: object{"email": "nobody", "role": "editor"}}
			}},
			{"the person is a member", 409, models.CodeAlreadyExists, func(p *tenant) request {
				return request{body: object{"email": p.person(models.RoleViewer).email, "role": "editor"}}
			}},
		},
	},
	"DELETE /v1/ota/invitations/{id}": {
		status: 204,
		request: func(p *tenant) request {
			made := p.create("/v1/ota/invitations", object{"email": p.address(), "role": "editor"})
			return at("/v1/ota/invitations/%d", made.id("id"))
		},
		refusals: []refusal{unknownRecord("/v1/ota/invitations/1", nil)},
	},
}
