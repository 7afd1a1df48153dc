package fleet

import (
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/models"
)

func TestTheSameSeedIsTheSameFleet(t *testing.T) {
	t.Parallel()
	o := Options{Seed: 3, RuntimeVersion: "1.0.0", Channel: "production", IOSPercent: 40}
	seen := map[string]bool{}
	ios := 0
	for i := range 1000 {
		d := identify(o, i)
		require.Equal(t, d, identify(o, i))
		require.Equal(t, strings.ToLower(d.ID), d.ID)
		_, err := uuid.Parse(d.ID)
		require.NoError(t, err)
		seen[d.ID] = true
		if d.Platform == models.IOS {
			ios++
			require.Equal(t, strings.ToUpper(d.ID), d.easClientID())
		} else {
			require.Equal(t, d.ID, d.easClientID())
		}
	}
	require.Len(t, seen, 1000)
	require.Equal(t, 400, ios)
	require.NotEqual(t, DeviceID(3, 0), DeviceID(4, 0))
}

func TestDevicesWithOneBinaryShareItsEmbeddedUpdate(t *testing.T) {
	t.Parallel()
	require.Equal(t, EmbeddedID(models.IOS, "1.0.0"), EmbeddedID(models.IOS, "1.0.0"))
	require.NotEqual(t, EmbeddedID(models.IOS, "1.0.0"), EmbeddedID(models.Android, "1.0.0"))
	require.NotEqual(t, EmbeddedID(models.IOS, "1.0.0"), EmbeddedID(models.IOS, "1.0.1"))
}
