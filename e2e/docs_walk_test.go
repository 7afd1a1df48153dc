package e2e

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/identity/idtoken/idtokentest"
	"github.com/waft-ota/waft/internal/lab/site"
)

// A walk has blocks of several pages, which run in one session as a reader runs them who has nothing but the site.
type walk []walkBlock

// walkBlock is a block of a page of the walk.
type walkBlock struct {
	page string
	site.Block
}

// blocksOf reads the blocks of a page that begin with the lines. The page must have each of them exactly once.
func blocksOf(t *testing.T, page string, lines ...string) (blocks walk) {
	t.Helper()
	read, err := site.Read("..", page)
	require.NoError(t, err)
	for _, line := range lines {
		block, err := read.Beginning(line)
		require.NoError(t, err)
		require.True(t, block.Runs(), "%s: the block that begins with %q is not run", page, line)
		blocks = append(blocks, walkBlock{page, block})
	}
	return blocks
}

// showing returns the blocks with another text in their outputs, which are about the page's own fixture.
func (w walk) showing(t *testing.T, text, other string) walk {
	t.Helper()
	found := false
	for i := range w {
		if output := w[i].Output; output != nil && strings.Contains(output.Text, text) {
			found = true
			w[i].Output = &site.Script{Line: output.Line, Text: strings.ReplaceAll(output.Text, text, other)}
		}
	}
	require.True(t, found, "no output of the page shows %q", text)
	return w
}

// after returns the blocks with other hidden commands, which run before the first one. The page's own make a fixture that the walk has.
func (w walk) after(commands string) walk {
	for i := range w {
		w[i].Before = nil
	}
	w[0].Before = hidden(commands)
	return w
}

// run runs the blocks in the session.
func (w walk) run(t *testing.T, session pageRun) {
	t.Helper()
	for _, block := range w {
		session.path, session.shell.page = block.page, block.page
		require.NoError(t, session.block(t.Context(), block.Block))
	}
}

// hidden returns commands that are not on a page.
func hidden(text string) []site.Script { return []site.Script{{Line: 1, Text: text}} }

// fromAnotherServer has the steps of a person who moves an app to Waft, in their order.
type fromAnotherServer struct {
	// peer starts a server from which the app moves, and makes the app's folder.
	peer                                                                         []site.Script
	move, trust, policy, crash, watch, look, backUp, restore, check, checkTheApp walk
	// publish is the script of the workflow's job.
	publish string
}

func readFromAnotherServer(t *testing.T) (s fromAnotherServer) {
	t.Helper()
	const (
		hotUpdater, github = "docs/move/hot-updater.md", "docs/guides/releases/github.md"
		tutorial           = "docs/start/first-rollout.md"
		backup, restore    = "docs/operations/backup.md", "docs/operations/restore.md"
		importing          = "waft import hot-updater https://updates.example.com/hot-updater --header 'Authorization: Bearer …'"
		crashing           = `waft publish v2 --platform ios --runtime-version 1.0.0 --channel production --message "broken" --policy tutorial`
		simulating         = "waft simulate --devices 3000 --duration 2m --crash 'broken=20%' >simulate.log &"
	)
	source, err := site.Read("..", hotUpdater)
	require.NoError(t, err)
	s.peer = source.Before
	s.move = blocksOf(t, hotUpdater, importing+" --dry-run", importing, "waft init --url https://ota.example.com --channel production --yes")
	s.trust = blocksOf(t, github, "waft channels create preview")
	s.publish = publishJob(t)
	s.policy = blocksOf(t, tutorial, "waft policies create - <<'END'")
	s.crash = blocksOf(t, tutorial, crashing).showing(t, "1 file, 0.0 MB", "… files, … MB").after("cp -r broken v2")
	s.watch = blocksOf(t, tutorial, simulating, "waft rollouts watch <id>")
	s.look = blocksOf(t, tutorial, "waft rollouts show <id>").showing(t, ": first\n", ": Fix the basket\n")
	s.backUp = blocksOf(t, backup, "waftd backup backups", "waftd backup backups --keep 14", "waftd backup verify backups").
		after("kill %?simulate")
	s.restore = blocksOf(t, restore, "waftd restore backups", "waftd migrate").after("stop_api\nstop_worker\n. \"$page_elsewhere\"")
	s.check = blocksOf(t, restore, "waftd healthcheck").showing(t, "beta …", "preview …")
	s.checkTheApp = blocksOf(t, "docs/move/eas-update.md", "waft doctor")
	return s
}

