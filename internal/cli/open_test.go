package cli_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

func openAPI(t *testing.T) *clitest.API {
	t.Helper()
	a := clitest.New(t)
	a.On("GET /flags", func(string, http.Header) (int, any) { return 200, []any{map[string]any{"id": 7, "key": "checkout"}} })
	a.On("GET /rollout-policies", func(string, http.Header) (int, any) { return 200, []any{map[string]any{"id": 3, "name": "careful"}} })
	return a
}

func TestEveryThingHasItsPage(t *testing.T) {
	t.Parallel()
	for args, page := range map[string]string{
		"": "overview", "rollout 21": "rollouts/21", "release 17": "releases/17", "flag checkout": "flags/7", "flag 7": "flags/7",
		"policy careful": "policies/3", "device a/b?c": "devices/a%2Fb%3Fc", "error 9f86d081": "observe/9f86d081", "webhook 4": "webhooks/4",
		"approval 61": "approvals/61", "channel production": "channels?search=production", "branch a&b": "channels?search=a%26b",
		"segment beta": "segments?search=beta", "context u1": "contexts?search=u1", "flags": "flags", "errors": "observe",
		"settings": "settings/project",
		"keys":     "settings/keys",
	} {
		a := openAPI(t)
		out, err := a.Run(t, cli.NewCommand(), append([]string{"open", "--print"}, strings.Fields(args)...)...)
		require.NoError(t, err, args)
		require.Equal(t, a.Page(page), out, args)
		out, err = a.Run(t, cli.NewCommand(), append([]string{"open", "--json"}, strings.Fields(args)...)...)
		require.NoError(t, err, args)
		require.JSONEq(t, `{"url": "`+strings.TrimSpace(a.Page(page))+`"}`, out, args)
	}
}

func TestWhatHasNoPageIsNotOpened(t *testing.T) {
	t.Parallel()
	for args, bad := range map[string]string{
		"rollout": "ID is missing: waft open rollout ID", "rollout x": "not the ID of a rollout", "spaceship 1": `"spaceship" has no page`,
		"flags 1": `unexpected argument "1"`, "rollout 1 2": `unexpected argument "2"`, "flag unknown": `flag "unknown" does not exist`,
		"device ..": "ID must not consist of dots", "policy none": `"none" does not exist`,
	} {
		_, err := openAPI(t).Run(t, cli.NewCommand(), append([]string{"open", "--print"}, strings.Fields(args)...)...)
		require.ErrorContains(t, err, bad, args)
	}
}

// The dashboard's routes and the pages that waft opens are written in two languages.
func TestTheDashboardHasEveryPageThatOpens(t *testing.T) {
	t.Parallel()
	routes, err := os.ReadFile("../../dashboard/src/routes.tsx")
	require.NoError(t, err)
	known := map[string]bool{}
	for _, m := range regexp.MustCompile(`page\("([^"]+)"`).FindAllStringSubmatch(string(routes), -1) {
		known[m[1]] = true
	}
	ofOne := strings.Fields("approval:1 channel:a branch:a context:a segment:a device:a error:a flag:checkout " +
		"policy:careful release:1 rollout:1 webhook:1")
	others := strings.Fields("overview releases builds publish rollouts channels branches policies flags segments contexts " +
		"incidents errors devices webhooks overrides approvals audit settings keys members signing retention sign-in " +
		"publishers sessions")
	for _, args := range append(ofOne, others...) {
		a := openAPI(t)
		out, err := a.Run(t, cli.NewCommand(), append([]string{"open", "--print"}, strings.Split(args, ":")...)...)
		require.NoError(t, err, args)
		_, path, _ := strings.Cut(strings.TrimSpace(out), "/app/demo/")
		path, _, _ = strings.Cut(path, "?")
		if folder, _, is := strings.Cut(path, "/"); is && folder != "settings" {
			require.True(t, known[folder+"/$id"] || known[folder+"/$fingerprint"] || known[folder+"/$deviceId"], path)
		} else {
			require.True(t, known[path], path)
		}
	}
}
