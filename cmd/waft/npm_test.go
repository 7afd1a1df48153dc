package main

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// packedByNPM packs the CLI for every platform and returns the folder of the tarballs. Only the binary of this platform is real.
func packedByNPM(t *testing.T) string {
	t.Helper()
	dist, packed := filepath.Join(t.TempDir(), "dist"), t.TempDir()
	require.NoError(t, os.Mkdir(dist, 0o700))
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-X github.com/waft-ota/waft/internal/base/version.released=9.8.7",
		"-o", filepath.Join(dist, "real"), ".")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	require.NoError(t, os.WriteFile(filepath.Join(dist, "stub"), []byte("of another platform"), 0o600))
	goEnv := exec.CommandContext(t.Context(), "go", "env", "GOOS", "GOARCH")
	out, err = goEnv.Output()
	require.NoError(t, err)
	here := strings.Fields(string(out))

	var artifacts []any
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, processor := range []string{"amd64", "arm64"} {
			file := "stub"
			if system == here[0] && processor == here[1] {
				file = "real"
			}
			artifacts = append(artifacts, map[string]any{
				"type": "Binary", "goos": system, "goarch": processor, "path": "dist/" + file, "extra": map[string]string{"ID": "waft"},
			})
		}
	}
	artifacts = append(artifacts, map[string]any{
		"type": "Binary", "goos": here[0], "goarch": here[1], "path": "dist/stub", "extra": map[string]string{"ID": "waftd"},
	})
	for name, content := range map[string]any{"artifacts.json": artifacts, "metadata.json": map[string]string{"version": "9.8.7"}} {
		text, err := json.Marshal(content)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dist, name), text, 0o600))
	}
	pack := exec.CommandContext(t.Context(), "node", "npm/pack.mjs", dist, packed)
	out, err = pack.CombinedOutput()
	require.NoError(t, err, string(out))
	return packed
}

// registry serves the tarballs of a folder as npm's registry does.
func registry(t *testing.T, folder string) *httptest.Server {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	require.NoError(t, err)
	require.Len(t, files, 7)
	packages := map[string]map[string]any{}
	tarballs := map[string][]byte{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		tarballs["/tarballs/"+filepath.Base(file)] = content
		manifest := manifestOf(t, content)
		require.NotContains(t, manifest, "scripts", "an installation runs nothing")
		require.Equal(t, map[string]any{"access": "public", "provenance": true}, manifest["publishConfig"])
		sum := sha512.Sum512(content)
		manifest["dist"] = map[string]any{
			"tarball": "tarballs/" + filepath.Base(file), "integrity": "sha512-" + base64.StdEncoding.EncodeToString(sum[:]),
		}
		packages["/"+manifest["name"].(string)] = manifest
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tarball, ok := tarballs[r.URL.Path]; ok {
			_, _ = w.Write(tarball)
			return
		}
		manifest, ok := packages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		dist := manifest["dist"].(map[string]any)
		served := maps.Clone(manifest)
		served["dist"] = map[string]any{"integrity": dist["integrity"], "tarball": "http://" + r.Host + "/" + dist["tarball"].(string)}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"name": manifest["name"], "dist-tags": map[string]any{"latest": manifest["version"]},
			"versions": map[string]any{manifest["version"].(string): served},
		})
	}))
	t.Cleanup(server.Close)
	return server
}

func manifestOf(t *testing.T, tarball []byte) map[string]any {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(tarball))
	require.NoError(t, err)
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		require.NoError(t, err, "package.json is not packed")
		if header.Name == "package/package.json" {
			var manifest map[string]any
			require.NoError(t, json.NewDecoder(files).Decode(&manifest))
			return manifest
		}
	}
}

// installedByNPM installs the CLI as a user does, without scripts, and returns npm's folder.
func installedByNPM(t *testing.T) (prefix string) {
	t.Helper()
	prefix = t.TempDir()
	server := registry(t, packedByNPM(t))
	install := exec.CommandContext(t.Context(), "npm", "install", "--global", "--prefix", prefix, "--registry", server.URL,
		"--cache", t.TempDir(), "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "@waft/cli")
	install.Env = append(os.Environ(), "NPM_CONFIG_USERCONFIG="+filepath.Join(t.TempDir(), "npmrc"))
	out, err := install.CombinedOutput()
	require.NoError(t, err, string(out))
	return prefix
}

// exitOf runs a command and returns its output and exit code.
func exitOf(t *testing.T, name string, args ...string) (out string, code int) {
	t.Helper()
	text, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(text), exit.ExitCode()
	}
	require.NoError(t, err)
	return string(text), 0
}

// waiting is a launcher whose binary waits for a line on its standard input.
type waiting struct {
	cmd    *exec.Cmd
	output io.Reader
}

