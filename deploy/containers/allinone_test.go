//go:build containers

package containers

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// allInOne starts the image on a volume and returns the container and the server's URL.
func allInOne(t *testing.T, image, volume, port string) (container, url string) {
	t.Helper()
	url = "http://localhost:" + port
	container = docker(t, "run", "--detach", "--publish", "127.0.0.1:"+port+":8080", "--env", "WAFT_BASE_URL="+url,
		"--volume", volume+":/var/lib/waft", image)
	dockerLater(t, "rm", "--force", container)
	require.Equal(t, "Waft is ready at "+url, awaitLog(t, container, "Waft is ready"))
	return container, url
}

// rootKeyOf returns the root key that the container has made.
func rootKeyOf(t *testing.T, container string) string {
	t.Helper()
	return docker(t, "exec", container, "devstack", "run", "--", "sh", "-c", `echo "$WAFT_ROOT_KEY"`)
}

// nextImage returns an image that differs from the all-in-one image, as the next release does.
func nextImage(t *testing.T) string {
	t.Helper()
	const name = "waft-all-in-one:next"
	build := exec.CommandContext(t.Context(), os.Getenv("DOCKER"), "build", "--quiet", "--tag", name, "-")
	build.Env = append(os.Environ(), "DOCKER_BUILDKIT=0")
	build.Stdin = strings.NewReader("FROM waft-all-in-one:local\nLABEL release=next\n")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return name
}

func TestTheAllInOneImage(t *testing.T) {
	t.Parallel()
	volume := docker(t, "volume", "create")
	dockerLater(t, "volume", "rm", "--force", volume)
	port := freePort(t)
	container, url := allInOne(t, "waft-all-in-one:local", volume, port)
	link := regexp.MustCompile(`http://\S+/app/setup#(\S+)$`).FindStringSubmatch(awaitLog(t, container, "first account"))
	require.NotNil(t, link)
	require.True(t, strings.HasPrefix(link[0], url))
	body, err := json.Marshal(map[string]string{
		"token": link[1], "email": "owner@example.com", "name": "Olive", "password": "a long password of Olive",
	})
	require.NoError(t, err)
	made, err := http.Post(url+"/v1/auth/setup", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, made.Body.Close())
	require.Equal(t, http.StatusCreated, made.StatusCode)
	require.Equal(t, "10001", docker(t, "exec", container, "id", "-u"))
	awaitHealthy(t, container)

	i := demoProject(t, url, rootKeyOf(t, container))
	i.mainJob(t)
	before := i.kept(t)

	// A process that was killed starts again, without leaving a zombie.
	for _, name := range []string{"postgres", "api"} {
		pid := docker(t, "exec", container, "cat", "/var/lib/waft/"+name+".pid")
		docker(t, "exec", container, "sh", "-c", "kill -KILL "+pid)
		require.Eventually(t, func() bool {
			return docker(t, "exec", container, "cat", "/var/lib/waft/"+name+".pid") != pid
		}, patience, 200*time.Millisecond, name)
		require.Eventually(t, func() bool {
			_, err := try(t.Context(), t.TempDir(), i.env, waft(t), "api", "GET", "/channels")
			return err == nil
		}, patience, 200*time.Millisecond, name)
	}
	require.Equal(t, before, i.kept(t))
	states := docker(t, "exec", container, "sh", "-c", "grep -h '^State:' /proc/[0-9]*/status 2>/dev/null || true")
	require.Contains(t, states, "State:")
	require.NotContains(t, states, "zombie")

	docker(t, "stop", "--time", "60", container)
	require.Equal(t, "0", inspect(t, container, ".State.ExitCode"))
	stopped := docker(t, "logs", container)
	for _, name := range []string{"worker", "api", "temporal", "clickhouse", "postgres"} {
		require.Regexp(t, name+` +stopped`, stopped)
	}

	// The next image continues with the same volume, which another container cannot use at the same time.
	newer := nextImage(t)
	again, _ := allInOne(t, newer, volume, port)
	require.NotContains(t, docker(t, "logs", again), "first account")
	require.Equal(t, before, i.kept(t))
	refused, err := try(t.Context(), "", nil, os.Getenv("DOCKER"), "run", "--rm", "--volume", volume+":/var/lib/waft", newer)
	require.Error(t, err, refused)
	require.ErrorContains(t, err, "another container uses /var/lib/waft")
	i.waft(t, "rollouts", "list")

	restored := restoreElsewhere(t, again, i)
	require.Equal(t, before["updates"], restored.kept(t)["updates"])
}

// restoreElsewhere backs up what the container has, stops it, and restores the backup into another volume, as docs/install.md says.
func restoreElsewhere(t *testing.T, container string, i install) install {
	t.Helper()
	docker(t, "exec", container, "devstack", "run", "--", "waftd", "backup", "/var/lib/waft/backups", "--keep", "14")
	backups := docker(t, "exec", container, "tar", "-C", "/var/lib/waft", "-c", "backups")
	keys := docker(t, "exec", container, "cat", "/var/lib/waft/secrets.env")
	docker(t, "stop", "--time", "60", container)

	volume := docker(t, "volume", "create")
	dockerLater(t, "volume", "rm", "--force", volume)
	inside := func(input, script string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), os.Getenv("DOCKER"), "run", "--rm", "--interactive", "--volume", volume+":/var/lib/waft",
			"--entrypoint", "sh", "waft-all-in-one:local", "-euc", script)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	inside(keys, "umask 077; cat >/var/lib/waft/secrets.env")
	inside(backups, "tar -C /var/lib/waft -x")
	inside("", `devstack up --engines-only
		set -a; . /var/lib/waft/secrets.env; . /var/lib/waft/engines.env; WAFT_ASSET_BUCKET_URL=file:///var/lib/waft/assets
		waftd restore /var/lib/waft/backups
		devstack down`)
	_, url := allInOne(t, "waft-all-in-one:local", volume, freePort(t))
	return install{env: append(slices.Clone(i.env), "WAFT_URL="+url)}
}
