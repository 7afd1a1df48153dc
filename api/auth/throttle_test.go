package auth

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/limit"
	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// attempts makes attempts to sign in, with a clock that only the test moves.
type attempts struct {
	t     *testing.T
	guard *loginGuard
	now   time.Time
	// known are the accounts that have signed in from a network, by its hash.
	known map[models.NetworkHash][]string
	reads int
}

func newAttempts(t *testing.T) *attempts {
	a := &attempts{t: t, now: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC), known: map[models.NetworkHash][]string{}}
	limits := limit.New(limit.Settings{}, nil, prometheus.NewRegistry(), slog.New(slog.DiscardHandler), time.Now)
	a.guard = newLoginGuard("logins", "wait", limits, a, func() time.Time { return a.now })
	return a
}

func (a *attempts) KnownAccounts(_ context.Context, networks []models.NetworkHash) ([]string, error) {
	a.reads++
	return a.known[networks[0]], nil
}

func at(address string) place {
	ip := netip.MustParseAddr(address)
	return place{rest.Widen(ip), []models.NetworkHash{models.HashNetwork(nil, ip)}}
}

// signedIn makes the network of the address known for the account.
func (a *attempts) signedIn(email, address string) {
	from := at(address)
	a.known[from.hashes[0]] = append(a.known[from.hashes[0]], email)
	a.guard.known.changed(from.network)
}

// try makes an attempt and returns the time that it must wait, or 0 if it was admitted.
func (a *attempts) try(email, address string, ok bool) time.Duration {
	a.t.Helper()
	attempt, err := a.guard.begin(a.t.Context(), email, at(address))
	return a.end(attempt, err, ok)
}

// answer makes an attempt with a passkey.
func (a *attempts) answer(address string, ok bool) time.Duration {
	a.t.Helper()
	attempt, err := a.guard.beginAnswer(at(address).network)
	return a.end(attempt, err, ok)
}

func (a *attempts) end(attempt *attempt, err error, ok bool) time.Duration {
	a.t.Helper()
	if err == nil {
		if ok {
			attempt.succeeded()
		}
		return 0
	}
	require.Equal(a.t, models.CodeRateLimited, models.CodeOf(err))
	var e *models.Error
	require.ErrorAs(a.t, err, &e)
	require.Positive(a.t, e.RetryAfter)
	return e.RetryAfter
}

// attack guesses once from each of n networks.
func (a *attempts) attack(email string, n int) {
	a.t.Helper()
	for i := range n {
		require.Zero(a.t, a.try(email, fmt.Sprintf("100.%d.%d.1", 64+i/256, i%256), false), "the first attempt from a network")
	}
}

func TestTheSixthFailureDelaysTheNextAttempt(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for range 6 {
		require.Zero(t, a.try("jo@example.com", "203.0.113.1", false))
	}
	for i, want := range []time.Duration{5, 10, 20, 40, 60, 60, 60} {
		address := fmt.Sprintf("203.0.113.%d", i)
		require.Equal(t, want*time.Second, a.try("JO@example.com", address, true), "by account and network")
		a.now = a.now.Add(want*time.Second - time.Second)
		require.Equal(t, time.Second, a.try("jo@example.com", address, true))
		a.now = a.now.Add(time.Second)
		require.Zero(t, a.try("jo@example.com", address, false), "no lock-out")
	}
	require.Zero(t, a.try("sam@example.com", "203.0.113.1", false), "another account")
	require.Zero(t, a.try("jo@example.com", "198.51.100.1", false), "another network")
	a.now = a.now.Add(15 * time.Minute)
	for range 6 {
		require.Zero(t, a.try("jo@example.com", "203.0.113.1", false), "the window has passed")
	}
}

func TestALoginForgetsTheFailuresOfTheAccountInTheNetwork(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for range 2 {
		for range 5 {
			require.Zero(t, a.try("jo@example.com", "203.0.113.1", false))
		}
		require.Zero(t, a.try("jo@example.com", "203.0.113.1", true))
	}
}

