package account_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/command"
)

// recordingServer returns an empty list for every call, and records the project and the credentials of each.
func recordingServer(t *testing.T, seen *[]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*seen = append(*seen, r.Header.Get("X-Project")+"|"+r.Header.Get("Authorization")+"|"+r.Header.Get("Cookie"))
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Path == "/v1/me" {
			_, _ = w.Write([]byte(`{"projects":[{"slug":"shop","name":"Shop","role":"admin"},` +
				`{"slug":"wallet","name":"Wallet","role":"viewer"}],"position":""}`))
			return
		}
		_, _ = w.Write([]byte("[]"))
	}))
	t.Cleanup(server.Close)
	return server
}

func storedProfiles(t *testing.T) (path string, p command.Profiles) {
	t.Helper()
	path = filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "waft", "profiles.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &p))
	return path, p
}

// own gives the test a configuration folder and no settings of the person who runs it.
func own(t *testing.T) {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for _, name := range []string{
		"WAFT_URL", "WAFT_PROJECT", "WAFT_API_KEY", "WAFT_PROFILE", "WAFT_ID_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL",
	} {
		t.Setenv(name, "")
	}
}

func TestProfiles(t *testing.T) { // not parallel: it sets variables
	own(t)
	var prod, staging []string
	atProd, atStaging := recordingServer(t, &prod), recordingServer(t, &staging)
	require.Contains(t, waft(t, "", "profiles", "list").stdout, "no profiles")
	require.Contains(t, waft(t, "", "channels", "list").stderr, "you are not signed in to http://localhost:8080: `waft login`")
	added := waft(t, "waft_12345678_prod\n", "profiles", "add", "prod", "--url", atProd.URL, "--project", "shop", "--key-file", "-")
	require.Zero(t, added.exit, added.stderr)
	require.Contains(t, added.stdout, "waft profiles use prod")
	require.Zero(t, waft(t, "waft_12345678_stage", "profiles", "add", "staging", "--url", atStaging.URL,
		"--project", "try", "--key-file", "-").exit)
	require.Contains(t, waft(t, "", "channels", "list").stderr, "your profiles: prod, staging; `waft profiles use` chooses one")
	whoami := waft(t, "", "whoami", "--url", atProd.URL, "--api-key", "waft_12345678_prod")
	require.Zero(t, whoami.exit, whoami.stderr)
	require.Contains(t, whoami.stdout, "project wallet: viewer", "it needs no project")
	prod = nil
	path, _ := storedProfiles(t)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".new-*"))
	require.NoError(t, err)
	require.Empty(t, left)

	require.Zero(t, waft(t, "", "--profile", "prod", "channels", "list").exit)
	t.Setenv("WAFT_PROFILE", "staging")
	require.Zero(t, waft(t, "", "channels", "list").exit)
	require.Zero(t, waft(t, "", "--profile", "prod", "channels", "list").exit, "the flag goes before the environment")
	require.Equal(t, 2, waft(t, "", "--profile", "", "channels", "list").exit, "no profile, so no project")
	t.Setenv("WAFT_PROFILE", "")
	require.Zero(t, waft(t, "", "profiles", "use", "staging").exit)
	require.Zero(t, waft(t, "", "channels", "list").exit)
	require.Equal(t, []string{"shop|Bearer waft_12345678_prod|", "shop|Bearer waft_12345678_prod|"}, prod)
	require.Equal(t, []string{"try|Bearer waft_12345678_stage|", "try|Bearer waft_12345678_stage|"}, staging)

	listed := waft(t, "", "profiles", "list", "--json")
	require.JSONEq(t, `[{"name":"prod","url":"`+atProd.URL+`","project":"shop","hasKey":true,"isCurrent":false},
		{"name":"staging","url":"`+atStaging.URL+`","project":"try","hasKey":true,"isCurrent":true}]`, listed.stdout)
	table := waft(t, "", "profiles", "list").stdout
	require.Contains(t, table, "current")
	require.NotContains(t, table, "waft_12345678")

	require.Equal(t, 2, waft(t, "", "profiles", "remove", "staging").exit, "without a terminal it needs --yes")
	require.Zero(t, waft(t, "", "profiles", "remove", "staging", "--yes").exit)
	_, p := storedProfiles(t)
	require.Empty(t, p.Current)
	require.Equal(t, []string{"prod"}, p.Names())
}

