package rest

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTraceparentIsRead(t *testing.T) {
	t.Parallel()
	const id = "4bf92f3577b34da6a3ce929d0e0e4736"
	require.Equal(t, id, traceID("00-"+id+"-00f067aa0ba902b7-01"))
	require.Equal(t, id, traceID("cc-"+id+"-00f067aa0ba902b7-01-what-the-future-will-be"))
	for _, bad := range []string{
		"", "00", "00-" + id, "00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01",
		"00-" + strings.ToUpper(id) + "-00f067aa0ba902b7-01", "00-" + id + "+00f067aa0ba902b7-01",
	} {
		require.Empty(t, traceID(bad), bad)
	}
}
