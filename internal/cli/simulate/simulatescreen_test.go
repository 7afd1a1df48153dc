package simulate

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/internal/cli/clitest"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/lab/fleet"
)

// Control characters in a server's response must not reach the terminal.
func TestTheSimulationOnlyShows(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	screen := simulateScreen{term: terminal.New(&out)}
	screen.last(fleet.Stats{
		Failures: map[string]fleet.Failure{"manifest: status 404 " + clitest.Nasty: {Count: 1, First: clitest.Nasty}},
		Running:  []fleet.Running{{Update: fleet.Ref{UpdateID: "abcdefg\x1bh", Message: clitest.Nasty}, Devices: 3}},
	}, time.Now())
	require.Contains(t, out.String(), "status 404")
	for _, r := range out.String() {
		require.False(t, r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)), "%q in %q", r, out.String())
	}
}
