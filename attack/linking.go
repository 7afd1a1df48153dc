package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"
)

// providerPath is the path of the route that signs a browser in with the identity provider.
const providerPath = "/v1/auth/oidc/" + providerID

// linkedIdentity tries to link the attacker's identity at the provider to a victim's account, or to sign in as the
// victim with what the victim's browser stored when a linking began.
func linkedIdentity(ctx context.Context, o *own) (string, error) {
	p, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	for _, attempt := range []func(ctx context.Context, victim human, identity string) error{
		o.linkByGET, o.linkFromPage, o.linkAfterLogout, o.linkInOtherSession,
	} {
		victim, err := p.member(ctx)
		if err != nil {
			return "", err
		}
		identity := "m" + uuid.NewString()
		o.provider.Put(identity, identity+"@example.com")
		if err := attempt(ctx, victim, identity); err != nil {
			return "", err
		}
		if err := o.signsNobodyIn(ctx, identity); err != nil {
			return "", err
		}
	}
	return "a GET, a page of another origin, a browser after signing out and another session cannot link an identity", nil
}

// linkByGET makes the victim's browser begin a linking with a GET, as an image or a link on any page can.
func (o *own) linkByGET(ctx context.Context, victim human, identity string) error {
	a, err := victim.send(ctx, request{path: providerPath + "?link=true"})
	if err != nil {
		return err
	}
	if a.status != http.StatusSeeOther {
		return nil // the linking does not even begin
	}
	a, err = o.comeBack(ctx, victim.target, identity, a.header.Get("Location"))
	return refusedLink(a, err, "a GET")
}

// linkFromPage makes the victim's browser begin a linking from a page of another origin.
func (*own) linkFromPage(ctx context.Context, victim human, _ string) error {
	fromElsewhere := map[string]string{"Sec-Fetch-Site": "cross-site"}
	a, err := victim.send(ctx, request{path: providerPath + "/link", body: object{}, header: fromElsewhere})
	return refusedLink(a, err, "a page of another origin")
}

// linkAfterLogout finishes a linking that the victim began, after the victim has signed out.
func (o *own) linkAfterLogout(ctx context.Context, victim human, identity string) error {
	page, err := victim.beginLink(ctx)
	if err != nil {
		return err
	}
	if err := victim.record(ctx, request{method: http.MethodPost, path: "/v1/auth/logout"}, nil); err != nil {
		return err
	}
	a, err := o.comeBack(ctx, victim.target, identity, page)
	return refusedLink(a, err, "a browser after signing out")
}

// linkInOtherSession finishes a linking that the victim began, in another session of the victim.
func (o *own) linkInOtherSession(ctx context.Context, victim human, identity string) error {
	page, err := victim.beginLink(ctx)
	if err != nil {
		return err
	}
	a, err := victim.hashing(ctx, request{path: "/v1/auth/login", body: object{"email": victim.email, "password": password}})
	if err != nil || !a.succeeded() {
		return fmt.Errorf("a sign-in gets %d: %s: %w", a.status, clip(a.body), err)
	}
	a, err = o.comeBack(ctx, victim.target, identity, page)
	return refusedLink(a, err, "another session")
}

// beginLink begins a linking, and returns the provider's page that the person must open.
func (h human) beginLink(ctx context.Context) (page string, err error) {
	var begun struct{ URL string }
	err = h.record(ctx, request{path: providerPath + "/link", body: object{}}, &begun)
	return begun.URL, err
}

// comeBack signs in as the identity on the provider's page, and returns Waft's response when the browser is redirected
// back.
func (o *own) comeBack(ctx context.Context, browser *target, identity, page string) (a answer, err error) {
	if a, err = browser.send(ctx, request{path: page}); err != nil {
		return a, err
	}
	_, id, ok := strings.Cut(a.header.Get("Location"), "authRequestID=")
	if !ok {
		return a, fmt.Errorf("the identity provider returned %d: %s", a.status, clip(a.body))
	}
	next, err := o.provider.SignIn(identity, id)
	if err != nil {
		return a, err
	}
	if a, err = browser.send(ctx, request{path: next}); err != nil {
		return a, err
	}
	return browser.send(ctx, request{path: a.header.Get("Location")})
}

// refusedLink returns nil if the response to the end of a linking is a refusal. It returns a broken if the linking
// succeeded.
func refusedLink(a answer, err error, by string) error {
	switch {
	case err != nil:
		return err
	case a.status == http.StatusUnauthorized, a.status == http.StatusForbidden:
		return nil
	case a.status < http.StatusBadRequest:
		return broken(fmt.Sprintf("%s links an identity to a person's account: %d", by, a.status))
	default:
		return fmt.Errorf("%s gets %d: %s", by, a.status, clip(a.body))
	}
}

// signsNobodyIn signs in with the identity in a new browser. It returns a broken if that works.
func (o *own) signsNobodyIn(ctx context.Context, identity string) error {
	browser, err := o.browser()
	if err != nil {
		return err
	}
	a, err := browser.send(ctx, request{path: providerPath})
	if err != nil || a.status != http.StatusSeeOther {
		return fmt.Errorf("a sign-in with the provider begins with %d: %s: %w", a.status, clip(a.body), err)
	}
	if a, err = o.comeBack(ctx, browser, identity, a.header.Get("Location")); err != nil {
		return err
	}
	if a.status != http.StatusForbidden {
		return broken(fmt.Sprintf("the attacker's identity signs in as a person: %d", a.status))
	}
	return nil
}
