//go:build temporalcli

package temporal

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/devstack/internal/process"
)

func TestArgumentsOfTheDevelopmentServer(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{
		"server", "start-dev", "--ip", "127.0.0.1", "--port", "7234",
		"--headless", "--dynamic-config-value", `frontend.httpAllowedHosts=["-"]`, "--db-filename", "/data/temporal-cli.db",
		"--namespace", "default", "--log-level", "warn",
		"--search-attribute", "WaftProject=Keyword", "--search-attribute", "WaftRelease=Int",
		"--search-attribute", "WaftStage=Int", "--search-attribute", "WaftStatus=Keyword",
	}, arguments("/data", "127.0.0.1", 7234))
}

// temporalOnPath makes the script the Temporal CLI on the PATH, and returns a free port.
func temporalOnPath(t *testing.T, script string) (uiPort int) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "temporal"), []byte("#!/bin/sh\n"+script), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return listener.Addr().(*net.TCPAddr).Port
}

func TestTheWebUIRunsBesideTheCLI(t *testing.T) {
	dir := t.TempDir()
	listens, left := filepath.Join(dir, "listens"), filepath.Join(dir, "ended")
	uiPort := temporalOnPath(t, "trap 'touch "+left+"; exit 0' TERM; touch "+listens+"; while :; do sleep 0.02; done")
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, t.TempDir(), "127.0.0.1", 1, uiPort) }()
	require.Eventually(t, func() bool {
		_, err := process.Get(ctx, fmt.Sprintf("http://127.0.0.1:%d/", uiPort))
		return err == nil
	}, time.Minute, 20*time.Millisecond)
	require.Eventually(t, func() bool {
		_, err := os.Stat(listens)
		return err == nil
	}, time.Minute, 20*time.Millisecond, "the CLI listens to signals")
	stop()
	require.NoError(t, <-served)
	require.FileExists(t, left, "the CLI is asked to end")
}

func TestTheEndOfTheCLIIsAnError(t *testing.T) {
	uiPort := temporalOnPath(t, "exit 3")
	require.ErrorContains(t, Serve(t.Context(), t.TempDir(), "127.0.0.1", 1, uiPort), "exit status 3")
}
