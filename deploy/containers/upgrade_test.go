//go:build containers && upgrade

package containers

import (
	"net/http"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	presentImage = "waft:local"
	// formerImage is made by run.sh, with the server of an earlier commit.
	formerImage = "waft:before"
)

// use replaces Waft's image in the file, as a checkout of another version does.
func (c *composition) use(image string) {
	c.t.Helper()
	file := filepath.Join(c.dir, "docker-compose.yml")
	content, err := os.ReadFile(file)
	require.NoError(c.t, err)
	text := strings.NewReplacer("image: "+presentImage+"\n", "image: "+image+"\n", "image: "+formerImage+"\n", "image: "+image+"\n")
	require.NoError(c.t, os.WriteFile(file, []byte(text.Replace(string(content))), 0o600))
}

// awaitAPI waits until the API responds that it is ready. An earlier image may lack the health check of this file.
func (c *composition) awaitAPI() {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		res, err := http.Get(c.url + "/readyz")
		return err == nil && res.Body.Close() == nil && res.StatusCode == http.StatusOK
	}, patience, 200*time.Millisecond)
}

// sameSchema reports whether the earlier commit has the same schema, so that its server may continue.
func sameSchema(t *testing.T) bool {
	t.Helper()
	commit := path.Base(path.Dir(os.Getenv("WAFT_TEST_PARENT")))
	const folder = "internal/store/pg/migrations/"
	former := strings.Fields(run(t, root, nil, "git", "ls-tree", "--name-only", commit, folder))
	present, err := filepath.Glob(filepath.Join(root, folder, "*.sql"))
	require.NoError(t, err)
	require.NotEmpty(t, former)
	return path.Base(slices.Max(former)) == filepath.Base(slices.Max(present))
}

// TestAnUpgradeOfTheCompositionKeepsRolloutsRunning upgrades the images while the demo plays: only requests during the restart fail, the
// rollout that runs completes, and the broken release is rolled back. The earlier image then refuses a newer schema.
func TestAnUpgradeOfTheCompositionKeepsRolloutsRunning(t *testing.T) {
	t.Parallel()
	c := compose(t, "waft-upgrade")
	c.use(formerImage)
	c.types(blocks(t, dockerCompose, 3)[1])
	c.awaitAPI()
	played := make(chan string, 1)
	go func() {
		out, err := c.tries(strings.Replace(blocks(t, dockerCompose, 3)[2], "--fast", unhurried[len("demo --fast"):], 1))
		if err != nil {
			out = err.Error()
		}
		played <- out
	}()
	var i install
	require.Eventually(t, func() bool {
		file, err := os.ReadFile(filepath.Join(c.dir, ".waft", "demo.env"))
		if err != nil || len(file) == 0 {
			return false // not written yet
		}
		i = installAt(t, c.url, string(file))
		return strings.Contains(i.waft(t, "rollouts", "list", "--json"), `"running"`)
	}, patience, 200*time.Millisecond)

	c.use(presentImage)
	c.up()
	out := <-played
	require.Contains(t, out, "next ios went through its stages automatically")
	require.Contains(t, out, "every device that had broken runs next again")
	for line := range strings.Lines(out) {
		if strings.Contains(line, "✗") && !strings.Contains(line, "expectations were met") {
			require.Contains(t, line, "no request of a device failed")
		}
	}
	before, served := i.kept(t), i.served(t, "ios")

	c.use(formerImage)
	_, err := try(t.Context(), c.dir, c.env, "docker-compose", "up", "--detach", "--no-build")
	if sameSchema(t) {
		require.NoError(t, err)
	} else {
		// The command fails if the migration of the earlier commit refuses the schema, as the other processes do.
		require.Eventually(t, func() bool {
			return strings.Contains(c.run("logs", "--no-color", "migrate", "api"), "the Postgres schema is newer than this binary")
		}, patience, 200*time.Millisecond)
		c.use(presentImage)
		c.up()
	}
	c.awaitAPI()
	require.Equal(t, before, i.kept(t))
	require.Equal(t, served, i.served(t, "ios"))
}
