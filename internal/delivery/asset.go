package delivery

import "github.com/waft-ota/waft/models"

// AssetMeta is what is known of a file that devices may download.
type AssetMeta struct {
	models.Blob
	ProjectID int64
}
