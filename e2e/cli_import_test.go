package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/protocol"
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

// bundleFor returns the hash of the bundle that a device without an identity gets, or "".
func (p *tenant) bundleFor(channel string, platform models.Platform, runtime string) string {
	p.t.Helper()
	reply, err := protocol.Ask(p.t.Context(), http.DefaultClient, protocol.Question{
		URL: p.url + "/v1/ota/manifest/" + p.slug, Platform: platform, RuntimeVersion: runtime,
		Headers: map[string]string{"expo-channel-name": channel},
	})
	if err != nil || reply.Manifest == nil {
		return ""
	}
	return reply.Manifest.LaunchAsset.Hash
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
