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

// lockOutNetworks is the number of networks that guess. It is larger than the number of failures without a delay that
// an account has over all networks.
const lockOutNetworks = 25

// lockOut guesses the password of an invented address, which the server treats like any other address, once from each
// of many networks. The server must still check the first attempt from one more network, instead of refusing it as if
// the account were locked. A network that continues to guess must have to wait.
//
// All networks are loopback networks of this machine, because the server ignores headers that name other addresses.
func lockOut(ctx context.Context, t *target) (string, error) {
	email := uuid.NewString() + "@example.com"
	guess := func(from net.IP) (answer, error) {
		return t.from(from).send(ctx, request{path: "/v1/auth/login", body: object{"email": email, "password": "a wrong password"}})
	}
	run := byte(rand.Uint32N(256)) // the server remembers the networks of the previous run
	for i := range lockOutNetworks + 1 {
		a, err := guess(net.IPv4(127, run, byte(i), 1))
		switch {
		case errors.Is(err, syscall.EADDRNOTAVAIL):
			return "", skipped("this machine has no loopback addresses but 127.0.0.1")
		case err != nil:
			return "", err
		case a.status == http.StatusTooManyRequests:
			return "", broken(fmt.Sprintf("after wrong passwords from %d networks the first attempt from another network is refused", i))
		case a.status != http.StatusUnauthorized:
			return "", fmt.Errorf("a sign-in gets %d: %s", a.status, clip(a.body))
		}
	}
	stubborn, most := net.IPv4(127, run, lockOutNetworks+1, 1), 20
	for tries := range most {
		a, err := guess(stubborn)
		if err != nil {
			return "", err
		}
		if a.status == http.StatusTooManyRequests && a.header.Get("Retry-After") != "" {
			return fmt.Sprintf("after guesses from %d networks a first attempt is checked; one network waits after %d", lockOutNetworks, tries), nil
		}
	}
	return "", broken(fmt.Sprintf("one network guesses %d passwords of an account without a delay", most))
}
