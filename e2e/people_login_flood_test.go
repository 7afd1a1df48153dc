package e2e

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/waft-ota/waft/internal/identity/password"
	"github.com/waft-ota/waft/models"
)

// TestALoginFloodTakesLittleMemory sends a flood of sign-in attempts from many networks. The server compares only a few
// passwords at a time and still serves requests with a session. A person can sign in from a known network at the first
// attempt.
func TestALoginFloodTakesLittleMemory(t *testing.T) {
	t.Parallel()
	env := settings(t)
	env["WAFT_TRUSTED_PROXIES"] = "127.0.0.1"
	migrate(t, env)
	process := waftd(t, "api", env)
	p := installation{url: process.url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	who := p.person(models.RoleViewer)
	before := process.peakMemory(t)
	const flood = 300 // would take 5.6 GiB if all hashes were computed at the same time
	statuses := make([]int, flood)
	var group errgroup.Group
	for i := range statuses {
		group.Go(func() error {
			a, err := p.send(http.DefaultClient, request{
				method: http.MethodPost, path: "/v1/auth/login", body: object{"email": p.address(), "password": goodPassword},
			}.with("Authorization", "").with("X-Forwarded-For", fmt.Sprintf("100.%d.%d.1", 64+i/256, i%256)))
			statuses[i] = a.status
			return err
		})
	}
	for range 20 {
		require.Equal(t, http.StatusOK, p.do(request{method: http.MethodGet, path: "/v1/ota/builds", session: who.session}).status)
	}
	p.signInFrom("127.0.0.1", who.email, goodPassword).record(http.StatusOK)
	require.NoError(t, group.Wait())
	more := process.peakMemory(t) - before
	t.Logf("%d sign-in attempts at the same time took %d MiB more at their peak", flood, more>>20)
	require.Less(t, more, 160<<20)
	compared := 0
	for _, status := range statuses {
		require.Contains(t, []int{http.StatusUnauthorized, http.StatusTooManyRequests}, status)
		if status == http.StatusUnauthorized {
			compared++
		}
	}
	require.NotZero(t, compared)
	require.NotEqual(t, flood, compared)
	p.signIn(who.email)
}

// peakMemory returns the maximum memory use of the process so far, in bytes.
func (p *process) peakMemory(t *testing.T) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))
	require.NoError(t, err)
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	require.NotNil(t, found)
	kilobytes, err := strconv.Atoi(string(found[1]))
	require.NoError(t, err)
	return kilobytes << 10
}

// TestAnOldHashIsRenewedAtLogin checks that a password whose hash has old parameters is hashed again with the current
// ones.
func TestAnOldHashIsRenewedAtLogin(t *testing.T) {
	t.Parallel()
	env := settings(t)
	migrate(t, env)
	p := installation{url: waftd(t, "api", env).url(), rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}.tenant(t)
	who := p.person(models.RoleViewer)
	old, err := password.New(cheapHash).Hash(t.Context(), goodPassword)
	require.NoError(t, err)
	p.sql("UPDATE users SET password_hash = $1 WHERE email = $2", old, who.email)
	require.Equal(t, http.StatusUnauthorized, p.do(request{
		method: http.MethodPost, path: "/v1/auth/login", body: object{"email": who.email, "password": "wrong"},
	}.with("Authorization", "")).status)
	p.sql("UPDATE users SET name = name WHERE email = $1 AND password_hash = $2", who.email, old)
	p.signIn(who.email)
	p.sql("UPDATE users SET name = name WHERE email = $1 AND password_hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'", who.email)
	p.signIn(who.email)
}
