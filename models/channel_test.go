package models

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// It travels in a header, as the runtime version that it is compared with does.
func TestAMinimumRuntimeVersionIsOne(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"ü", " 1.0", "1.0\r\nx: y", "", strings.Repeat("1", 129)} {
		patch := ChannelPatch{MinRuntimeVersion: Nullable[string]{Set: true, Value: &version}}
		require.ErrorContains(t, patch.Validate(), "minRuntimeVersion", "%q", version)
	}
	version := "1.4.0"
	require.NoError(t, ChannelPatch{MinRuntimeVersion: Nullable[string]{Set: true, Value: &version}}.Validate())
}
