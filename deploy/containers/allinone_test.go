//go:build containers

package containers

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const allInOneImage = "waft-all-in-one:local"

// The pages that the single container follows.
var (
	oneContainer = section{"docs/operations/docker.md", "Install with Docker"}
	itsBackup    = section{"docs/operations/backup.md", "A single container"}
	itsRestore   = section{"docs/operations/restore.md", "A single container"}
)

func newVolume(t *testing.T) string {
	t.Helper()
	volume := docker(t, "volume", "create")
	dockerLater(t, "volume", "rm", "--force", volume)
	return volume
}

// single is the single container of docs/operations/docker.md.
type single struct {
	reader

	name, url string
}

// singleOn returns a container, not started yet, of an image on a volume that is used in the folder dir.
func singleOn(t *testing.T, dir, image, volume string) single {
	t.Helper()
	port := freePort(t)
	s := single{name: "waft-test-" + port, url: "http://localhost:" + port}
	s.reader = reader{t: t, dir: dir, instead: strings.NewReplacer(
		"--publish 127.0.0.1:8080:8080", "--publish 127.0.0.1:"+port+":"+port+" --env WAFT_PORT="+port,
		"--name waft ", "--name "+s.name+" ", "--volume waft:", "--volume "+volume+":", "volume rm waft", "volume rm "+volume,
		"exec waft ", "exec "+s.name+" ", "-t 60 waft", "-t 60 "+s.name, "--force waft", "--force "+s.name,
		"--follow waft", s.name, allInOneImage, image, "waft demo --fast", "waft "+unhurried,
	)}
	dockerLater(t, "rm", "--force", s.name)
	return s
}

// start starts the container as the page does, and returns the log up to the line with the text.
func (s single) start(text string) string {
	s.t.Helper()
	s.types(blocks(s.t, oneContainer, 4)[1])
	require.Equal(s.t, "Waft is ready at "+s.url, awaitLog(s.t, s.name, "Waft is ready"))
	return awaitLog(s.t, s.name, text)
}

// nextImage returns an image that differs from the all-in-one image, as the next release does.
func nextImage(t *testing.T) string {
	t.Helper()
	const name = "waft-all-in-one:next"
	build := exec.CommandContext(t.Context(), os.Getenv("DOCKER"), "build", "--quiet", "--tag", name, "-")
	build.Env = append(os.Environ(), "DOCKER_BUILDKIT=0")
	build.Stdin = strings.NewReader("FROM " + allInOneImage + "\nLABEL release=next\n")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return name
}

// signUp makes the first account with the link of the log.
func (s single) signUp(line string) {
	s.t.Helper()
	link := regexp.MustCompile(`http://\S+/app/setup#(\S+)$`).FindStringSubmatch(line)
	require.NotNil(s.t, link)
	require.True(s.t, strings.HasPrefix(link[0], s.url))
	body, err := json.Marshal(map[string]string{
		"token": link[1], "email": "me@example.com", "name": "Olive", "password": "a long password of Olive",
	})
	require.NoError(s.t, err)
	made, err := http.Post(s.url+"/v1/auth/setup", "application/json", bytes.NewReader(body))
	require.NoError(s.t, err)
	require.NoError(s.t, made.Body.Close())
	require.Equal(s.t, http.StatusCreated, made.StatusCode)
}

// survives kills processes of the container, one at a time. Each starts again, with its data, and without leaving a zombie.
func (s single) survives(i install, before map[string][]string) {
	s.t.Helper()
	for _, name := range []string{"postgres", "clickhouse", "temporal", "api", "worker"} {
		pid := docker(s.t, "exec", s.name, "cat", "/var/lib/waft/"+name+".pid")
		docker(s.t, "exec", s.name, "sh", "-c", "kill -KILL "+pid)
		require.Eventually(s.t, func() bool {
			now, err := try(s.t.Context(), "", nil, os.Getenv("DOCKER"), "exec", s.name, "cat", "/var/lib/waft/"+name+".pid")
			return err == nil && now != pid
		}, patience, 200*time.Millisecond, name)
		require.Eventually(s.t, func() bool {
			_, err := try(s.t.Context(), s.dir, i.env, waft(s.t), "rollouts", "list")
			return err == nil
		}, patience, 200*time.Millisecond, name)
	}
	require.Equal(s.t, before, i.kept(s.t))
	states := docker(s.t, "exec", s.name, "sh", "-c", "grep -h '^State:' /proc/[0-9]*/status 2>/dev/null || true")
	require.Contains(s.t, states, "State:")
	require.NotContains(s.t, states, "zombie")
	// So does the container, as `--restart always` asks.
	began := inspect(s.t, s.name, ".State.StartedAt")
	docker(s.t, "exec", s.name, "sh", "-c", "kill -KILL $(pidof devstack | tr ' ' '\\n' | sort -n | sed -n 2p)")
	require.Eventually(s.t, func() bool { return inspect(s.t, s.name, ".State.StartedAt") != began }, patience, 200*time.Millisecond)
	awaitHealthy(s.t, s.name)
	require.Equal(s.t, before, i.kept(s.t))
}

// TestTheAllInOneImage types the commands of docs/operations/docker.md, from the first start to a restore on another machine.
func TestTheAllInOneImage(t *testing.T) {
	t.Parallel()
	commands, volume := blocks(t, oneContainer, 4), newVolume(t)
	s := singleOn(t, t.TempDir(), allInOneImage, volume)
	require.Contains(t, s.start("first account"), s.url+"/app/setup#")
	s.signUp(s.types(commands[2]))
	require.NotEmpty(t, s.types(inRow(t, oneContainer, "run a command with the server's keys and addresses")))
	require.Equal(t, "10001", docker(t, "exec", s.name, "id", "-u"))
	awaitHealthy(t, s.name)
	require.Regexp(t, `All \d+ expectations were met`, s.types(commands[3]))
	i := installAt(t, s.url, docker(t, "exec", s.name, "cat", "/tmp/demo.env"))
	before, served := i.kept(t), i.served(t, "ios")
	s.survives(i, before)

	s.types(inRow(t, oneContainer, "stop"))
	require.Equal(t, "0", inspect(t, s.name, ".State.ExitCode"))
	stopped := docker(t, "logs", s.name)
	for _, name := range []string{"worker", "api", "temporal", "clickhouse", "postgres"} {
		require.Regexp(t, name+` +stopped`, stopped)
	}
	s.types(inRow(t, oneContainer, "upgrade"))

	// The next image continues with the same volume, which another container cannot use at the same time.
	newer := nextImage(t)
	again := singleOn(t, t.TempDir(), newer, volume)
	require.NotContains(t, again.start("Waft is ready"), "first account")
	i = installAt(t, again.url, strings.Join(i.env, "\n"))
	require.Equal(t, before, i.kept(t))
	refused, err := try(t.Context(), "", nil, os.Getenv("DOCKER"), "run", "--rm", "--volume", volume+":/var/lib/waft", newer)
	require.Error(t, err, refused)
	require.ErrorContains(t, err, "another container uses /var/lib/waft")

	// The machine is lost after the backup. Another one continues where it was.
	again.types(blocks(t, itsBackup, 1)[0])
	docker(t, "kill", again.name)
	restored := singleOn(t, again.dir, allInOneImage, newVolume(t))
	restored.types(blocks(t, itsRestore, 1)[0])
	restored.start("Waft is ready")
	i = installAt(t, restored.url, strings.Join(i.env, "\n"))
	require.Equal(t, before["updates"], i.kept(t)["updates"])
	require.Equal(t, served, i.served(t, "ios"))
	restored.types(inRow(t, oneContainer, "start over"))
}
