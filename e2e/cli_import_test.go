package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/models"
)

// importReport is the output of `waft import --json`.
type importReport struct {
	Channels []object
	Releases []struct{ SourceID, Platform, RuntimeVersion, State, Message string }
	Skipped  []importSkipped
}

type importSkipped struct{ What, Why string }

// states returns the states of the releases.
func (r importReport) states() (states []string) {
	for _, x := range r.Releases {
		states = append(states, x.State)
	}
	return states
}

// hashOfBundle returns the hash of the bundle in an export, as manifests have it.
func hashOfBundle(t *testing.T, dir string, platform models.Platform) string {
	t.Helper()
	export, err := client.OpenExport(dir, platform)
	require.NoError(t, err)
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(export.Bundle)))
	require.NoError(t, err)
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}
