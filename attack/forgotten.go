package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

const (
	// forgottenFree is the number of requests per network and address that are not delayed.
	forgottenFree = 6
	// mailsPerHour is the maximum number of mails per address and hour about forgotten passwords.
	mailsPerHour = 3
)

// forgottenPassword requests new passwords for an address with an account and for an address without an account. Then
// it repeats the request until the server refuses it.
func forgottenPassword(ctx context.Context, o *own) (string, error) {
	p, err := o.project(ctx)
	if err != nil {
		return "", err
	}
	known, err := p.member(ctx)
	if err != nil {
		return "", err
	}
	other, err := p.member(ctx)
	if err != nil {
		return "", err
	}
	forget := func(email, from string) (answer, error) {
		return o.mailing.send(ctx, request{path: "/v1/auth/password/forgot", from: from, body: object{"email": email}})
	}
	unknown := newAddress()
	ofKnown, err := forget(known.email, "198.51.100.1")
	if err != nil {
		return "", err
	}
	ofUnknown, err := forget(unknown, "198.51.101.1")
	if err != nil {
		return "", err
	}
	if ofKnown.status != http.StatusAccepted {
		return "", fmt.Errorf("a forgotten password gets %d: %s", ofKnown.status, clip(ofKnown.body))
	}
	if difference := differ(ofKnown, ofUnknown); difference != "" {
		return "", broken("the responses for an address with an account and an address without one differ: " + difference)
	}
	for n := range forgottenFree + 1 {
		a, err := forget(known.email, "203.0.113.1")
		if err != nil {
			return "", err
		}
		if limited := a.status == http.StatusTooManyRequests; limited != (n == forgottenFree) {
			return "", broken(fmt.Sprintf("request %d from one network for one address gets %d", n+1, a.status))
		}
	}
	err = eventually(ctx, "no mail is sent", func() (bool, error) { return len(o.mails.Accepted(known.email)) >= mailsPerHour, nil })
	if err != nil {
		return "", err
	}
	// The server handles requests in order, so the earlier requests are done once the other person has a mail.
	if _, err := forget(other.email, "198.51.102.1"); err != nil {
		return "", err
	}
	err = eventually(ctx, "no mail is sent", func() (bool, error) { return len(o.mails.Accepted(other.email)) > 0, nil })
	if err != nil {
		return "", err
	}
	if n := len(o.mails.Accepted(known.email)); n > mailsPerHour {
		return "", broken(fmt.Sprintf("an address gets %d mails", n))
	}
	if n := len(o.mails.Accepted(unknown)); n > 0 {
		return "", broken("an address without an account gets a mail")
	}
	return fmt.Sprintf("the response is the same for every address; the network waits after %d requests, and the address got %d mails",
		forgottenFree, len(o.mails.Accepted(known.email))), nil
}

// differ describes the difference between two responses, apart from their times and request IDs. It returns "" if they
// are the same.
func differ(a, b answer) string {
	if a.status != b.status {
		return fmt.Sprintf("%d and %d", a.status, b.status)
	}
	if string(a.body) != string(b.body) {
		return fmt.Sprintf("%q and %q", clip(a.body), clip(b.body))
	}
	for _, each := range []answer{a, b} {
		each.header.Del("Date")
		each.header.Del("X-Request-Id")
	}
	if !maps.EqualFunc(a.header, b.header, slices.Equal) {
		return fmt.Sprintf("%v and %v", a.header, b.header)
	}
	return ""
}
