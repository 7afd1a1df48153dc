package release_test

import (
	"fmt"
	"os"
	"testing"
)

// TestMain keeps what interrupted publishes leave behind out of the cache folder of the user.
func TestMain(m *testing.M) {
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
