//go:build containers

package containers

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// dockerCompose is the page that the composition follows.
var dockerCompose = section{"docs/operations/compose.md", "Install with Docker Compose"}

// composition is docker-compose.yml with local engines, in a folder with keys of its own.
type composition struct {
	reader

	project, url string
	secrets      map[string]string
}

// compose copies docker-compose.yml. It changes the limits that ClickHouse's server asks for, because the daemon may have lower ones.
func compose(t *testing.T, project string) *composition {
	t.Helper()
	dir, port := t.TempDir(), freePort(t)
	c := &composition{secrets: map[string]string{}, project: project, url: "http://localhost:" + port}
	for from, to := range map[string]string{
		"docker-compose.yml": "docker-compose.yml", "deploy/make-env.sh": "deploy/make-env.sh",
		"deploy/containers/testdata/engines.yml": "engines.yml",
	} {
		content, err := os.ReadFile(filepath.Join(root, from))
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, to)), 0o755))
		text := strings.ReplaceAll(string(content), ": 262144", ": 10000")
		require.NoError(t, os.WriteFile(filepath.Join(dir, to), []byte(text), 0o700))
	}
	binaries, err := filepath.Abs(filepath.Join(root, "bin"))
	require.NoError(t, err)
	require.NoError(t, os.Symlink(binaries, filepath.Join(dir, "bin")))
	c.reader = reader{
		t: t, dir: dir, instead: strings.NewReplacer(
			"make image\n", "", "make build && ", "", "exec api", "exec -T api", "waft demo --fast", "waft "+unhurried,
		),
		env: []string{
			"COMPOSE_FILE=docker-compose.yml:engines.yml", "COMPOSE_PROJECT_NAME=" + project, "WAFT_URL=" + c.url,
			"WAFT_PORT=" + port, "WAFT_BASE_URL=" + c.url, "TEMPORAL_UI_PORT=" + freePort(t), "CLICKHOUSE_PORT=" + freePort(t),
		},
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(lastLines(c.run("logs", "--no-color", "--tail", "15"), 200))
		}
		c.run("down", "--volumes", "--timeout", "5")
	})
	return c
}

// install starts everything as the page does, and returns the link of the first account.
func (c *composition) install() (link string) {
	c.t.Helper()
	out := c.types(blocks(c.t, dockerCompose, 3)[1])
	made, err := os.ReadFile(filepath.Join(c.dir, ".env"))
	require.NoError(c.t, err)
	for _, line := range regexp.MustCompile(`(?m)^(\w+)=(.*)$`).FindAllStringSubmatch(string(made), -1) {
		c.secrets[line[1]] = line[2]
	}
	awaitHealthy(c.t, c.container("api"), c.container("worker"))
	return lastLines(out, 1)
}

// play plays the demo as the page does.
func (c *composition) play() install {
	c.t.Helper()
	out := c.types(blocks(c.t, dockerCompose, 3)[2])
	require.Regexp(c.t, `All \d+ expectations were met`, out)
	file, err := os.ReadFile(filepath.Join(c.dir, ".waft", "demo.env"))
	require.NoError(c.t, err)
	return installAt(c.t, c.url, string(file))
}

// run runs docker-compose, and returns what it printed.
func (c *composition) run(args ...string) string {
	c.t.Helper()
	out, err := try(context.WithoutCancel(c.t.Context()), c.dir, c.env, "docker-compose", args...)
	require.NoError(c.t, err)
	return out
}

// up starts everything and waits until Waft is healthy.
func (c *composition) up() {
	c.t.Helper()
	c.run("up", "--detach", "--no-build")
	awaitHealthy(c.t, c.container("api"), c.container("worker"))
}

// container returns the ID of a service's container.
func (c *composition) container(service string) string {
	c.t.Helper()
	id := c.run("ps", "--all", "--quiet", service)
	require.NotEmpty(c.t, id, service)
	return id
}

// at returns a time of a service's container, such as .State.StartedAt.
func (c *composition) at(service, field string) time.Time {
	c.t.Helper()
	at, err := time.Parse(time.RFC3339Nano, inspect(c.t, c.container(service), field))
	require.NoError(c.t, err)
	return at
}

