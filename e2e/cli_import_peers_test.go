//go:build peers

package e2e

import (
	"net/http"

	"github.com/waft-ota/waft/internal/cli/protocol"
	"github.com/waft-ota/waft/models"
)

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
