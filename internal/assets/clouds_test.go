//go:build clouds

package assets

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBucketsOfOtherClouds checks that the drivers are linked and accept their URLs. It cannot check that they store
// anything.
func TestBucketsOfOtherClouds(t *testing.T) {
	t.Parallel()
	for _, bucketURL := range []string{
		"gs://bucket?access_id=-", "azblob://container?storage_account=account&domain=blob.example.com",
	} {
		b := openURL(t, bucketURL)
		require.Empty(t, b.folder)
	}
}
