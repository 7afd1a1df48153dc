package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"syscall"

	"github.com/google/uuid"
)

// lockOutNetworks is the number of networks that guess, more than the failures that an account has free over all networks.
const lockOutNetworks = 25

// lockOut guesses the password of an invented address, which the server treats as any other, once from each of many networks. Then the
// first attempt from one more network is compared, and is not refused unread as it would be if the account were locked. One network that
// goes on has to wait. The networks are of this machine, because a server trusts no header that names others.
func lockOut(ctx context.Context, t *target) (string, error) {
	email := uuid.NewString() + "@example.com"
	guess := func(from net.IP) (answer, error) {
		return t.from(from).send(ctx, request{path: "/v1/auth/login", body: object{"email": email, "password": "a wrong password"}})
	}
	run := byte(rand.Uint32N(256)) // a server remembers the networks of the run before
	for i := range lockOutNetworks + 1 {
		a, err := guess(net.IPv4(127, run, byte(i), 1))
		switch {
		case errors.Is(err, syscall.EADDRNOTAVAIL):
			return "", skipped("this machine has no loopback addresses but 127.0.0.1")
		case err != nil:
			return "", err
		case a.status == http.StatusTooManyRequests:
			return "", broken(fmt.Sprintf("after wrong passwords from %d networks the first attempt from another one is refused", i))
		case a.status != http.StatusUnauthorized:
			return "", fmt.Errorf("a login is answered with %d: %s", a.status, clip(a.body))
		}
	}
	stubborn, most := net.IPv4(127, run, lockOutNetworks+1, 1), 20
	for tries := range most {
		a, err := guess(stubborn)
		if err != nil {
			return "", err
		}
		if a.status == http.StatusTooManyRequests && a.header.Get("Retry-After") != "" {
			return fmt.Sprintf("a first attempt is compared after guesses from %d networks; one network waits after %d", lockOutNetworks, tries), nil
		}
	}
	return "", broken(fmt.Sprintf("one network guesses %d passwords of an account without a delay", most))
}