func TestANetworkIsLimitedOverAllAccounts(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	a.signedIn("jo@example.com", "203.0.113.9")
	for i := range 51 {
		require.Zero(t, a.try(fmt.Sprintf("user%d@example.com", i), "203.0.113.1", false))
	}
	require.Equal(t, 5*time.Second, a.try("another@example.com", "203.0.113.1", true))
	require.Zero(t, a.try("jo@example.com", "203.0.113.1", true), "jo has signed in from there")
	require.Zero(t, a.try("another@example.com", "198.51.100.1", true))
	require.Positive(t, a.try("another@example.com", "203.0.113.1", true), "your own login does not help others")
	require.Zero(t, a.answer("203.0.113.1", true), "failures with passwords do not delay passkeys")
}

func TestAttemptsAtTheSameTimeCount(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	var begun []*attempt
	for range 6 {
		one, err := a.guard.begin(t.Context(), "jo@example.com", at("203.0.113.1"))
		require.NoError(t, err)
		begun = append(begun, one)
	}
	require.Positive(t, a.try("jo@example.com", "203.0.113.1", true))
	for _, one := range begun {
		one.succeeded()
	}
	require.Zero(t, a.try("jo@example.com", "203.0.113.1", true))
}

// Ten thousand networks guess, and the person signs in: where they have signed in before, and elsewhere at the first attempt.
func TestStrangersDoNotKeepAPersonOut(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	a.signedIn("jo@example.com", "203.0.113.1")
	a.attack("jo@example.com", 10_000)
	require.Equal(t, time.Minute, a.try("jo@example.com", "100.64.7.1", true), "the second attempt from a network")
	require.Zero(t, a.try("jo@example.com", "203.0.113.7", false), "mistyped at home")
	require.Zero(t, a.try("jo@example.com", "203.0.113.7", true))
	require.Zero(t, a.try("jo@example.com", "192.0.2.1", true), "the first attempt elsewhere")
	require.Zero(t, a.try("jo@example.com", "198.51.100.1", false), "mistyped elsewhere")
	require.Positive(t, a.try("jo@example.com", "198.51.100.1", true))
	a.signedIn("jo@example.com", "198.51.100.1")
	require.Zero(t, a.try("jo@example.com", "198.51.100.1", true), "signed in with a passkey in the meantime")
	require.Zero(t, a.try("sam@example.com", "100.64.7.1", true), "another account")
}

// An attacker gets a guess per network and hour, and one per minute over all networks.
func TestAnAttackOfManyNetworksIsSlow(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	guesses := 0
	for range 4 * 60 {
		for i := range 100 {
			if a.try("jo@example.com", fmt.Sprintf("100.64.%d.1", i), false) == 0 {
				guesses++
			}
		}
		a.now = a.now.Add(time.Minute)
	}
	require.InDelta(t, 4*(100+60), guesses, 100)
}

// Failures where the person has signed in before do not count for the account elsewhere.
func TestFailuresAtKnownNetworksAreNotTheAccounts(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for i := range 30 {
		address := fmt.Sprintf("100.64.%d.1", i)
		a.signedIn("jo@example.com", address)
		require.Zero(t, a.try("jo@example.com", address, false))
	}
	for range 3 {
		require.Zero(t, a.try("jo@example.com", "192.0.2.1", false))
	}
}

func TestKnownAccountsAreReadOncePerNetwork(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for i := range 100 {
		a.try(fmt.Sprintf("user%d@example.com", i), "203.0.113.1", false)
	}
	require.Equal(t, 1, a.reads)
	a.now = a.now.Add(knownAccountsLife)
	a.try("jo@example.com", "203.0.113.1", false)
	require.Equal(t, 2, a.reads)
}

func TestPasskeysAreLimitedByNetwork(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for range 6 {
		require.Zero(t, a.answer("203.0.113.1", false))
	}
	require.Equal(t, 5*time.Second, a.answer("203.0.113.200", true))
	require.Zero(t, a.answer("198.51.100.1", true))
	require.Positive(t, a.try("jo@example.com", "203.0.113.1", true))
	a.signedIn("jo@example.com", "203.0.113.1")
	require.Zero(t, a.try("jo@example.com", "203.0.113.1", true), "jo has signed in from there")
}
