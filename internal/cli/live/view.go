// Package live shows a rollout on a terminal as a panel that changes with the rollout.
package live

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/internal/decide/rollout"
	"github.com/waft-ota/waft/models"
)

// State contains the facts that the panel shows.
type State struct {
	Rollout client.RolloutExecution
	// ReceivedAt is the time at which Rollout was received.
	ReceivedAt time.Time
	// LostAt is the time at which the connection broke, zero while it works.
	LostAt time.Time
	// Link is the URL of the rollout's page, "" if it is unknown.
	Link string
	// Left means that the panel does not change anymore.
	Left bool
}

const (
	// shortBreak is the time in which a broken connection is not worth a line: the server ends each stream from time to time.
	shortBreak = 2 * time.Second
	// barsFrom is the minimum width of a panel with bars.
	barsFrom = 60
	// maxWidth keeps the lines of a wide terminal readable.
	maxWidth = 120
	// lastSentences is the number of lines for the timeline that remain after the end.
	lastSentences = 12
)

// row is a line of the panel. Rows with the highest rank are left out first if the screen has too few rows.
type row struct {
	text string
	rank int
}

// View returns the lines of the panel for a screen of the given size. A height of 0 stands for a screen without an end.
func View(s State, now time.Time, width, height int) []string {
	width = max(1, min(width, maxWidth))
	rows := wrapped(s.rows(now, width), width)
	room := lastSentences
	if height > 0 {
		room = height - len(rows) - 2 // the heading and the line above it
	}
	if told := sentences(s.Rollout.Model(), width, room); len(told) > 0 {
		rows = append(rows, row{"", 3}, row{terminal.Title.Render("Timeline"), 3})
		for _, line := range told {
			rows = append(rows, row{line, 3})
		}
	}
	if height > 0 {
		rows = fitting(rows, height)
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		lines[i] = ansi.Truncate(terminal.Styled(r.text), width, "…")
	}
	return lines
}

// wrapped breaks the rows of a narrow panel, which does not have room for whole rows.
func wrapped(rows []row, width int) (broken []row) {
	if width >= barsFrom {
		return rows
	}
	for _, r := range rows {
		for _, line := range strings.Split(ansi.Wrap(terminal.Styled(r.text), width, ""), "\n") {
			broken = append(broken, row{line, r.rank})
		}
	}
	return broken
}

// fitting returns at most height rows, without the rows of the highest ranks.
func fitting(rows []row, height int) []row {
	for rank := 9; rank > 0 && len(rows) > height; rank-- {
		for i := len(rows) - 1; i >= 0 && len(rows) > height; i-- {
			if rows[i].rank == rank {
				rows = append(rows[:i], rows[i+1:]...)
			}
		}
	}
	return rows[:min(len(rows), height)]
}

// rows returns the rows above the timeline.
func (s State) rows(now time.Time, width int) []row {
	e := s.Rollout.Model()
	where := fmt.Sprintf("%s · %s %s", command.OrDash(e.Channel), e.Platform, e.RuntimeVersion)
	name := models.ReleasePhrase(e.UpdateID, s.Rollout.ReleaseMessage)
	rows := []row{
		{sides(terminal.Title.Render(fmt.Sprintf("Rollout %d ", e.ID))+statusText(e.Status), terminal.Plain(where), width), 0},
		{sides(terminal.Plain(name), "policy "+terminal.Plain(e.PolicyName), width), 2},
	}
	if line := s.connection(now); line != "" {
		rows = append(rows, row{terminal.Warn.Render(line), 0})
	}
	rows = append(rows, row{terminal.Faint.Render(strings.Repeat("─", width)), 6},
		row{label("Stages", width) + stagesText(e), 1}, row{label("Share", width) + shareText(e, width), 1})
	rows = append(rows, healthRows(e, s.Rollout.Health, width)...)
	for i, line := range waitLines(s.Rollout, now, width) {
		rows = append(rows, row{line, min(1+2*i, 3)}) // the reason is less important than the rates
	}
	switch {
	case s.Left && s.Link != "":
		rows = append(rows, row{label("Page", width) + terminal.Plain(s.Link), 4})
	case !s.Left:
		rows = append(rows, row{terminal.Faint.Render("Press q to leave. The rollout continues without you."), 5})
	}
	return rows
}

// connection returns the line about a broken connection, or "".
func (s State) connection(now time.Time) string {
	if s.LostAt.IsZero() || s.Left || now.Sub(s.LostAt) < shortBreak {
		return ""
	}
	return fmt.Sprintf("Connection lost %s ago (%s). Reconnecting; state of %s.",
		duration(now.Sub(s.LostAt)), clock(s.LostAt), s.ReceivedAt.UTC().Format(time.TimeOnly))
}

// sides returns a line with one text at its left and another at its right edge. Without room for both, the left text remains.
func sides(left, right string, width int) string {
	space := width - lipgloss.Width(left) - lipgloss.Width(right)
	if space < 2 {
		return left + "  " + terminal.Faint.Render(right)
	}
	return left + strings.Repeat(" ", space) + terminal.Faint.Render(right)
}

// labelWidth is the width of the first column.
const labelWidth = 10

// label returns the first column of a row. A narrow panel has less space after it.
func label(text string, width int) string {
	if width < barsFrom {
		return terminal.Faint.Render(text) + " "
	}
	return terminal.Faint.Render(text) + strings.Repeat(" ", max(1, labelWidth-lipgloss.Width(text)))
}

func statusText(s models.ExecutionStatus) string {
	text := terminal.Plain(command.Words(string(s)))
	switch s {
	case models.ExecutionRunning:
		return terminal.Cool.Render(text)
	case models.ExecutionCompleted:
		return terminal.Good.Render(text)
	case models.ExecutionRolledBack:
		return terminal.Bad.Render(text)
	case models.ExecutionPaused, models.ExecutionCancelled:
	}
	return terminal.Warn.Render(text)
}

// stagesText returns the stages, with the present stage in brackets and a check mark before each stage that ended.
func stagesText(e models.RolloutExecution) string {
	parts := make([]string, len(e.Stages))
	for i, stage := range e.Stages {
		share := fmt.Sprintf("%v%%", stage.Percentage)
		switch {
		case i < e.StageIndex || e.Status == models.ExecutionCompleted:
			parts[i] = terminal.Good.Render("✓ " + share)
		case i == e.StageIndex:
			parts[i] = terminal.Title.Render("[" + share + "]")
		default:
			parts[i] = terminal.Faint.Render(share)
		}
	}
	return strings.Join(parts, "  ")
}

func shareText(e models.RolloutExecution, width int) string {
	text := fmt.Sprintf("%v%% of devices", e.Percentage)
	if e.StageIndex < len(e.Stages) && e.Status.Open() {
		text += " in " + rollout.StageName(e.Stages, e.StageIndex)
	}
	return bar(e.Percentage/100, terminal.Cool, width) + text
}

// bar returns a bar that is filled to the given part, with a space after it. A narrow panel does not have bars.
func bar(part float64, style lipgloss.Style, width int) string {
	if width < barsFrom {
		return ""
	}
	cells := 20
	filled := int(max(0, min(1, part))*float64(cells) + 0.5)
	if part > 0 {
		filled = max(1, filled)
	}
	return style.Render(strings.Repeat("█", filled)) + terminal.Faint.Render(strings.Repeat("░", cells-filled)) + " "
}