// Flags go before the environment, and the environment before the profile. Another server never gets a profile's key,
// session or project.
func TestWhatGoesBeforeAProfile(t *testing.T) { // not parallel: it sets variables
	own(t)
	var prod, other []string
	atProd, atOther := recordingServer(t, &prod), recordingServer(t, &other)
	require.Zero(t, waft(t, "waft_12345678_prod", "profiles", "add", "prod", "--url", atProd.URL, "--project", "shop", "--key-file", "-").exit)
	require.Zero(t, waft(t, "", "profiles", "use", "prod").exit)
	t.Setenv("WAFT_PROJECT", "wallet")
	t.Setenv("WAFT_API_KEY", "waft_12345678_env")
	require.Zero(t, waft(t, "", "channels", "list").exit)
	require.Zero(t, waft(t, "", "--project", "flag", "--api-key", "waft_12345678_flag", "channels", "list").exit)
	require.Equal(t, []string{"wallet|Bearer waft_12345678_env|", "flag|Bearer waft_12345678_flag|"}, prod)

	t.Setenv("WAFT_PROJECT", "")
	t.Setenv("WAFT_API_KEY", "")
	require.Equal(t, 2, waft(t, "", "--url", atOther.URL, "channels", "list").exit)
	require.Equal(t, 5, waft(t, "", "--url", atOther.URL, "--project", "shop", "channels", "list").exit)
	t.Setenv("WAFT_URL", atOther.URL)
	noted := waft(t, "", "--profile", "prod", "--project", "shop", "channels", "list")
	require.Equal(t, 5, noted.exit)
	require.Contains(t, noted.stderr, "the profile prod is not used: it is for "+atProd.URL)
	require.Empty(t, other)
}

func TestProfilesThatDoNotWork(t *testing.T) { // not parallel: it sets variables
	own(t)
	missing := waft(t, "", "--profile", "prd", "--project", "shop", "channels", "list")
	require.Equal(t, 2, missing.exit)
	require.Contains(t, missing.stderr, "the profile \"prd\" does not exist; `waft profiles add prd --url … --project …` creates it")
	require.Zero(t, waft(t, "", "profiles", "add", "prod", "--url", "https://ota.example.com").exit)
	missing = waft(t, "", "--profile", "prd", "channels", "list")
	require.Contains(t, missing.stderr, "existing profiles: prod")
	require.Equal(t, 2, waft(t, "", "profiles", "use", "prd").exit)
	require.Equal(t, 2, waft(t, "", "profiles", "remove", "prd", "--yes").exit)
	require.Equal(t, 2, waft(t, "", "profiles", "add", "a b", "--url", "https://ota.example.com").exit)
	require.Equal(t, 2, waft(t, "", "profiles", "add", "prod", "--url", "https://ota.example.com").exit)
	require.Equal(t, 2, waft(t, "", "profiles", "add", "new").exit)
	require.Equal(t, 2, waft(t, "two keys", "profiles", "add", "new", "--url", "https://ota.example.com", "--key-file", "-").exit)
	none := waft(t, "", "--profile", "prod", "channels", "list")
	require.Equal(t, 2, none.exit)
	require.Contains(t, none.stderr, "use --project, set WAFT_PROJECT, or use a profile with a project (--profile, WAFT_PROFILE)")
	require.Contains(t, none.stderr, "you are not signed in to https://ota.example.com: `waft login --profile prod` signs you in")
	require.NotContains(t, none.stderr, "your profiles", "a profile is chosen")

	path, _ := storedProfiles(t)
	require.NoError(t, os.Chmod(path, 0o644))
	open := waft(t, "", "--profile", "prod", "--project", "shop", "channels", "list")
	require.Equal(t, 1, open.exit)
	require.Contains(t, open.stderr, "chmod 600")
	require.NoError(t, os.Chmod(path, 0o600))
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	require.Contains(t, waft(t, "", "--profile", "prod", "channels", "list").stderr, "is not a file of profiles")
}