func startWaiting(t *testing.T, cmd *exec.Cmd) waiting {
	t.Helper()
	input, err := cmd.StdinPipe()
	require.NoError(t, err)
	t.Cleanup(func() { _ = input.Close() })
	output, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, output.(*os.File).SetReadDeadline(time.Now().Add(time.Minute)))
	require.NoError(t, cmd.Start())
	return waiting{cmd, output}
}

// requireEndBySIGTERM requires that the launcher and its binary, which has the same standard output, end by SIGTERM.
func (w waiting) requireEndBySIGTERM(t *testing.T) {
	t.Helper()
	_, err := io.Copy(io.Discard, w.output)
	require.NoError(t, err, "the binary runs on")
	_ = w.cmd.Wait()
	require.Equal(t, syscall.SIGTERM, w.cmd.ProcessState.Sys().(syscall.WaitStatus).Signal())
}

func TestTheCLIIsInstalledWithNPM(t *testing.T) {
	t.Parallel()
	prefix := installedByNPM(t)
	waft := filepath.Join(prefix, "bin", "waft")
	out, code := exitOf(t, waft, "version")
	require.Zero(t, code, out)
	require.Equal(t, "waft 9.8.7\n", out)
	_, code = exitOf(t, waft, "--wrong")
	require.Equal(t, 2, code)

	binaries, err := filepath.Glob(filepath.Join(prefix, "lib/node_modules/@waft/cli/node_modules/@waft/cli-*/bin/waft*"))
	require.NoError(t, err)
	require.Len(t, binaries, 1, "npm installs the binary of this platform only")
	launcher := filepath.Join(prefix, "lib/node_modules/@waft/cli/bin/waft.cjs")

	t.Run("an interrupt reaches the binary", func(t *testing.T) {
		asked := make(chan struct{}, 1)
		server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			asked <- struct{}{}
			<-r.Context().Done()
		}))
		defer server.Close()
		cmd := exec.CommandContext(t.Context(), waft, "channels", "list", "--url", server.URL,
			"--project", "demo", "--api-key", "waft_12345678_x")
		require.NoError(t, cmd.Start())
		<-asked
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		_ = cmd.Wait()
		require.Equal(t, 130, cmd.ProcessState.ExitCode())
	})
	t.Run("a platform without a binary", func(t *testing.T) {
		out, code := exitOf(t, "node", "-e", "Object.defineProperty(process, 'platform', {value: 'aix'}); require(process.argv[1])", launcher)
		require.Equal(t, 1, code)
		require.Regexp(t, "^waft: @waft/cli has no binary for aix on .*`go build ./cmd/waft`\n$", out)
	})

	// A binary that the test controls takes the place of the real one.
	script := []byte("#!/bin/sh\necho \"$@\"\ntest \"$1\" != wait || read line\ntest \"$1\" != die || kill -PIPE $$\nexit 3\n")
	require.NoError(t, os.WriteFile(binaries[0], script, 0o700)) //nolint:gosec // it is run
	out, code = exitOf(t, waft, "a", "b c")
	require.Equal(t, "a b c\n", out)
	require.Equal(t, 3, code)

	t.Run("the death of the binary by a signal", func(t *testing.T) {
		launcher := startWaiting(t, exec.CommandContext(t.Context(), waft, "wait"))
		_, err := bufio.NewReader(launcher.output).ReadString('\n')
		require.NoError(t, err)
		require.NoError(t, launcher.cmd.Process.Signal(syscall.SIGTERM))
		launcher.requireEndBySIGTERM(t)
	})
	t.Run("a signal as soon as the binary has started", func(t *testing.T) {
		hook := filepath.Join(t.TempDir(), "hook.cjs")
		require.NoError(t, os.WriteFile(hook, []byte(`const processes = require('node:child_process');
const { spawn } = processes;
processes.spawn = (...args) => {
  const child = spawn(...args);
  process.kill(process.pid, 'SIGTERM');
  return child;
};`), 0o600))
		cmd := exec.CommandContext(t.Context(), waft, "wait")
		cmd.Env = append(os.Environ(), "NODE_OPTIONS=--require="+hook)
		startWaiting(t, cmd).requireEndBySIGTERM(t)
	})
	t.Run("the death of the binary by a signal that Node.js ignores", func(t *testing.T) {
		_, code := exitOf(t, waft, "die")
		require.Equal(t, 128+int(syscall.SIGPIPE), code)
	})

	require.NoError(t, os.Remove(binaries[0]))
	out, code = exitOf(t, waft)
	require.Equal(t, 1, code)
	require.Contains(t, out, "is not installed. Install again on this machine, without --omit=optional")
	require.Contains(t, out, "or `npm install --save-dev @waft/cli` in a project")
}
