package api

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/identity/passkey"
	"github.com/waft-ota/waft/models"
)

var beginLogin = request{method: post, path: "/v1/auth/passkeys/login/begin", anonymous: true}

// Beginning a sign-in neither looks up nor stores anything, so within the rate limits a flood costs only its
// requests.
func TestBegunPasskeyLoginsCostNothing(t *testing.T) {
	t.Parallel()
	w := newTestAPI(t)
	challenges := map[any]bool{}
	for range 500 {
		answer := w.do(beginLogin)
		options := decoded(t, answer, 200)["publicKey"].(map[string]any)
		challenges[options["challenge"]] = true
		require.Equal(t, "__Host-waft_passkey", cookieOf(t, answer).Name)
		require.Equal(t, 300, cookieOf(t, answer).MaxAge)
		require.True(t, cookieOf(t, answer).HttpOnly)
	}
	require.Len(t, challenges, 500, "each has its own")
	require.Zero(t, w.store.people.passkeyLookups)
	require.Zero(t, w.store.people.sessionLookups)

	limited := newTestAPI(t, func(d *parts) { d.Rates.PerAddress = 1 })
	for range 10 {
		require.Equal(t, 200, limited.do(beginLogin).Code)
	}
	limited.problem(limited.do(beginLogin), 429, models.CodeRateLimited)
}

// The state of a sign-in is valid for five minutes, and only on servers with the same key.
func TestWhatHasBegunWithAPasskeyExpires(t *testing.T) {
	t.Parallel()
	at := now
	w := newTestAPI(t, func(d *parts) { d.Now = func() time.Time { return at } })
	stranger := newTestAPI(t, func(d *parts) { d.CookieKey = append(make([]byte, 31), 1) })
	cookie := cookieOf(t, w.do(beginLogin)).Value
	finish := func(w *testAPI) string {
		answer := w.do(request{
			method: post, path: "/v1/auth/passkeys/login/finish", anonymous: true, body: map[string]any{"credential": map[string]any{"id": "8m0eRzTfQk6", "type": "public-key"}},
			header: map[string]string{"Content-Type": "application/json", "Cookie": "__Host-waft_passkey=" + cookie},
		})
		return w.problem(answer, 401, models.CodeUnauthenticated).Detail
	}
	at = at.Add(passkey.Life - 1)
	require.Equal(t, models.PasskeyRefused, finish(w), "it was compared")
	require.Contains(t, finish(stranger), "has not begun a sign-in with a passkey")
	at = at.Add(1)
	require.Contains(t, finish(w), "has not begun a sign-in with a passkey")
}
