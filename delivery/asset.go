package delivery

import (
	"maps"
	"slices"

	"github.com/waft-ota/waft/models"
)

// AssetMeta is what is known of a file that devices may download.
type AssetMeta struct {
	// ContentType is both what manifests say and what the file must be served as.
	ContentType string
	SizeBytes   int64
	// SHA256 is base64url without padding.
	SHA256    string
	ProjectID int64
}

// indexAssets maps the MD5 of every file to what is known of it. Builds may call
// the same bytes by different content types, but a URL names bytes only: the first
// build decides for all, a launch asset before any other, so that manifest and
// download agree and a later build changes nothing.
func indexAssets(projectID int64, builds map[int64]*models.Build) map[string]AssetMeta {
	assets := map[string]AssetMeta{}
	for _, launch := range []bool{true, false} {
		for _, id := range slices.Sorted(maps.Keys(builds)) {
			for _, a := range builds[id].Assets {
				if _, known := assets[a.MD5]; known || a.IsLaunchAsset != launch {
					continue
				}
				assets[a.MD5] = AssetMeta{
					ContentType: a.ContentType, SizeBytes: a.SizeBytes, SHA256: a.SHA256, ProjectID: projectID,
				}
			}
		}
	}
	return assets
}
