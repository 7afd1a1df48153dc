package main

import (
	"crypto/md5"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

// against returns a target whose server uses the handler.
func against(t *testing.T, change func(*http.Server), answer http.HandlerFunc) *target {
	t.Helper()
	server := httptest.NewUnstartedServer(answer)
	if change != nil {
		change(server.Config)
	}
	server.Start()
	t.Cleanup(server.Close)
	made, err := newTarget(func(name string) string {
		return map[string]string{"WAFT_URL": server.URL, "WAFT_ROOT_KEY": "root"}[name]
	})
	require.NoError(t, err)
	return made
}

// An attack reports that a server without the defence is broken, and that a server with the defence held.
func TestAttacksTellServersApart(t *testing.T) {
	t.Parallel()
	everything := func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{}")) }
	public := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			http.NotFound(w, r)
		}
	}
	talkative := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/metrics" {
			http.NotFound(w, r)
		}
		_, _ = w.Write([]byte(`{"postgres": "down"}`))
	}
	limited := func(s *http.Server) { s.MaxHeaderBytes = 60 << 10 }
	for name, c := range map[string]struct {
		attack attack[*target]
		target *target
		want   string
	}{
		"long headers are read":     {attacks[0], against(t, nil, everything), verdictBroken},
		"long headers are refused":  {attacks[0], against(t, limited, everything), verdictHeld},
		"metrics are public":        {attacks[1], against(t, nil, everything), verdictBroken},
		"readiness names an engine": {attacks[1], against(t, nil, talkative), verdictBroken},
		"operators have an address": {attacks[1], against(t, nil, public), verdictHeld},
		"no engine is named":        {attacks[2], against(t, nil, everything), verdictSkipped},
		"no record where one is":    {attacks[6], against(t, nil, everything), verdictUnclear},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := c.attack.play(t.Context(), c.target, limitEach)
			require.Equal(t, c.want, o.verdict, o.detail)
		})
	}
}

func TestOnlyThisMachineIsAttacked(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"", "https://waft.example.com", "http://10.0.0.7:8080", "http://127.0.0.1.example.com"} {
		_, err := newTarget(func(name string) string { return map[string]string{"WAFT_URL": url, "WAFT_ROOT_KEY": "root"}[name] })
		require.ErrorContains(t, err, "WAFT_URL", url)
	}
	for _, address := range []string{"http://localhost:8080", "http://[::1]:8080", "127.0.0.1:7233", "http://user:pass@127.0.0.1:8123/waft"} {
		require.True(t, onThisMachine(address), address)
	}
}

func TestTheCollidingFilesCollide(t *testing.T) {
	t.Parallel()
	files, name := collidingFiles()
	require.NotEqual(t, files[0], files[1])
	for _, content := range files {
		sum := md5.Sum(content)
		require.Equal(t, name, hex.EncodeToString(sum[:]))
	}
}

func TestDetailsOfAnAttackActOnNoTerminal(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a [2J b", printable("a\x1b[2J\u202eb"))
	require.ErrorAs(t, errors.Join(broken("x")), new(broken))
}

// logins returns the handler of a server that never delays a sign-in attempt and refuses all attempts after the first
// most ones.
func logins(most int) http.HandlerFunc {
	attempts := 0
	return func(w http.ResponseWriter, _ *http.Request) {
		attempts++
		if attempts > most {
			w.Header().Set("Retry-After", "5")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
	}
}

func TestLockingOutAndGuessingAreTold(t *testing.T) {
	t.Parallel()
	for most, want := range map[int]string{6: verdictBroken, 1000: verdictBroken, lockOutNetworks + 7: verdictHeld} {
		o := attack[*target]{run: lockOut}.play(t.Context(), against(t, nil, logins(most)), limitEach)
		require.Equal(t, want, o.verdict, "%d: %s", most, o.detail)
	}
}
