// Package terminal writes output. On a terminal it writes lines that scroll, and below them a panel that is redrawn
// in place. To a pipe or a CI log it writes plain lines that begin with the time.
package terminal

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
)

// Terminal is an output. Goroutines may call its methods concurrently.
type Terminal struct {
	out  io.Writer
	live bool
	size func() (width, height int)
	now  func() time.Time

	mu    sync.Mutex
	panel []string
	drawn int // number of panel lines on the screen
}

// New returns a Terminal for out. It draws a panel only on a terminal that can move its cursor. Colours depend on the
// terminal and on NO_COLOR.
func New(out io.Writer) *Terminal {
	t := &Terminal{
		out: colorprofile.NewWriter(out, os.Environ()), now: time.Now,
		size: func() (int, int) { return 0, 0 },
	}
	if file, ok := out.(*os.File); ok && term.IsTerminal(file.Fd()) && os.Getenv("TERM") != "dumb" {
		t.live = true
		t.size = func() (int, int) {
			width, height, err := term.GetSize(file.Fd())
			if err != nil || width < 1 || height < 1 { // some CI systems have terminals without a size
				return 80, 24
			}
			return width, height
		}
	}
	return t
}

// Live reports whether there is a panel.
func (t *Terminal) Live() bool { return t.live }

// Width returns the number of cells in a line of the panel.
func (t *Terminal) Width() int {
	width, _ := t.size()
	return width
}

// Height returns the number of lines of the terminal, 0 if it is not live.
func (t *Terminal) Height() int {
	_, height := t.size()
	return height
}

// Print writes a line above the panel. It removes all control characters except styles.
func (t *Terminal) Print(line string) {
	line = Styled(line)
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.live {
		fmt.Fprintf(t.out, "%s  %s\n", t.now().UTC().Format("15:04:05.000"), line)
		return
	}
	t.draw([]string{line}, t.panel)
}

// Panel replaces the panel. Without a live terminal it does nothing.
func (t *Terminal) Panel(lines []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.live {
		t.draw(nil, lines)
	}
}

// Close leaves the panel where it is and shows the cursor.
func (t *Terminal) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.drawn > 0 {
		_, _ = io.WriteString(t.out, ansi.ShowCursor) // a closed terminal cannot be repaired
	}
	t.panel, t.drawn = nil, 0
}

// draw writes the lines and replaces the old panel by a new one, in one write.
func (t *Terminal) draw(lines, panel []string) {
	width, height := t.size()
	var b bytes.Buffer
	b.WriteString(ansi.HideCursor)
	if t.drawn > 0 {
		fmt.Fprintf(&b, "\r%s", ansi.CursorUp(t.drawn))
	}
	b.WriteString(ansi.EraseScreenBelow)
	for _, line := range lines {
		b.WriteString(line)
		b.WriteByte('\n')
	}
	// A panel taller than the screen could not be redrawn.
	shown := panel[:min(len(panel), max(0, height-1))]
	for _, line := range shown {
		b.WriteString(ansi.Truncate(Styled(line), width, "…"))
		b.WriteByte('\n')
	}
	t.panel, t.drawn = panel, len(shown)
	_, _ = t.out.Write(b.Bytes()) // a closed terminal cannot be repaired
}
