package auth

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

// attempts are logins at a clock that only the test moves.
type attempts struct {
	t     *testing.T
	guard *loginGuard
	now   time.Time
}

func newAttempts(t *testing.T) *attempts {
	a := &attempts{t: t, now: time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)}
	a.guard = newLoginGuard(func() time.Time { return a.now })
	return a
}

// try makes an attempt and returns how long it must wait, 0 when it was made.
func (a *attempts) try(email, from string, ok bool) time.Duration {
	a.t.Helper()
	ended, err := a.guard.begin(email, netip.MustParseAddr(from))
	if err == nil {
		ended(ok)
		return 0
	}
	require.Equal(a.t, models.CodeRateLimited, models.CodeOf(err))
	var e *models.Error
	require.ErrorAs(a.t, err, &e)
	require.Positive(a.t, e.RetryAfter)
	return e.RetryAfter
}

func TestTheSixthFailureDelaysTheNextAttempt(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for range 6 {
		require.Zero(t, a.try("jo@example.com", "203.0.113.1", false))
	}
	for i, want := range []time.Duration{5, 10, 20, 40, 60, 60, 60} {
		require.Equal(t, want*time.Second, a.try("JO@example.com", fmt.Sprintf("198.51.%d.1", 100+i), true), "by account, whoever asks")
		a.now = a.now.Add(want*time.Second - time.Second)
		require.Equal(t, time.Second, a.try("jo@example.com", fmt.Sprintf("198.51.%d.1", 100+i), true))
		a.now = a.now.Add(time.Second)
		require.Zero(t, a.try("jo@example.com", fmt.Sprintf("198.51.%d.1", 100+i), false), "no lock-out")
	}
	a.now = a.now.Add(15 * time.Minute)
	require.Zero(t, a.try("jo@example.com", "198.51.100.1", false), "the window has passed")
}

func TestFailuresCountByNetwork(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for i := range 6 {
		require.Zero(t, a.try(fmt.Sprintf("user%d@example.com", i), "203.0.113.1", false))
	}
	require.Positive(t, a.try("another@example.com", "203.0.113.1", true))
	require.Zero(t, a.try("another@example.com", "198.51.100.1", true))
	require.Positive(t, a.try("another@example.com", "203.0.113.1", true), "one's own login is no way around")
}

func TestAttemptsAtTheSameTimeCount(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	var endings []func(bool)
	for range 6 {
		ended, err := a.guard.begin("jo@example.com", netip.MustParseAddr("203.0.113.1"))
		require.NoError(t, err)
		endings = append(endings, ended)
	}
	require.Positive(t, a.try("jo@example.com", "203.0.113.1", true))
	for _, ended := range endings {
		ended(true)
	}
	require.Zero(t, a.try("jo@example.com", "203.0.113.1", true))
}

// Others' failures are no way to keep a person out.
func TestStrangersDoNotKeepAPersonOut(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	require.Zero(t, a.try("jo@example.com", "203.0.113.1", true))
	a.now = a.now.Add(24 * time.Hour)
	for i := range 6 {
		require.Zero(t, a.try("jo@example.com", fmt.Sprintf("198.51.%d.1", i), false))
	}
	require.Positive(t, a.try("jo@example.com", "198.51.77.1", true))
	require.Zero(t, a.try("jo@example.com", "203.0.113.1", true))
}

// A passkey's login, too, lets a person in where others fail at the password.
func TestAPersonIsMetByAPasskey(t *testing.T) {
	t.Parallel()
	a := newAttempts(t)
	for i := range 6 {
		require.Zero(t, a.try("jo@example.com", fmt.Sprintf("198.51.%d.1", i), false))
	}
	home := rest.Widen(netip.MustParseAddr("203.0.113.1"))
	ended, err := a.guard.beginFrom(home)
	require.NoError(t, err)
	ended(true)
	require.Positive(t, a.try("jo@example.com", "203.0.113.0", true))
	a.guard.met("JO@example.com", home)
	require.Positive(t, a.try("jo@example.com", "198.51.99.1", true), "elsewhere the guesses still count")
	require.Zero(t, a.try("jo@example.com", "203.0.113.0", true))
}
