package config

import (
	"net/url"
	"time"
)

// A signed URL must live until a slow download begins. S3 signs for at most a week.
const (
	minRedirect = time.Minute
	maxRedirect = 7 * 24 * time.Hour
)

// validateAssets checks the settings of asset downloads.
func (c Config) validateAssets(bad func(name, format string, args ...any)) {
	if c.AssetBaseURL != "" {
		u, err := url.Parse(c.AssetBaseURL)
		if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.RawQuery != "" || u.Fragment != "" {
			bad("WAFT_ASSET_BASE_URL", "must be an absolute http or https URL without a query")
		}
	}
	if c.AssetRedirect != 0 && (c.AssetRedirect < minRedirect || c.AssetRedirect > maxRedirect) {
		bad("WAFT_ASSET_REDIRECT", "must be 0s or from %v to %v", minRedirect, maxRedirect)
	}
}
