package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABrowserOpensWebPagesOnly(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"", "file:///etc/passwd", "javascript:alert(1)", "/app/demo", "-a Calculator", "https:", "http://", "ftp://example.com/",
	} {
		require.ErrorContains(t, OpenBrowser(t.Context(), address), "is not an http or https address", address)
	}
}

func TestEverySystemOpensPagesWithoutAShell(t *testing.T) {
	t.Parallel()
	const address = "https://ota.example.com/app/demo/overview?a=1&b=$(id)"
	for system, want := range map[string]string{"darwin": "open", "windows": "rundll32", "linux": "xdg-open", "freebsd": "xdg-open"} {
		name, args := browserCommand(system, address)
		require.Equal(t, want, name)
		require.Equal(t, address, args[len(args)-1])
	}
}
