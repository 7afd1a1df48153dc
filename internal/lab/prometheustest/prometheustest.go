// Package prometheustest finds the programs of Prometheus for tests.
package prometheustest

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Program returns the path of prometheus or promtool. It fails the test if tools/prometheus.sh cannot find or unpack them. The test's
// package must be in a folder at the top of the repository.
func Program(t testing.TB, name string) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), filepath.Join("..", "tools", "prometheus.sh")).Output()
	if err != nil {
		if failed, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("tools/prometheus.sh: %v\n%s", err, failed.Stderr)
		}
		t.Fatal(err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), name)
}
