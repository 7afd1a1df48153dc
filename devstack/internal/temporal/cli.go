//go:build temporalcli

package temporal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/waft-ota/waft/devstack/internal/process"
)

// Serve runs the development server of the Temporal CLI on the PATH, which listens on the address bind, and the web UI, until
// ctx ends.
func Serve(ctx context.Context, folder, bind string, port, uiPort int) error {
	path, err := exec.LookPath("temporal")
	if err != nil {
		return fmt.Errorf("%w: this devstack is built to use the Temporal CLI; run 'make devstack' to build it with a server of its own", err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	cmd := exec.CommandContext(ctx, path, arguments(folder, bind, port)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	process.Tether(cmd.SysProcAttr, syscall.SIGKILL)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	if err := process.Spawn(cmd); err != nil {
		return fmt.Errorf("start %s: %w", path, err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		end(cmd.Wait())
	}()
	err = serveUI(ctx, net.JoinHostPort(host, strconv.Itoa(port)), uiPort)
	end(err)
	<-ended
	if cause := context.Cause(ctx); !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

func arguments(folder, bind string, port int) []string {
	args := []string{
		"server", "start-dev", "--ip", bind, "--port", strconv.Itoa(port),
		// Its web UI and its HTTP API accept requests of every web page. The API cannot be left out,
		// but a request cannot have this Host.
		"--headless", "--dynamic-config-value", `frontend.httpAllowedHosts=["-"]`,
		// A separate file, since the compiled-in server may have another schema.
		"--db-filename", filepath.Join(folder, "temporal-cli.db"),
		"--namespace", Namespace, "--log-level", "warn",
	}
	for _, name := range slices.Sorted(maps.Keys(searchAttributes)) {
		args = append(args, "--search-attribute", name+"="+searchAttributes[name])
	}
	return args
}
