package api

import "net/http"

// routes are the rows of logging in, of one's own account, and of the members of a project.
func (h *AuthHandlers) routes() []route {
	return []route{
		{
			method: http.MethodGet, path: "/v1/auth/methods", access: public,
			serve: operation(methodsDoc, h.loginMethods),
		},
		{
			method: http.MethodGet, path: "/v1/auth/methods/own", access: person,
			serve: operation(ownMethodsDoc, h.ownMethods),
		},
		{
			method: http.MethodPost, path: "/v1/auth/setup", access: public,
			serve: operation(setUpDoc, h.setUp),
		},
		{
			method: http.MethodPost, path: "/v1/auth/login", access: public,
			serve: operation(logInDoc, h.logIn),
		},
		{
			method: http.MethodPost, path: "/v1/auth/logout", access: person,
			serve: operation(logOutDoc, h.logOut),
		},
		{
			method: http.MethodPost, path: "/v1/auth/password", access: person,
			serve: operation(changePasswordDoc, h.changePassword),
		},
		{
			method: http.MethodGet, path: "/v1/auth/sessions", access: person,
			serve: operation(listSessionsDoc, h.listSessions),
		},
		{
			method: http.MethodDelete, path: "/v1/auth/sessions/{id}", access: person,
			serve: operation(endSessionDoc, h.endSession),
		},
		{
			method: http.MethodPost, path: "/v1/auth/invitations/accept", access: public,
			serve: operation(acceptDoc, h.acceptInvitation),
		},
		{
			method: http.MethodPost, path: "/v1/auth/token", access: public,
			serve: operation(exchangeTokenDoc, h.exchangeToken),
		},
		{
			method: http.MethodGet, path: "/v1/auth/oidc/{provider}", access: public,
			serve: plain(beginOIDCDoc, h.beginOIDC),
		},
		{
			method: http.MethodGet, path: "/v1/auth/oidc/{provider}/callback", access: public,
			serve: plain(finishOIDCDoc, h.finishOIDC),
		},
		{
			method: http.MethodGet, path: "/v1/auth/passkeys", access: person,
			serve: operation(listPasskeysDoc, h.listPasskeys),
		},
		{
			method: http.MethodPost, path: "/v1/auth/passkeys/register/begin", access: person,
			serve: operation(beginPasskeyDoc, h.beginPasskey),
		},
		{
			method: http.MethodPost, path: "/v1/auth/passkeys/register/finish", access: person,
			serve: operation(addPasskeyDoc, h.addPasskey),
		},
		{
			method: http.MethodPatch, path: "/v1/auth/passkeys/{id}", access: person,
			serve: operation(patchPasskeyDoc, h.patchPasskey),
		},
		{
			method: http.MethodDelete, path: "/v1/auth/passkeys/{id}", access: person,
			serve: operation(removePasskeyDoc, h.removePasskey),
		},
		{
			method: http.MethodPost, path: "/v1/auth/passkeys/login/begin", access: public,
			serve: operation(beginPasskeyLoginDoc, h.beginPasskeyLogin),
		},
		{
			method: http.MethodPost, path: "/v1/auth/passkeys/login/finish", access: public,
			serve: operation(passkeyLoginDoc, h.logInWithPasskey),
		},
		{
			method: http.MethodGet, path: "/v1/me", access: anyone,
			serve: operation(meDoc, h.me),
		},
		{
			method: http.MethodPatch, path: "/v1/me", access: person,
			serve: operation(patchMeDoc, h.patchMe),
		},
		{
			method: http.MethodGet, path: "/v1/ota/members", access: viewer,
			serve: operation(listMembersDoc, listing(h.Members, Members.ListMembers, memberRecord)),
		},
		{
			method: http.MethodPatch, path: "/v1/ota/members/{id}", access: admin,
			current: currentByID(h.Members, Members.Member, memberRecord),
			serve:   operation(patchMemberDoc, patching[patchMemberBody](h.Members, Members.UpdateMember, memberRecord)),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/members/{id}", access: admin,
			current: currentByID(h.Members, Members.Member, memberRecord),
			serve:   operation(removeMemberDoc, deleting(h.Members, Members.RemoveMember)),
		},
		{
			method: http.MethodGet, path: "/v1/ota/invitations", access: admin,
			serve: operation(listInvitationsDoc, listing(h.Members, Members.ListInvitations, invitationRecord)),
		},
		{
			method: http.MethodPost, path: "/v1/ota/invitations", access: admin,
			serve: operation(createInvitationDoc, h.createInvitation),
		},
		{
			method: http.MethodDelete, path: "/v1/ota/invitations/{id}", access: admin,
			serve: operation(revokeInvitationDoc, deleting(h.Members, Members.RevokeInvitation)),
		},
	}
}
