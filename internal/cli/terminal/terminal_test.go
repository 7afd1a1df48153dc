package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"
)

func TestWithoutATerminalLinesArePlainAndTimed(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	term := New(&out)
	term.now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 3, 120e6, time.UTC) }
	require.False(t, term.Live())
	term.Print(Bad.Render("rolled back"))
	term.Panel([]string{"never shown"})
	term.Close()
	require.Equal(t, "12:00:03.120  rolled back\n", out.String())
}

// liveTerminal returns a terminal of the given size and the buffer that it writes to.
func liveTerminal(width, height int) (*Terminal, *bytes.Buffer) {
	var out bytes.Buffer
	return &Terminal{out: &out, live: true, now: time.Now, size: func() (int, int) { return width, height }}, &out
}

// screen replays the output, for the cursor movements that this package uses, and returns the lines on the screen.
func screen(out string) []string {
	var lines []string
	for _, frame := range strings.Split(out, ansi.HideCursor)[1:] {
		up, rest, found := strings.Cut(frame, ansi.EraseScreenBelow)
		if !found {
			continue
		}
		for n := len(lines); n >= 0; n-- {
			if n > 0 && strings.Contains(up, ansi.CursorUp(n)) {
				lines = lines[:len(lines)-n]
				break
			}
		}
		rest, _, _ = strings.Cut(rest, ansi.ShowCursor)
		lines = append(lines, strings.Split(strings.TrimSuffix(rest, "\n"), "\n")...)
	}
	return lines
}

func TestLinesScrollAboveThePanel(t *testing.T) {
	t.Parallel()
	term, out := liveTerminal(20, 10)
	term.Panel([]string{"one", "two"})
	term.Print("published")
	term.Panel([]string{"three", "a line that is much too long"})
	term.Print("advanced")
	term.Close()
	require.Equal(t, []string{"published", "advanced", "three", "a line that is much…"}, screen(out.String()))
	require.True(t, strings.HasSuffix(out.String(), ansi.ShowCursor))
}

func TestAPanelTallerThanTheScreenIsCut(t *testing.T) {
	t.Parallel()
	term, out := liveTerminal(20, 3)
	for range 3 {
		term.Panel([]string{"one", "two", "three", "four"})
	}
	require.Equal(t, []string{"one", "two"}, screen(out.String()))
}

func TestColumnsLineUp(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"a    bbb  c", "aaa  b"}, Columns([][]string{{"a", "bbb", "c"}, {"aaa", "b"}}))
	styled := Columns([][]string{{Bad.Render("a"), "b"}, {"aaa", "b"}})
	require.Equal(t, "a    b", ansi.Strip(styled[0]))
}

func TestABarIsAsWideAsItShouldBe(t *testing.T) {
	t.Parallel()
	plain := lipgloss.NewStyle()
	for _, counts := range [][]int{{1}, {1, 1}, {1, 1000}, {1000, 1}, {1, 1000, 1}, {0, 5, 0}, {333, 333, 334}} {
		var slices []Slice
		for _, n := range counts {
			slices = append(slices, Slice{Count: n, Style: plain})
		}
		require.Equal(t, 30, lipgloss.Width(Bar(slices, 30)), "%v", counts)
	}
	require.Empty(t, Bar(nil, 30))
	require.Equal(t, 29, strings.Count(ansi.Strip(Bar([]Slice{{1, Good}, {1000, plain}}, 30)), "█")-1)
}
