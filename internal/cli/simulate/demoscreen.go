package simulate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/lab/demo"
	"github.com/waft-ota/waft/models"
)

// plainEvery is the interval at which the state is printed if there is no panel.
const plainEvery = 2 * time.Second

// demoScreen shows the demo on a terminal.
type demoScreen struct {
	term *terminal.Terminal
	act  string
	// wrote is the elapsed time at which the state was last printed as a line.
	wrote time.Duration
}

// Act writes a heading.
func (s *demoScreen) Act(number, count int, title string) {
	s.act = fmt.Sprintf("act %d of %d: %s", number, count, title)
	if s.term.Live() {
		s.term.Print("")
	}
	s.term.Print(terminal.Title.Render(fmt.Sprintf("%d. %s", number, strings.ToUpper(title[:1])+title[1:])))
}

// Say writes a line.
func (s *demoScreen) Say(tone demo.Tone, text string) {
	style := map[demo.Tone]lipgloss.Style{
		demo.Plain: lipgloss.NewStyle(), demo.Good: terminal.Good, demo.Bad: terminal.Bad, demo.Quiet: terminal.Faint,
	}[tone]
	s.term.Print("  " + style.Render(terminal.Plain(text)))
}

// Show draws the panel, or prints a line every plainEvery.
func (s *demoScreen) Show(scene demo.Scene) {
	if s.term.Live() {
		s.term.Panel(s.panel(scene))
		return
	}
	if scene.Elapsed-s.wrote < plainEvery {
		return
	}
	s.wrote = scene.Elapsed
	for _, r := range openRollouts(scene) {
		s.term.Print(terminal.Plain(fmt.Sprintf("  %s %s: %s", r.Label, r.Execution.Platform, command.RolloutText(r.Execution))))
	}
	s.term.Print("  " + heldText(scene) + "; " + fleetText(scene))
}

// openRollouts returns the rollouts that have not ended.
func openRollouts(scene demo.Scene) []demo.RolloutView {
	return slices.DeleteFunc(slices.Clone(scene.Rollouts), func(r demo.RolloutView) bool {
		return !r.Execution.Status.Open()
	})
}

func (s *demoScreen) panel(scene demo.Scene) []string {
	width := s.term.Width()
	elapsed := fmt.Sprintf("%02d:%02d", int(scene.Elapsed.Minutes()), int(scene.Elapsed.Seconds())%60)
	head := "Waft demo · " + s.act
	lines := []string{
		"",
		terminal.Title.Render(head) + strings.Repeat(" ", max(1, width-lipgloss.Width(head)-len(elapsed))) + elapsed,
		terminal.Faint.Render(strings.Repeat("─", max(0, width))),
	}
	rows := [][]string{styled(terminal.Faint, "release", "platform", "status", "stage", "percentage", "devices", "crash rate", "evidence", "waiting for")}
	for _, r := range scene.Rollouts {
		rows = append(rows, rolloutRow(r))
	}
	if len(scene.Rollouts) > 0 {
		lines = append(append(lines, terminal.Columns(rows)...), "")
	}
	var slices []terminal.Slice
	for _, h := range scene.Held {
		slices = append(slices, terminal.Slice{Count: h.Devices, Style: labelStyle(h.Label)})
	}
	return append(lines, terminal.Bar(slices, max(0, width)), heldText(scene), terminal.Faint.Render(fleetText(scene)))
}

func rolloutRow(r demo.RolloutView) []string {
	e := r.Execution
	row := []string{
		labelStyle(r.Label).Render(r.Label), terminal.Plain(string(e.Platform)), statusStyle(e.Status).Render(terminal.Plain(string(e.Status))),
		command.StageText(e), fmt.Sprintf("%v%%", e.Percentage),
	}
	if e.Health == nil {
		return append(row, "", "", "", terminal.Plain(string(e.WaitingFor)))
	}
	rate := fmt.Sprintf("%.2f%% (%d)", e.Health.CrashRate, e.Health.CrashedDevices)
	if limit := e.Thresholds.CrashRate; limit != nil && e.Health.CrashRate > *limit {
		rate = terminal.Bad.Render(rate)
	}
	return append(row, strconv.FormatInt(e.Health.Devices, 10), rate, command.EvidenceText(e.Health.Evidence), terminal.Plain(string(e.WaitingFor)))
}

func heldText(scene demo.Scene) string {
	var parts []string
	for _, h := range scene.Held {
		parts = append(parts, fmt.Sprintf("%s %d", labelStyle(h.Label).Render(h.Label), h.Devices))
	}
	return "devices run " + strings.Join(parts, ", ")
}

func fleetText(scene demo.Scene) string {
	f := scene.Fleet
	return fmt.Sprintf("%s, %.0f/s, manifests p50 %s p99 %s, %s reported, %s",
		count.Of(f.Launches, "launch"), scene.PerSecond, millis(f.Manifest.P50), millis(f.Manifest.P99), count.Of(f.Crashes, "crash"),
		count.Of(f.FailureCount(), "failed request"))
}

func millis(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

func labelStyle(label string) lipgloss.Style {
	switch label {
	case demo.Stable:
		return terminal.Cool
	case demo.Next:
		return terminal.Good
	case demo.Broken:
		return terminal.Bad
	default:
		return terminal.Faint
	}
}

func statusStyle(s models.ExecutionStatus) lipgloss.Style {
	switch s {
	case models.ExecutionRunning:
		return terminal.Warn
	case models.ExecutionCompleted:
		return terminal.Good
	case models.ExecutionRolledBack:
		return terminal.Bad
	case models.ExecutionPaused, models.ExecutionCancelled:
	}
	return terminal.Faint
}

func styled(s lipgloss.Style, cells ...string) []string {
	for i, cell := range cells {
		cells[i] = s.Render(cell)
	}
	return cells
}
