package release

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/waft-ota/waft/models"
)

// packageManager is a program that installs an app's packages.
type packageManager struct {
	lock, install string
	// run is the command that runs a program of a package, without its name.
	run []string
}

// packageManagers are known by their lock files. Without a lock file an app counts as one of npm.
var packageManagers = []packageManager{
	{"pnpm-lock.yaml", "pnpm install", []string{"pnpm", "exec"}},
	{"yarn.lock", "yarn install", []string{"yarn"}},
	{"bun.lock", "bun install", []string{"bun", "x"}},
	{"bun.lockb", "bun install", []string{"bun", "x"}},
	{"package-lock.json", "npm ci", []string{"npx", "--no"}},
}

// managerOf returns the package manager of an app: the one whose lock file is in the app's folder or in the nearest folder above it.
func managerOf(app string) packageManager {
	for dir := app; ; dir = filepath.Dir(dir) {
		for _, m := range packageManagers {
			if isFile(filepath.Join(dir, m.lock)) {
				return m
			}
		}
		if dir == filepath.Dir(dir) {
			return packageManagers[len(packageManagers)-1]
		}
	}
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// exporter exports an app by its own version of Expo.
type exporter struct {
	// app and out are absolute paths.
	app, out  string
	platforms []models.Platform
	// output gets what the tools print.
	output  io.Writer
	manager packageManager
}

// exportEnds is how long an interrupted export may take to end.
const exportEnds = 5 * time.Second

// export writes the app's bundles, source maps, assets and configuration into the folder.
func (e exporter) export(ctx context.Context) error {
	if !isFile(filepath.Join(e.app, "package.json")) {
		return fmt.Errorf("%s has no package.json: run this in the app's folder, or name the folder with --app", e.app)
	}
	args := []string{"expo", "export"}
	for _, p := range e.platforms {
		args = append(args, "--platform", string(p))
	}
	if err := e.run(ctx, e.output, append(args, "--dump-sourcemap", "--output-dir", e.out)...); err != nil {
		return err
	}
	var config bytes.Buffer
	if err := e.run(ctx, &config, "expo", "config", "--json", "--type", "public"); err != nil {
		return err
	}
	document, err := firstObject(config.Bytes())
	if err != nil {
		return fmt.Errorf("the output of `expo config --json` has no JSON object: %w", err)
	}
	if err := os.WriteFile(filepath.Join(e.out, "expoConfig.json"), document, 0o600); err != nil {
		return diskFull(err, e.out)
	}
	return nil
}

// firstObject returns the first JSON object of an output. A package manager may print lines of its own before and after it.
func firstObject(output []byte) (object json.RawMessage, err error) {
	if at := bytes.IndexByte(output, '{'); at > 0 {
		output = output[at:]
	}
	err = json.NewDecoder(bytes.NewReader(output)).Decode(&object)
	return object, err
}

// run runs a program of the app's packages.
func (e exporter) run(ctx context.Context, stdout io.Writer, args ...string) error {
	line := append(append([]string{}, e.manager.run...), args...)
	cmd := exec.CommandContext(ctx, line[0], line[1:]...)
	cmd.Dir = e.app
	var end tail
	cmd.Stdout, cmd.Stderr = io.MultiWriter(stdout, &end), io.MultiWriter(e.output, &end)
	cmd.Env = append(withoutSecrets(os.Environ()), "CI=1", "NODE_ENV=production") // CI keeps the tools from asking questions
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = exportEnds
	err := cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return e.explain(err, strings.Join(line, " "), end.String())
}

// secrets are the variables with which a job acts on Waft and its merge request, and GitHub's files by which a step sets the variables, the
// PATH and the outputs of later steps. An export runs the code of all dependencies.
var secrets = []string{
	"WAFT_API_KEY", "WAFT_ID_TOKEN", "WAFT_GITLAB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL",
	"GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE",
}

// withoutSecrets returns the variables of an environment that an export gets.
func withoutSecrets(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains(secrets, name)
	})
}

// explain adds what to do to the error of a command. said is the end of what the command printed.
func (e exporter) explain(err error, line, said string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return fmt.Errorf("`%s` cannot run, because %s is not installed: install Node.js 20.19 or newer, and the package manager of %s",
			line, e.manager.run[0], e.manager.lock)
	case strings.Contains(said, "ENOSPC") || strings.Contains(said, "no space left on device"):
		return errDiskFull(e.out)
	case !installed(e.app):
		return fmt.Errorf("`%s` failed, because the app's packages are not installed: run `%s` in %s first", line, e.manager.install, e.app)
	}
	return fmt.Errorf("`%s` failed in %s (%w); its messages are above", line, e.app, err)
}

// installed reports whether the app or a folder above it has the package expo.
func installed(app string) bool {
	for dir := app; ; dir = filepath.Dir(dir) {
		if isFile(filepath.Join(dir, "node_modules/expo/package.json")) || isFile(filepath.Join(dir, ".pnp.cjs")) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// tailBytes is how much of the output of a command is searched for the reason of its failure.
const tailBytes = 16 << 10

// tail keeps the end of what is written to it, by several goroutines.
type tail struct {
	mu   sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p...)
	if over := len(t.last) - tailBytes; over > 0 {
		t.last = append([]byte{}, t.last[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}