// A sign-in with --profile creates the profile with its session. Without a project, the error lists the person's projects.
func TestLoginIntoAProfile(t *testing.T) { // not parallel: it sets variables
	own(t)
	var seen []string
	server := recordingServer(t, &seen)
	login := terminalServer(t, confirmed)
	got := waft(t, "", "login", "--profile", "prod", "--url", login.URL)
	require.Zero(t, got.exit, got.stderr)
	path, p := storedProfiles(t)
	require.Contains(t, got.stdout, "`waft profiles use prod` chooses it for all commands")
	require.Equal(t, "jo@example.com", p.Profiles["prod"].Login.Email)
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.json"))
	require.NoError(t, err)
	require.Equal(t, []string{path}, files, "the session is only in the profile")

	moved := p.Profiles["prod"]
	moved.URL, moved.Login.Server = server.URL, server.URL
	p.Profiles["prod"] = moved
	require.NoError(t, p.Save())
	listing := waft(t, "", "--profile", "prod", "channels", "list")
	require.Equal(t, 2, listing.exit)
	require.Contains(t, listing.stderr, "your projects on "+server.URL+": shop, wallet")
	require.Zero(t, waft(t, "", "--profile", "prod", "--project", "shop", "channels", "list").exit)
	require.Equal(t, "shop||waft_session=token", seen[len(seen)-1])

	require.Zero(t, waft(t, "", "--profile", "prod", "projects", "list").exit, "projects do not belong to a project")
	require.Equal(t, "||waft_session=token", seen[len(seen)-1])
	require.Zero(t, waft(t, "", "--profile", "prod", "sessions", "list").exit)

	require.Zero(t, waft(t, "", "profiles", "use", "prod").exit)
	again := waft(t, "", "login", "--profile", "prod", "--url", login.URL, "--yes")
	require.Zero(t, again.exit, again.stderr)
	require.NotContains(t, again.stdout, "profiles use", "it is the profile of all commands already")
	require.NoError(t, p.Save())

	t.Setenv("WAFT_URL", login.URL)
	other := waft(t, "", "login", "--profile", "prod")
	require.Equal(t, 2, other.exit)
	require.Contains(t, other.stderr, "unset WAFT_URL")
	t.Setenv("WAFT_URL", "")
	require.Zero(t, waft(t, "", "--profile", "prod", "logout").exit)
	_, p = storedProfiles(t)
	require.Nil(t, p.Profiles["prod"].Login)
	require.Equal(t, server.URL, p.Profiles["prod"].URL)
}

// A sign-in gives a profile another server only if flags name both, and a person confirms that the key is lost.
func TestALoginDoesNotTakeAProfileFromItsServer(t *testing.T) { // not parallel: it sets variables
	own(t)
	other := terminalServer(t, confirmed)
	require.Zero(t, waft(t, "waft_12345678_prod", "profiles", "add", "prod", "--url", "https://ota.example.com", "--key-file", "-").exit)
	_, kept := storedProfiles(t)
	t.Setenv("WAFT_PROFILE", "prod")
	got := waft(t, "", "login", "--url", other.URL, "--yes")
	require.Equal(t, 2, got.exit, got.stderr)
	require.Contains(t, got.stderr, "use --profile prod to give it another address")
	got = waft(t, "", "login", "--url", other.URL, "--profile", "prod")
	require.Equal(t, 2, got.exit)
	require.Contains(t, got.stderr, "delete its key for https://ota.example.com?")
	_, p := storedProfiles(t)
	require.Equal(t, kept, p)

	require.Zero(t, waft(t, "", "login", "--url", other.URL, "--profile", "").exit, "a session without a profile")
	require.Zero(t, waft(t, "", "login", "--url", other.URL, "--profile", "prod", "--yes").exit)
	_, p = storedProfiles(t)
	require.Equal(t, other.URL, p.Profiles["prod"].URL)
	require.Empty(t, p.Profiles["prod"].APIKey)
}

// A sign-in into the current profile does not change its project, unless it has none. --profile changes it.
func TestALoginKeepsTheProjectOfTheCurrentProfile(t *testing.T) { // not parallel: it sets variables
	own(t)
	server := terminalServer(t, confirmed)
	project := func() string {
		_, p := storedProfiles(t)
		return p.Profiles["prod"].Project
	}
	require.Zero(t, waft(t, "", "profiles", "add", "prod", "--url", server.URL).exit)
	require.Zero(t, waft(t, "", "profiles", "use", "prod").exit)
	t.Setenv("WAFT_PROJECT", "shop")
	require.Zero(t, waft(t, "", "login").exit)
	require.Equal(t, "shop", project())
	t.Setenv("WAFT_PROJECT", "wallet")
	require.Zero(t, waft(t, "", "login").exit)
	require.Equal(t, "shop", project())
	require.Zero(t, waft(t, "", "login", "--profile", "prod").exit)
	require.Equal(t, "wallet", project())
}

// Each of many simultaneous changes of the profiles stays.
func TestSimultaneousChangesOfProfiles(t *testing.T) { // not parallel: it sets variables
	own(t)
	const writers = 20
	var all sync.WaitGroup
	errs := make([]error, writers)
	for i := range writers {
		all.Go(func() {
			errs[i] = command.EditProfiles(func(p *command.Profiles) error {
				p.Profiles[strconv.Itoa(i)] = command.Profile{URL: "https://ota.example.com"}
				return nil
			})
		})
	}
	all.Wait()
	require.NoError(t, errors.Join(errs...))
	_, p := storedProfiles(t)
	require.Len(t, p.Profiles, writers)
}
