package access

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestAKeyIsRecentForATime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 14, 9, 26, 53, 0, time.UTC)
	keys := newRecentKeys(time.Minute, func() time.Time { return at })
	first := models.NewAPIKeyToken()
	keys.add(first.Fingerprint())
	at = at.Add(time.Minute - 1)
	require.True(t, keys.has(first.Fingerprint()))
	at = at.Add(1)
	require.False(t, keys.has(first.Fingerprint()))
}
