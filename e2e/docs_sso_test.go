package e2e

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/lab/site"
)

// TestThePageAboutIdentityProviders follows docs/operations/sso.md with a real provider: with the setting of the page, the page's
// groups give the roles that the page names, and its command shows the provider.
func TestThePageAboutIdentityProviders(t *testing.T) {
	t.Parallel()
	page, err := site.Read("..", "docs/operations/sso.md")
	require.NoError(t, err)
	var setting string
	var check site.Block
	for _, block := range page.Blocks {
		switch block.Language {
		case "json":
			require.Empty(t, setting)
			setting = block.Text
		case "sh":
			require.Empty(t, check.Text)
			check = block
		}
	}
	env := settings(t)
	front := newFront(t)
	env["WAFT_BASE_URL"] = front.URL
	idp := newIdentityProvider(t, func() string { return front.URL + "/v1/auth/oidc/acme/callback" })
	filled := strings.NewReplacer("https://sso.acme.example", idp.URL, "…", "secret").Replace(setting)
	require.NotContains(t, filled, "acme.example")
	env["WAFT_OIDC_PROVIDERS"] = filled
	front.to(serveAPI(t, env))
	server := installation{url: front.URL, rootKey: env["WAFT_ROOT_KEY"], databaseURL: env["DATABASE_URL"], still: true}
	p := server.tenant(t)
	p.do(request{
		method: http.MethodPost, path: "/v1/ota/projects", key: p.rootKey, project: "-", body: object{"name": "Shop", "slug": "shop"},
	}).record(201)

	for _, person := range []struct {
		name, group string
		owner       bool
		projects    []any
	}{
		{name: "mona", group: "mobile", projects: []any{map[string]any{"slug": "shop", "name": "Shop", "role": "editor"}}},
		{name: "paul", group: "platform", owner: true},
	} {
		idp.put(person.name, person.name+"@acme.example", true, person.group)
		v := newBrowser(t, front.URL)
		v.provider = "acme"
		status, _, body := v.signIn(idp, person.name, "")
		require.Equal(t, http.StatusSeeOther, status, body)
		me := p.do(request{method: http.MethodGet, path: "/v1/me", session: v.session()}).record(200)
		require.Equal(t, person.owner, me["user"].(map[string]any)["isOwner"])
		if !person.owner {
			require.Equal(t, person.projects, me["projects"])
		}
	}
	idp.put("zoe", "zoe@acme.example", true, "sales")
	stranger := newBrowser(t, front.URL)
	stranger.provider = "acme"
	status, _, body := stranger.signIn(idp, "zoe", "")
	require.Equal(t, http.StatusForbidden, status, body)

	folder := t.TempDir()
	run := pageRun{
		path: page.Path, world: pageWorld{folder: folder, env: map[string]string{"WAFT_URL": front.URL}},
		shell: startPageShell(t, page.Path, folder, []string{"PATH=" + os.Getenv("PATH")}), log: t.Logf,
	}
	require.NotNil(t, check.Output)
	require.NoError(t, run.block(t.Context(), check))
}
