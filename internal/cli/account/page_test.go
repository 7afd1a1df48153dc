package account

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A server without a public address names its own machine. Then the page has the address that waft was given.
func TestPagesAreReachableFromThisMachine(t *testing.T) {
	t.Parallel()
	const page = "http://localhost:8080/app/terminal#WDJB-MJHT"
	require.Equal(t, page, pageFor(page, "http://127.0.0.1:8080"))
	require.Equal(t, "https://10.0.0.5:9000/app/terminal#WDJB-MJHT", pageFor(page, "https://10.0.0.5:9000/"))
	require.Equal(t, "https://ota.example.com/app/terminal#X", pageFor("https://ota.example.com/app/terminal#X", "http://10.0.0.5"))
}

func TestNamesOfThisMachine(t *testing.T) {
	t.Parallel()
	require.Equal(t, "build-7", hostName("build-7", nil))
	require.Equal(t, "an unknown machine", hostName("", nil))
	require.Equal(t, "an unknown machine", hostName("x", errors.New("unknown")))
	require.NotContains(t, hostName("a\x1b[2Jb\xff", nil), "\x1b")
	require.Len(t, hostName(strings.Repeat("a", 300), nil), maxHostName)
}

func TestBrowsersWithWindows(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	require.False(t, hasBrowser("linux", none))
	require.True(t, hasBrowser("darwin", none))
	require.True(t, hasBrowser("linux", func(name string) string { return map[string]string{"WAYLAND_DISPLAY": "wayland-0"}[name] }))
}
