package release_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/waft-ota/waft/internal/cli"
	"github.com/waft-ota/waft/internal/cli/clitest"
)

// TestMain keeps what interrupted publishes leave behind out of the cache folder of the user.
func TestMain(m *testing.M) {
	clitest.RunAsWaft(cli.NewCommand, cli.Run)
	dir, err := os.MkdirTemp("", "waft-cache-")
	if err == nil {
		err = os.Setenv("XDG_CACHE_HOME", dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}
