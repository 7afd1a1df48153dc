//go:build temporalcli

package temporal

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
)

// Serve replaces this process by the development server of the Temporal CLI on the PATH.
// It returns only on an error.
func Serve(_ context.Context, folder string, port, uiPort int) error {
	path, err := exec.LookPath("temporal")
	if err != nil {
		return fmt.Errorf("%w: this devstack is built to use the Temporal CLI; run 'make devstack' to build it with a server of its own", err)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return syscall.Exec(path, arguments(folder, port, uiPort), os.Environ())
}

func arguments(folder string, port, uiPort int) []string {
	args := []string{
		"temporal", "server", "start-dev", "--ip", host, "--port", strconv.Itoa(port),
		"--ui-ip", host, "--ui-port", strconv.Itoa(uiPort),
		// A separate file, since the compiled-in server may have another schema.
		"--db-filename", filepath.Join(folder, "temporal-cli.db"),
		"--namespace", Namespace, "--log-level", "warn",
	}
	for _, name := range slices.Sorted(maps.Keys(searchAttributes)) {
		args = append(args, "--search-attribute", name+"="+searchAttributes[name])
	}
	return args
}
