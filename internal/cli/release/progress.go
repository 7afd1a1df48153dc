package release

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

const (
	// redrawn is the shortest time between two drawings of the bars.
	redrawn = 100 * time.Millisecond
	// listedFiles is the largest number of files that have a line each if the output is not a terminal.
	listedFiles = 20
	// barCells is the width of a bar.
	barCells = 24
)

// progress shows the files that a publish sends: on a terminal a bar for each, elsewhere a line for each that is complete.
type progress struct {
	screen *terminal.Terminal
	out    io.Writer

	mu    sync.Mutex
	files []client.FileProgress
	at    map[string]int // index in files by name
	begun time.Time
	drawn time.Time
}

// newProgress writes to out, which is the standard error, because the standard output has the result.
func newProgress(out io.Writer) *progress {
	screen := terminal.New(out)
	return &progress{screen: screen, out: out, at: map[string]int{}}
}

// begin shows the files to send.
func (p *progress) begin(files []client.FileProgress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files, p.begun = files, time.Now()
	for i, f := range files {
		p.at[f.Name] = i
	}
	if len(files) > 0 && !p.screen.Live() {
		fmt.Fprintf(p.out, "sending %s\n", sizeOf(files))
	}
	p.draw(true)
}

// sent shows the progress of a file.
func (p *progress) sent(f client.FileProgress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i, known := p.at[f.Name]
	if !known {
		return
	}
	wasComplete := p.files[i].Sent == f.Size
	p.files[i] = f
	if f.Sent == f.Size && !wasComplete && !p.screen.Live() && len(p.files) <= listedFiles {
		fmt.Fprintf(p.out, "sent %s, %s\n", terminal.Plain(f.Name), fileSize(f.Size))
	}
	p.draw(f.Sent == f.Size)
}

// draw redraws the bars, but not more often than redrawn.
func (p *progress) draw(now bool) {
	if !p.screen.Live() || len(p.files) == 0 || !now && time.Since(p.drawn) < redrawn {
		return
	}
	p.drawn = time.Now()
	p.screen.Panel(bars(p.files, time.Since(p.begun), p.screen.Width(), p.screen.Height()))
}

// end removes the bars.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files = nil
	clear(p.at) // a file that still ends is not shown
	p.screen.Panel(nil)
	p.screen.Close()
}

// bars returns a line for each file, and one for all. Files that do not fit the height of the screen share a line, the smallest first.
func bars(files []client.FileProgress, took time.Duration, width, height int) []string {
	shown := slices.Clone(files)
	const below = 2 // the line for all files, and the line of the cursor
	if room := max(height-below, 1); len(shown) > room {
		slices.SortStableFunc(shown, func(a, b client.FileProgress) int { return cmp.Compare(b.Size, a.Size) })
		rest := client.FileProgress{Name: count.Of(len(shown)-room+1, "smaller file")}
		for _, f := range shown[room-1:] {
			rest.Sent, rest.Size = rest.Sent+f.Sent, rest.Size+f.Size
		}
		shown = append(shown[:room-1], rest)
	}
	var all client.FileProgress
	lines := make([]string, 0, len(shown)+1)
	sizeCells := 0
	for _, f := range shown {
		sizeCells = max(sizeCells, len(fileSize(f.Size)))
	}
	for _, f := range shown {
		lines = append(lines, bar(f, width, sizeCells))
		all.Sent, all.Size = all.Sent+f.Sent, all.Size+f.Size
	}
	return append(lines, summary(all, took))
}

// bar returns the line of a file. sizeCells is the width of the longest size, so that bars end in the same column.
func bar(f client.FileProgress, width, sizeCells int) string {
	cells := min(barCells, max(width/4, 4))
	full := cells
	percent := int64(100)
	if f.Size > 0 {
		full, percent = int(int64(cells)*f.Sent/f.Size), 100*f.Sent/f.Size
	}
	figures := fmt.Sprintf(" %s%s %3d%%  %*s", terminal.Good.Render(strings.Repeat("█", full)),
		terminal.Faint.Render(strings.Repeat("░", cells-full)), percent, sizeCells, fileSize(f.Size))
	room := max(width-ansi.StringWidth(figures), 1)
	name := terminal.Plain(f.Name)
	if over := ansi.StringWidth(name) - room; over > 0 { // the end of a path tells files apart
		name = ansi.TruncateLeft(name, over+1, "…")
	}
	return name + strings.Repeat(" ", max(room-ansi.StringWidth(name), 0)) + figures
}

// fileSize returns the size of a file: in kB if it has less than 0.1 MB, because many files of an app are icons and fonts.
func fileSize(bytes int64) string {
	if bytes < 100_000 {
		return fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	}
	return megabytes(bytes)
}

// summary returns the line for all files: bytes, rate and remaining time.
func summary(all client.FileProgress, took time.Duration) string {
	line := fmt.Sprintf("%s of %s", megabytes(all.Sent), megabytes(all.Size))
	rate := float64(all.Sent) / took.Seconds()
	if took < time.Second/2 || rate <= 0 {
		return line
	}
	line += fmt.Sprintf(", %.1f MB/s", rate/1e6)
	if left := float64(all.Size-all.Sent) / rate; all.Sent < all.Size {
		line += ", " + time.Duration(left*float64(time.Second)).Round(time.Second).String() + " remaining"
	}
	return line
}

func sizeOf(files []client.FileProgress) string {
	var bytes int64
	for _, f := range files {
		bytes += f.Size
	}
	return count.Of(len(files), "file") + ", " + megabytes(bytes)
}
