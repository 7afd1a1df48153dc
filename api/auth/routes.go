package auth

import (
	"net/http"

	"github.com/waft-ota/waft/api/rest"
)

// Routes returns the routes of signing in, of people's own accounts, and of the members of a project.
func (h *Handlers) Routes() []rest.Route {
	return []rest.Route{
		{
			Method: http.MethodGet, Path: "/v1/auth/methods", Access: rest.Public,
			Serve: rest.Operation(methodsDoc, h.loginMethods),
		},
		{
			Method: http.MethodGet, Path: "/v1/auth/methods/own", Access: rest.Person,
			Serve: rest.Operation(ownMethodsDoc, h.ownMethods),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/setup", Access: rest.Public,
			Serve: rest.Operation(setUpDoc, h.setUp),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/login", Access: rest.Public,
			Serve: rest.Operation(logInDoc, h.logIn),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/logout", Access: rest.Person,
			Serve: rest.Operation(logOutDoc, h.logOut),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/password", Access: rest.Person,
			Serve: rest.Operation(changePasswordDoc, h.changePassword),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/password/forgot", Access: rest.Public,
			Serve: rest.Operation(forgotPasswordDoc, h.forgotPassword),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/password/reset", Access: rest.Public,
			Serve: rest.Operation(resetPasswordDoc, h.resetPassword),
		},
		{
			Method: http.MethodGet, Path: "/v1/auth/sessions", Access: rest.Person,
			Serve: rest.Operation(listSessionsDoc, h.listSessions),
		},
		{
			Method: http.MethodDelete, Path: "/v1/auth/sessions/{id}", Access: rest.Person,
			Serve: rest.Operation(endSessionDoc, h.endSession),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/invitations/accept", Access: rest.Public,
			Serve: rest.Operation(acceptDoc, h.acceptInvitation),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/token", Access: rest.Public,
			Serve: rest.Operation(exchangeTokenDoc, h.exchangeToken),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/terminal-logins", Access: rest.Public,
			Serve: rest.Operation(beginTerminalDoc, h.beginTerminal),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/terminal-session", Access: rest.Public,
			Serve: rest.Operation(pollTerminalDoc, h.pollTerminal),
		},
		{
			Method: http.MethodGet, Path: "/v1/auth/terminal-logins/{code}", Access: rest.Person,
			Serve: rest.Operation(showTerminalDoc, h.showTerminal),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/terminal-logins/{code}/confirm", Access: rest.Person,
			Serve: rest.Operation(confirmTerminalDoc, h.confirmTerminal),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/terminal-logins/{code}/refuse", Access: rest.Person,
			Serve: rest.Operation(refuseTerminalDoc, h.refuseTerminal),
		},
		{
			Method: http.MethodGet, Path: "/v1/auth/oidc/{provider}", Access: rest.Public,
			Serve: rest.Plain(beginOIDCDoc, h.beginOIDC),
		},
		{
			Method: http.MethodGet, Path: "/v1/auth/oidc/{provider}/callback", Access: rest.Public,
			Serve: rest.Plain(finishOIDCDoc, h.finishOIDC),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/oidc/{provider}/link", Access: rest.Person,
			Serve: rest.Operation(linkDoc, h.beginLink),
		},
		{
			Method: http.MethodDelete, Path: "/v1/auth/identities/{id}", Access: rest.Person,
			Serve: rest.Operation(removeIdentityDoc, h.removeIdentity),
		},
		{
			Method: http.MethodGet, Path: "/v1/auth/passkeys", Access: rest.Person,
			Serve: rest.Operation(listPasskeysDoc, h.listPasskeys),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/passkeys/register/begin", Access: rest.Person,
			Serve: rest.Operation(beginPasskeyDoc, h.beginPasskey),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/passkeys/register/finish", Access: rest.Person,
			Serve: rest.Operation(addPasskeyDoc, h.addPasskey),
		},
		{
			Method: http.MethodPatch, Path: "/v1/auth/passkeys/{id}", Access: rest.Person,
			Serve: rest.Operation(patchPasskeyDoc, h.patchPasskey),
		},
		{
			Method: http.MethodDelete, Path: "/v1/auth/passkeys/{id}", Access: rest.Person,
			Serve: rest.Operation(removePasskeyDoc, h.removePasskey),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/passkeys/login/begin", Access: rest.Public,
			Serve: rest.Operation(beginPasskeyLoginDoc, h.beginPasskeyLogin),
		},
		{
			Method: http.MethodPost, Path: "/v1/auth/passkeys/login/finish", Access: rest.Public,
			Serve: rest.Operation(passkeyLoginDoc, h.logInWithPasskey),
		},
		{
			Method: http.MethodGet, Path: "/v1/me", Access: rest.Anyone,
			Serve: rest.Operation(meDoc, h.me),
		},
		{
			Method: http.MethodPatch, Path: "/v1/me", Access: rest.Person,
			Serve: rest.Operation(patchMeDoc, h.patchMe),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/members", Access: rest.Viewer,
			Serve: rest.Operation(listMembersDoc, rest.Listing(h.Members, Members.ListMembers, memberRecord)),
		},
		{
			Method: http.MethodPatch, Path: "/v1/ota/members/{id}", Access: rest.Admin,
			Serve: rest.Operation(patchMemberDoc, rest.Patching[patchMemberBody](h.Members, Members.UpdateMember, memberRecord)),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/members/{id}", Access: rest.Admin,
			Serve: rest.Operation(removeMemberDoc, rest.Deleting(h.Members, Members.RemoveMember)),
		},
		{
			Method: http.MethodGet, Path: "/v1/ota/invitations", Access: rest.Admin,
			Serve: rest.Operation(listInvitationsDoc, rest.Listing(h.Members, Members.ListInvitations, invitationRecord)),
		},
		{
			Method: http.MethodPost, Path: "/v1/ota/invitations", Access: rest.Admin,
			Serve: rest.Operation(createInvitationDoc, h.createInvitation),
		},
		{
			Method: http.MethodDelete, Path: "/v1/ota/invitations/{id}", Access: rest.Admin,
			Serve: rest.Operation(revokeInvitationDoc, rest.Deleting(h.Members, Members.RevokeInvitation)),
		},
	}
}
