package sso

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

// Waft does not follow a provider's redirect, so the secret and the code are not sent elsewhere. A provider whose response does not
// end or does not begin does not block a sign-in.
func TestAHostileProvider(t *testing.T) {
	t.Parallel()
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the redirect was followed") }))
	t.Cleanup(elsewhere.Close)
	for name, c := range map[string]struct {
		answer  http.HandlerFunc
		timeout time.Duration
		code    models.ErrorCode
	}{
		"redirects": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, timeout, models.CodeUnauthenticated},
		"answers without end": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"access_token":"`))
			for {
				if _, err := w.Write(make([]byte, 1<<10)); err != nil {
					return
				}
			}
		}, time.Hour, models.CodeUnavailable},
		"does not answer": {func(_ http.ResponseWriter, r *http.Request) {
			_ = r.ParseForm() // net/http notices that a client has left once the body was read
			<-r.Context().Done()
		}, 50 * time.Millisecond, models.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			i.hostile = c.answer
			clients := i.clients()
			clients.http.Timeout = c.timeout
			_, err := i.login(clients)
			require.Equal(t, c.code, models.CodeOf(err), err)
		})
	}
}
