//go:build !clouds

package assets

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABucketOfAnotherCloudNeedsItsDriver(t *testing.T) {
	t.Parallel()
	for _, bucketURL := range []string{"gs://bucket", "azblob://container?storage_account=account"} {
		_, err := Open(t.Context(), bucketURL, t.TempDir())
		require.ErrorContains(t, err, "-tags clouds")
	}
}
