package main

import (
	"context"
	"fmt"
	"net/http"
)

// squattersPassword is the password of an account that the attacker created under another person's email address.
const squattersPassword = "the squatter knows this one"

// squattedAddress creates an account with a person's email address in one project, as that project's admin. Another
// project then invites the person. The attacker's account must not become a member of the other project.
func squattedAddress(ctx context.Context, o *own) (string, error) {
	evil, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	honest, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	squatter, err := evil.joins(ctx, newAddress(), squattersPassword)
	if err != nil {
		return "", err
	}
	token, err := honest.invite(ctx, request{key: honest.key, project: honest.slug}, squatter.email)
	if err != nil {
		return "", err
	}
	stranger, err := o.browser()
	if err != nil {
		return "", err
	}
	for way, try := range map[string]func() (answer, error){
		"with its session":      func() (answer, error) { return squatter.accept(ctx, token, "") },
		"with its password":     func() (answer, error) { return stranger.accept(ctx, token, squattersPassword) },
		"with another password": func() (answer, error) { return stranger.accept(ctx, token, password) },
	} {
		a, err := try()
		if err != nil {
			return "", err
		}
		if a.succeeded() {
			return "", broken("an account with an address that was never verified accepts the invitation of another project  " + way)
		}
	}
	a, err := squatter.send(ctx, request{path: "/v1/ota/builds", project: honest.slug})
	if err := onlyWith(http.StatusForbidden, "a squatter asks for another project", a, err); err != nil {
		return "", err
	}
	// If the server sends mail, not even the inviter gets the link.
	var invited struct{ URL *string }
	body := object{"email": newAddress(), "role": "admin"}
	if err := evil.elsewhere(o.mailing).call(ctx, request{path: "/v1/ota/invitations", body: body}, &invited); err != nil {
		return "", err
	}
	if invited.URL != nil {
		return "", broken("the inviter gets the link of an invitation that is mailed")
	}
	return "the account cannot accept another project's invitation; with WAFT_SMTP_URL the link is mailed and not shown", nil
}

// removedMember lets a member create keys and invitations before the removal, and uses them after it.
func removedMember(ctx context.Context, o *own) (string, error) {
	p, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	insider, err := p.member(ctx)
	if err != nil {
		return "", err
	}
	if _, err := p.member(ctx); err != nil { // a project keeps its last admin
		return "", err
	}
	var first, second struct{ Key string }
	key := object{"name": "back door", "role": "admin"}
	if err := insider.record(ctx, request{path: "/v1/ota/api-keys", project: p.slug, body: key}, &first); err != nil {
		return "", err
	}
	if err := p.record(ctx, request{path: "/v1/ota/api-keys", project: p.slug, key: first.Key, body: key}, &second); err != nil {
		return "", err
	}
	bySession, err := insider.invite(ctx, request{project: p.slug}, newAddress())
	if err != nil {
		return "", err
	}
	byKey, err := p.invite(ctx, request{project: p.slug, key: second.Key}, newAddress())
	if err != nil {
		return "", err
	}
	user, err := p.remove(ctx, insider)
	if err != nil {
		return "", err
	}
	for _, token := range []string{bySession, byKey} {
		a, err := o.accept(ctx, token, squattersPassword)
		if err != nil {
			return "", err
		}
		if a.succeeded() {
			return "", broken("an invitation by a removed member is accepted")
		}
	}
	a, err := insider.send(ctx, request{path: "/v1/ota/builds", project: p.slug})
	if err := onlyWith(http.StatusForbidden, "a removed member's session asks for the project", a, err); err != nil {
		return "", err
	}
	var listed []object
	if err := p.call(ctx, request{path: fmt.Sprintf("/v1/ota/api-keys?madeBy=%d", user)}, &listed); err != nil {
		return "", err
	}
	if len(listed) != 2 {
		return "", broken(fmt.Sprintf("%d of 2 keys of a removed member are listed", len(listed)))
	}
	if err := p.call(ctx, request{path: "/v1/ota/api-keys/revoke", body: object{"madeBy": user}}, nil); err != nil {
		return "", err
	}
	for _, key := range []string{first.Key, second.Key} {
		a, err := p.send(ctx, request{path: "/v1/ota/builds", project: p.slug, key: key})
		if err := onlyWith(http.StatusUnauthorized, "a revoked key of a removed member asks for the project", a, err); err != nil {
			return "", err
		}
	}
	return "2 invitations ended; 2 keys, one created with the other, were listed and revoked", nil
}

// remove removes a member and returns the user ID.
func (p *project) remove(ctx context.Context, who human) (user int64, err error) {
	var members []struct {
		ID, UserID int64
		Email      string
	}
	if err := p.call(ctx, request{path: "/v1/ota/members?limit=200"}, &members); err != nil {
		return 0, err
	}
	for _, m := range members {
		if m.Email == who.email {
			return m.UserID, p.call(ctx, request{method: http.MethodDelete, path: fmt.Sprintf("/v1/ota/members/%d", m.ID)}, nil)
		}
	}
	return 0, fmt.Errorf("the project has no member %s", who.email)
}
