//go:build clouds

package assets

import (
	"cloud.google.com/go/storage"
	_ "gocloud.dev/blob/azureblob" // azblob://
	_ "gocloud.dev/blob/gcsblob"   // gs://
)

// otherClouds is true if the drivers for buckets of Google and Azure are compiled in. They take longer to compile than
// the rest of Waft, so only images and releases contain them.
const otherClouds = true

// asStored keeps Google's client from decompressing objects.
func asStored(as func(any) bool) error {
	var object **storage.ObjectHandle
	if as(&object) {
		*object = (*object).ReadCompressed(true)
	}
	return nil
}