// TestTheSiteLeadsFromAnotherServerToARestore moves an app with a real export from hot-updater, publishes from the workflow file of the
// guide, publishes the broken export under a policy, watches the rollback, and restores a backup into empty engines. Each command is in a
// block of the page that a reader would open at this step. Its short form only looks for the blocks.
func TestTheSiteLeadsFromAnotherServerToARestore(t *testing.T) {
	t.Parallel()
	steps := readFromAnotherServer(t)
	if testing.Short() {
		return
	}
	issuer := idtokentest.New(t)
	world := newPageWorld(t, "processes")
	world.copyExports(t)
	world.env["WAFT_ISSUER_ALLOWED_NETWORKS"], world.env["SSL_CERT_FILE"] = "127.0.0.1", os.Getenv("SSL_CERT_FILE")
	world.addresses = map[string]string{"https://token.actions.githubusercontent.com": issuer.URL}
	session := world.start(t, "docs/move/hot-updater.md")
	p := session.startProcesses(t)
	devices := &tenant{installation: installation{url: p.url}, t: t, slug: p.slug}
	require.NoError(t, session.hidden(t.Context(), steps.peer))

	steps.move.run(t, session)
	steps.trust.run(t, session)
	github := commentsOf(t, "/unused", "PATCH /unused/{id}", func(audience string) string {
		return issuer.Sign(issuer.Claims(audience, time.Now(), map[string]any{
			"repository": "acme/app", "ref": "refs/heads/main", "event_name": "push",
		}))
	})
	require.NoError(t, session.hidden(t.Context(), hidden("rm -r dist; cp -r next dist\n"+inGitHub(github.url, steps.publish))))
	for _, step := range []walk{steps.policy, steps.crash, steps.watch, steps.look} {
		step.run(t, session)
	}
	before := devices.manifestsByDevice("production", "staging")
	for _, step := range []walk{steps.backUp, steps.restore, steps.check} {
		step.run(t, session)
	}
	require.Equal(t, before, devices.manifestsByDevice("production", "staging"), "devices get the same releases as before")
	steps.checkTheApp.run(t, session)
}

// manifestsByDevice returns the manifest that each of 100 devices gets, by its channel, platform and number.
func (p *tenant) manifestsByDevice(channels ...string) map[string]string {
	p.t.Helper()
	all := map[string]string{}
	for _, channel := range channels {
		for device := range 100 {
			platform := []string{"ios", "android"}[device%2]
			response := p.do(request{
				method: http.MethodGet, path: path("/v1/ota/manifest/%s?channel=%s", p.slug, channel),
				header: map[string]string{
					"Authorization": "", "Expo-Platform": platform, "Expo-Runtime-Version": "1.0.0", "Expo-Protocol-Version": "1",
					"Accept": "application/expo+json", "Eas-Client-Id": fmt.Sprintf("0b1f9b2e-7b5c-4f0e-9a55-%012d", device),
				},
			})
			require.Equal(p.t, http.StatusOK, response.status, response.body)
			require.Contains(p.t, response.body, `"launchAsset"`)
			all[fmt.Sprintf("%s %s %d", channel, platform, device)] = response.body
		}
	}
	return all
}

// publishJob returns the script of the job in the guide for GitHub that publishes without the action.
func publishJob(t *testing.T) string {
	t.Helper()
	var workflow struct{ Jobs map[string]guideJob }
	fileOfGuide(t, "github.md", 1, &workflow)
	job := workflow.Jobs["publish"]
	require.Equal(t, map[string]string{"WAFT_URL": "https://ota.example.com", "WAFT_PROJECT": "demo"}, job.Env)
	script := strings.Join(scriptsOf(job), "\n")
	require.Contains(t, script, "waft publish dist --channel staging")
	return script
}

// inGitHub returns commands that run the script of a job as GitHub does, without a stored key. The test has installed the command before.
func inGitHub(api, script string) string {
	script = strings.ReplaceAll(script, "npm install --global --ignore-scripts @waft/cli", ":")
	return fmt.Sprintf(`(
unset WAFT_API_KEY
export GITHUB_ACTIONS=true GITHUB_SHA=0123456789abcdef0123456789abcdef01234567 GITHUB_REF_NAME=main
export ACTIONS_ID_TOKEN_REQUEST_URL='%s/id-token?version=2' ACTIONS_ID_TOKEN_REQUEST_TOKEN='of the job'
%s
)`, api, script)
}
