//go:build clouds

package assets

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBucketsOfOtherClouds shows that their drivers are linked and read their URLs.
// Nothing here can tell whether they store anything.
func TestBucketsOfOtherClouds(t *testing.T) {
	t.Parallel()
	for _, bucketURL := range []string{
		"gs://bucket?access_id=-", "azblob://container?storage_account=account&domain=blob.example.com",
	} {
		b := openURL(t, bucketURL)
		require.Empty(t, b.folder)
	}
}