// requireOrder requires that a service started after others had ended or were running.
func (c *composition) requireOrder() {
	c.t.Helper()
	for job, later := range map[string][]string{
		"temporal-schema": {"temporal"}, "temporal-namespace": {"migrate", "api", "worker"}, "migrate": {"api", "worker"},
	} {
		require.Equal(c.t, "0", inspect(c.t, c.container(job), ".State.ExitCode"), job)
		for _, service := range later {
			started, ended := c.at(service, ".State.StartedAt"), c.at(job, ".State.FinishedAt")
			require.True(c.t, started.After(ended), "%s starts before the end of %s", service, job)
		}
	}
	for _, engine := range []string{"postgres", "clickhouse", "temporal"} {
		require.True(c.t, c.at("migrate", ".State.StartedAt").After(c.at(engine, ".State.StartedAt")), engine)
	}
}

// requireConfined requires that Waft's processes have only the rights and secrets that they need.
func (c *composition) requireConfined() {
	c.t.Helper()
	for _, service := range []string{"api", "worker"} {
		process := "/proc/" + inspect(c.t, c.container(service), ".State.Pid")
		status, err := os.ReadFile(process + "/status")
		require.NoError(c.t, err)
		require.Regexp(c.t, `(?m)^Uid:\s+10001\s+10001\s+10001\s+10001$`, string(status), service)
		require.Regexp(c.t, `(?m)^CapBnd:\s+0+$`, string(status), service)
		require.Regexp(c.t, `(?m)^NoNewPrivs:\s+1$`, string(status), service)
		mounts, err := os.ReadFile(process + "/mountinfo")
		require.NoError(c.t, err)
		require.Regexp(c.t, `(?m)^\d+ \d+ \S+ / / ro,`, string(mounts), "the root of %s", service)
		folder := docker(c.t, "volume", "inspect", "--format", "{{.Mountpoint}}", c.project+"_"+service+"-data")
		info, err := os.Stat(folder)
		require.NoError(c.t, err)
		owner, ok := info.Sys().(*syscall.Stat_t)
		require.True(c.t, ok)
		require.Equal(c.t, []uint32{10001, 10001}, []uint32{owner.Uid, owner.Gid}, folder)
	}
	for _, service := range []string{"api", "worker", "migrate", "temporal-ui", "objects", "postgres", "clickhouse", "temporal"} {
		environment := inspect(c.t, c.container(service), ".Config.Env")
		require.Equal(c.t, service == "api", strings.Contains(environment, c.secrets["WAFT_ROOT_KEY"]), "the root key and %s", service)
		require.Equal(c.t, service == "api" || service == "worker", strings.Contains(environment, c.secrets["WAFT_SECRET_KEY"]), service)
	}
	logs := c.run("logs", "--no-color", "api", "worker", "migrate")
	for name, secret := range c.secrets {
		require.NotContains(c.t, logs, secret, name)
	}
}

func TestTheWholeCompose(t *testing.T) {
	t.Parallel()
	c := compose(t, "waft-test")
	require.Regexp(t, `^`+c.url+`/app/setup#[\w-]{43}$`, c.install())
	c.requireOrder()
	c.requireConfined()
	i := c.play()

	// Each service restarts while devices launch. Waft is healthy again, and has lost nothing.
	before := i.kept(t)
	ctx, stop := context.WithCancel(t.Context())
	load := make(chan error, 1)
	go func() {
		_, err := try(ctx, c.dir, i.env, waft(t), "simulate", "--devices", "200", "--rate", "20", "--duration", "0")
		load <- err
	}()
	for _, service := range []string{"worker", "api", "temporal", "clickhouse", "objects", "postgres"} {
		began := c.at(service, ".State.StartedAt")
		c.run("restart", service)
		require.True(t, c.at(service, ".State.StartedAt").After(began), service)
		awaitHealthy(t, c.container(service))
		c.awaitReady(i)
	}
	select {
	case err := <-load:
		require.Fail(t, "the devices ended before the restarts", "%v", err)
	default:
	}
	stop()
	<-load
	require.Equal(t, before, i.kept(t))

	// Everything ends before Docker kills it.
	c.run("stop")
	for _, service := range []string{"api", "worker"} {
		require.Equal(t, "0", inspect(t, c.container(service), ".State.ExitCode"), service)
	}
	c.run("down")
	c.up()
	require.Equal(t, before, i.kept(t))
	require.Contains(t, i.served(t, "ios"), "next")
}

// awaitReady waits until the API responds, and both of Waft's processes say that they reach every engine.
func (c *composition) awaitReady(i install) {
	c.t.Helper()
	for _, service := range []string{"api", "worker"} {
		require.Eventually(c.t, func() bool {
			_, err := try(c.t.Context(), "", nil, os.Getenv("DOCKER"), "exec", c.container(service), "waftd", "healthcheck")
			return err == nil
		}, patience, 500*time.Millisecond, service)
	}
	i.waft(c.t, "rollouts", "list")
}
