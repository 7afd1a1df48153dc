//go:build containers

// Package containers plays Waft's main job in containers. The script run.sh starts a Docker daemon, builds the images and runs the tests.
package containers

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience bounds each wait for something that the containers do.
const patience = 3 * time.Minute

// root is the repository, waft the command line of `make build`.
const root = "../.."

func waft(t *testing.T) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(root, "bin", "waft"))
	require.NoError(t, err)
	return path
}

// run runs a program in a folder with more variables, and returns its standard output without blanks around it.
func run(t *testing.T, dir string, env []string, program string, args ...string) string {
	t.Helper()
	out, err := try(t.Context(), dir, env, program, args...)
	require.NoError(t, err, "%s %v", program, args)
	return out
}

func try(ctx context.Context, dir string, env []string, program string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var errors strings.Builder
	cmd.Stderr = &errors
	out, err := cmd.Output()
	if err != nil {
		err = &failure{err, string(out) + errors.String()}
	}
	return strings.TrimSpace(string(out)), err
}

// failure is the error of a program with what it wrote.
type failure struct {
	error

	output string
}

func (f *failure) Error() string { return f.error.Error() + "\n" + f.output }

func docker(t *testing.T, args ...string) string {
	t.Helper()
	return run(t, "", nil, os.Getenv("DOCKER"), args...)
}

// dockerLater runs docker when the test has ended, and does not fail.
func dockerLater(t *testing.T, args ...string) {
	t.Helper()
	t.Cleanup(func() { _, _ = try(context.WithoutCancel(t.Context()), "", nil, os.Getenv("DOCKER"), args...) })
}

// inspect returns one field of a container.
func inspect(t *testing.T, container, field string) string {
	t.Helper()
	return docker(t, "inspect", "--format", "{{"+field+"}}", container)
}

func awaitHealthy(t *testing.T, containers ...string) {
	t.Helper()
	for _, name := range containers {
		require.Eventually(t, func() bool { return inspect(t, name, ".State.Health.Status") == "healthy" }, patience, 200*time.Millisecond, name)
	}
}

// awaitLog returns the first line of a container's log with the text.
func awaitLog(t *testing.T, container, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Getenv("DOCKER"), "logs", "--follow", container)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() { cancel(); _ = cmd.Wait() }() // it follows until it is killed
	var seen []string
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		if seen = append(seen, lines.Text()); strings.Contains(lines.Text(), text) {
			return lines.Text()
		}
	}
	require.Fail(t, "the log ended", "without %q: %s", text, strings.Join(seen, "\n"))
	return ""
}

// freePort returns an unused port as text.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}

// install is an installation in containers, as its clients see it.
type install struct {
	// env has the variables of waft: the server, the demo's project and its key.
	env []string
}

// installAt reads the file of `waft demo-project`, and returns the installation at the URL.
func installAt(t *testing.T, url, file string) install {
	t.Helper()
	i := install{env: []string{"WAFT_URL=" + url}}
	for line := range strings.Lines(file) {
		if strings.HasPrefix(line, "WAFT_PROJECT=") || strings.HasPrefix(line, "WAFT_API_KEY=") {
			i.env = append(i.env, strings.ReplaceAll(strings.TrimSpace(line), "'", ""))
		}
	}
	require.Len(t, i.env, 3, file)
	return i
}

func (i install) waft(t *testing.T, args ...string) string {
	t.Helper()
	return run(t, t.TempDir(), i.env, waft(t), args...)
}

// served returns which release a device gets, and why.
func (i install) served(t *testing.T, platform string) string {
	t.Helper()
	return i.waft(t, "resolve", "--channel", "production", "--platform", platform, "--runtime-version", "1.0.0", "--device", "any")
}

// kept returns what must be the same after a restart: releases, rollouts with their status, and the audit log.
func (i install) kept(t *testing.T) map[string][]string {
	t.Helper()
	kept := map[string][]string{}
	for _, list := range []string{"updates", "rollout-executions", "audit-log"} {
		var records []map[string]any
		require.NoError(t, json.Unmarshal([]byte(i.waft(t, "api", "GET", "/"+list+"?limit=200")), &records), list)
		require.NotEmpty(t, records, list)
		for _, r := range records {
			if r["action"] == "incident.resolved" {
				continue // the worker resolves incidents of the demo some time after its end
			}
			kept[list] = append(kept[list], fmt.Sprint(r["id"], " ", r["status"], " ", r["message"], " ", r["action"], " ", r["createdAt"]))
		}
	}
	return kept
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
