package e2e

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ownClickHouse is an engine of the test's own, which it may kill.
type ownClickHouse struct {
	t       *testing.T
	dir     string
	address string
	command *exec.Cmd
}

func newClickHouse(t *testing.T) *ownClickHouse {
	t.Helper()
	c := &ownClickHouse{t: t, dir: t.TempDir(), address: freeAddress(t)}
	c.start()
	t.Cleanup(c.kill)
	return c
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	return listener.Addr().String()
}

func (c *ownClickHouse) url() string { return "http://" + c.address + "/waft" }

// start returns once the engine answers.
func (c *ownClickHouse) start() {
	c.t.Helper()
	devstack, err := filepath.Abs("../bin/devstack")
	require.NoError(c.t, err)
	c.command = exec.Command(devstack, "serve-clickhouse", "--data", c.dir, "--listen", c.address)
	c.command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	c.command.Stderr = c.t.Output()
	require.NoError(c.t, c.command.Start(), "it is built by `make devstack`")
	require.Eventually(c.t, func() bool {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.address+"/ping", nil)
		if err != nil {
			return false
		}
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			return false
		}
		return res.Body.Close() == nil && res.StatusCode == http.StatusOK
	}, startLimit, pollEvery, "ClickHouse does not start")
}

// kill is kill -9, and waits for the end.
func (c *ownClickHouse) kill() {
	_ = c.command.Process.Kill()
	_ = c.command.Wait()
}
