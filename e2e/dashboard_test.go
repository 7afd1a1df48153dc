package e2e

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/app"
	"github.com/waft-ota/waft/internal/config"
)

// TestDashboard runs the browser tests of dashboard/tests on a server and engines of its own, which all of
// them share. `make test-dashboard` names the browser, and builds the pages that the server embeds.
func TestDashboard(t *testing.T) {
	t.Parallel()
	chromium := os.Getenv("CHROMIUM")
	require.NotEmpty(t, chromium, "`make test-dashboard` runs this test: it sets CHROMIUM")
	require.FileExists(t, "../dashboard/dist/index.html", "`make build` builds the dashboard")
	env := settings(t)
	url := serve(t, env)
	link, err := app.SetupLink(t.Context(), config.Accounts{DatabaseURL: env["DATABASE_URL"], BaseURL: url})
	require.NoError(t, err)

	long := installation{url: url, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"]}.longLists(t)

	command := exec.CommandContext(t.Context(), "npx", "playwright", "test")
	command.Dir = "../dashboard"
	command.Env = append(os.Environ(), "WAFT_URL="+url, "WAFT_ROOT_KEY="+env["WAFT_ROOT_KEY"], "WAFT_SETUP_LINK="+link, "WAFT_LONG_PROJECT="+long)
	command.Stdout, command.Stderr = t.Output(), t.Output()
	require.NoError(t, command.Run())
}
