package e2e

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
)

// shortPages are the arguments of Playwright for the short form of the page tests, which are tagged.
var shortPages = []string{"--grep", "@short"}

// TestDashboard runs the browser tests of dashboard/tests on its own server and engines, which all browser tests share.
// `make test-dashboard` names the browser, and builds the pages that the server embeds.
func TestDashboard(t *testing.T) {
	t.Parallel()
	chromium := os.Getenv("CHROMIUM")
	require.NotEmpty(t, chromium, "`make test-dashboard` runs this test: it sets CHROMIUM")
	require.FileExists(t, "../dashboard/dist/index.html", "`make build` builds the dashboard")
	env := settings(t)
	// The tests receive webhooks on this machine, and a webhook fails at its second attempt. Waft looks for incidents
	// every second.
	env["WAFT_WEBHOOK_ALLOWED_NETWORKS"], env["WAFT_WEBHOOK_RETRIES"], env["WAFT_INCIDENT_INTERVAL"] = "127.0.0.1", "200ms", "1s"
	signInEveryWay(t, env, "sasha", "robin")
	serve(t, env)
	url := env["WAFT_BASE_URL"]
	link, err := app.SetupLink(t.Context(), config.Accounts{DatabaseURL: env["DATABASE_URL"], BaseURL: url})
	require.NoError(t, err)

	// WAFT_TEST_PAGES names the test files to run. If it is empty, all of them run.
	arguments := append([]string{"playwright", "test"}, strings.Fields(os.Getenv("WAFT_TEST_PAGES"))...)
	long := ""
	if testing.Short() { // the tests of long lists have no short form
		arguments = append(arguments, shortPages...)
	} else {
		long = installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.longLists(t, env["CLICKHOUSE_URL"])
	}
	command := exec.CommandContext(t.Context(), "npx", arguments...)
	command.Dir = "../dashboard"
	command.Env = append(os.Environ(), "WAFT_URL="+url, "WAFT_ROOT_KEY="+env["WAFT_ROOT_KEY"], "WAFT_SETUP_LINK="+link,
		"WAFT_SESSION_AGES="+serveSessionAges(t, env["DATABASE_URL"]), "WAFT_COPIES="+serveCopies(t, env["DATABASE_URL"]),
		"WAFT_LONG_PROJECT="+long)
	command.Stdout, command.Stderr = t.Output(), t.Output()
	require.NoError(t, command.Run())
}
