package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSharedModulesHaveOneVersion keeps the large modules that both Waft and devstack
// use from being downloaded and compiled twice.
func TestSharedModulesHaveOneVersion(t *testing.T) {
	t.Parallel()
	ours, theirs := versions(t, "../../go.mod"), versions(t, "../../../go.mod")
	for _, module := range []string{
		"github.com/jackc/pgx/v5", "github.com/klauspost/compress", "github.com/pierrec/lz4/v4",
		"go.temporal.io/api", "go.temporal.io/sdk", "google.golang.org/genproto/googleapis/api",
		"google.golang.org/grpc", "google.golang.org/protobuf",
	} {
		require.NotEmpty(t, ours[module], module)
		require.Equal(t, theirs[module], ours[module], "%s: make both go.mod files require the same version", module)
	}
}

// versions returns the versions that a go.mod file requires, by module.
func versions(t *testing.T, path string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	found := map[string]string{}
	for _, line := range regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`).FindAllStringSubmatch(string(text), -1) {
		found[line[1]] = line[2]
	}
	return found
}
