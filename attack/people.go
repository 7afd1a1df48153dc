package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"

	"github.com/google/uuid"
)

// password is the password of every honest person.
const password = "correct horse battery staple"

// human is a person with a browser that keeps the session's cookies.
type human struct {
	*target
	email string
}

// newAddress returns an email address that is not in use.
func newAddress() string { return "p" + uuid.NewString() + "@example.com" }

// browser returns the target as seen by a browser without cookies.
func (t *target) browser() (*target, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	other := *t
	other.http = &http.Client{Transport: t.http.Transport, Jar: jar, CheckRedirect: byHand}
	return &other, nil
}

// invite invites an address as an admin, with the key or session of r, and returns the token in the link.
func (t *target) invite(ctx context.Context, r request, email string) (token string, err error) {
	var made struct{ URL string }
	r.path, r.body = "/v1/ota/invitations", object{"email": email, "role": "admin"}
	if err := t.record(ctx, r, &made); err != nil {
		return "", err
	}
	_, token, ok := strings.Cut(made.URL, "/app/invite#")
	if !ok {
		return "", fmt.Errorf("the response has no link: %q", made.URL)
	}
	return token, nil
}

// accept accepts an invitation with a password, as the invited person would.
func (t *target) accept(ctx context.Context, token, password string) (answer, error) {
	return t.hashing(ctx, request{path: "/v1/auth/invitations/accept", body: object{"token": token, "name": "Sam", "password": password}})
}

// hashing sends a request for which the server hashes a password. It repeats the request while the server is too busy.
func (t *target) hashing(ctx context.Context, r request) (a answer, err error) {
	err = eventually(ctx, "the server stays too busy to hash a password", func() (bool, error) {
		a, err = t.send(ctx, r)
		return a.status != http.StatusTooManyRequests, err
	})
	return a, err
}

// member creates an admin of the project, with an account of their own.
func (p *project) member(ctx context.Context) (who human, err error) {
	return p.joins(ctx, newAddress(), password)
}

// joins creates an account with the address through an invitation of the project.
func (p *project) joins(ctx context.Context, email, password string) (who human, err error) {
	token, err := p.invite(ctx, request{key: p.key, project: p.slug}, email)
	if err != nil {
		return who, err
	}
	browser, err := p.browser()
	if err != nil {
		return who, err
	}
	a, err := browser.accept(ctx, token, password)
	if err != nil || !a.succeeded() {
		return who, fmt.Errorf("accepting an invitation gets %d: %s: %w", a.status, clip(a.body), err)
	}
	return human{browser, email}, nil
}
