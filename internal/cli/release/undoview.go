package release

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/models"
)

// undoScreen is a screen of the panel of a rollback.
type undoScreen int

const (
	chooses undoScreen = iota // the targets
	reviews                   // the preview of the rollback
	waits                     // a call is made
)

// undoState contains the facts that the panel shows.
type undoState struct {
	screen  undoScreen
	targets []client.StreamOverview
	cursor  int
	// both includes the other platform of the same publish.
	both bool
	// problem is the reason why the chosen target cannot be rolled back.
	problem string
	// stale is the reason why targets may be old, "" if they are not.
	stale    string
	waitsFor string

	undo    *undo
	preview *client.ChangePreview
	// isChanged means that preview differs from the preview that the person confirmed.
	isChanged bool
	// offset is the number of lines of the review above the screen.
	offset int
}

// undoView returns the lines of the panel.
func undoView(s undoState, now time.Time, width, height int) []string {
	var head, body, foot []string
	switch s.screen {
	case reviews:
		head = []string{terminal.Title.Render("Roll back " + terminal.Plain(targetText(s.undo.target)) + "?")}
		if s.isChanged {
			head = append(head, terminal.Warn.Render("Something changed in the meantime, so the rollback did not happen. Look again."))
		}
		body, foot = undoLines(s, width), keyLines(terminal.Title.Render("y")+" roll back   "+reviewKeys(s), width)
	case waits:
		body = []string{s.waitsFor}
	case chooses:
		head = []string{terminal.Title.Render("Releases that devices get now")}
		body = choices(s, now, width)
		foot = keyLines(terminal.Faint.Render("Choose with ↑ ↓ or a number. Enter shows a preview; q leaves."), width)
		if s.stale != "" {
			foot = append(warnLines("The list cannot be read now, so it may be old: "+s.stale, width), foot...)
		}
		if s.problem != "" {
			foot = append(warnLines(s.problem, width), foot...)
		}
	}
	room := max(1, height-len(head)-len(foot)-2)
	from := s.offset
	if s.screen == chooses {
		from = max(0, lastLineOf(s.cursor, width)+1-room) // the chosen target stays on the screen
	}
	if from > 0 && len(body) > room {
		from = min(from, len(body)-room)
		body = body[from:]
	} else if s.screen == reviews && len(body) > room {
		foot[len(foot)-1] += "   ↓ more"
	}
	lines := append(append(head, ""), body[:min(room, len(body))]...)
	if len(foot) > 0 {
		lines = append(append(lines, ""), foot...)
	}
	if len(lines) > height {
		lines = lines[len(lines)-height:] // the keys stay on the screen
	}
	for i, line := range lines {
		lines[i] = ansi.Truncate(terminal.Styled(line), width, "…")
	}
	return lines
}

// keyLines wraps the line of the keys.
func keyLines(keys string, width int) []string {
	return strings.Split(ansi.Wrap(keys, max(1, width), ""), "\n")
}

func warnLines(text string, width int) []string {
	lines := indented(terminal.Plain(text), width)
	for i, line := range lines {
		lines[i] = terminal.Warn.Render(line)
	}
	return lines
}

func reviewKeys(s undoState) string {
	other := "b both platforms"
	if s.both {
		other = "b only " + terminal.Plain(string(s.undo.target.Platform))
	}
	return terminal.Faint.Render("n leave   Esc back   " + other)
}

// undoLines returns what the rollback changes.
func undoLines(s undoState, width int) []string {
	if s.undo == nil || s.preview == nil {
		return nil
	}
	lines := []string{undoSentence(*s.undo), ""}
	lines = append(lines, command.PreviewLines(*s.preview)...)
	lines = append(lines, s.undo.notes...)
	var wrapped []string
	for _, line := range lines {
		wrapped = append(wrapped, indented(terminal.Plain(line), width)...)
	}
	return wrapped
}

// undoSentence returns what the rollback does with the release.
func undoSentence(u undo) string {
	name := models.ReleasePhrase(u.release.ID, u.release.ReleaseMessage)
	switch {
	case u.rollsOut():
		return fmt.Sprintf("The rollout of %s ends, and its devices get what they had before.", name)
	case u.goal == nil:
		return fmt.Sprintf("Devices return from %s to the embedded update.", name)
	}
	return fmt.Sprintf("Devices return from %s to %s.", name, models.ReleasePhrase(u.goal.ID, u.goal.ReleaseMessage))
}

// indented wraps a line. Further lines of an indented line have a deeper indent.
func indented(line string, width int) []string {
	indent := ""
	if strings.HasPrefix(line, "  ") {
		indent = "    "
	}
	lines := strings.Split(ansi.Wrap(line, max(1, width-len(indent)), ""), "\n")
	for i := range lines[1:] {
		lines[i+1] = indent + lines[i+1]
	}
	return lines
}

// tableFrom is the minimum width of a panel in which each target has one line. In a narrower panel it has two.
const tableFrom = 110

// lastLineOf returns the index of the last line of a target.
func lastLineOf(target, width int) int {
	if width < tableFrom {
		return 2*target + 1
	}
	return target + 1 // below the header
}

// choices returns the targets.
func choices(s undoState, now time.Time, width int) (lines []string) {
	rows := [][]string{{"    ", "CHANNEL", "DEVICES OF", "RELEASE", "SHARE", "FOR", "DEVICES", "CRASHES", "STATE"}}
	for i, t := range s.targets {
		mark := "  "
		if i == s.cursor {
			mark = "> "
		}
		number := "  "
		if i < 9 {
			number = fmt.Sprintf("%d ", i+1)
		}
		r, where := runningRelease(t), terminal.Plain(string(t.Platform)+" "+t.RuntimeVersion)
		channel, name := command.OneLine(terminal.Plain(t.Channel), 24), command.OneLine(terminal.Plain(r.name), 50)
		if width >= tableFrom {
			rows = append(rows, []string{
				mark + number, channel, where, fmt.Sprintf("#%d %s", r.id, name), r.share, ago(now, r.since), r.devices, r.crashed, stateText(t),
			})
			continue
		}
		first := mark + number + channel + " · " + where
		if i == s.cursor {
			first = terminal.Title.Render(first)
		}
		lines = append(lines, first+"  "+stateText(t), fmt.Sprintf("    #%d %s for %s · %s crashed · %s devices · %s",
			r.id, r.share, ago(now, r.since), r.crashed, r.devices, name))
	}
	if width < tableFrom {
		return lines
	}
	lines = terminal.Columns(rows)
	lines[0], lines[s.cursor+1] = terminal.Faint.Render(lines[0]), terminal.Title.Render(lines[s.cursor+1])
	return lines
}

// running is the newest release of a target.
type running struct {
	id          int64
	name, share string
	// since is the time since which devices get the release, zero if it is unknown.
	since time.Time
	// devices and crashed are the number of devices and their crash rate: of the release while it rolls out, otherwise of the target.
	devices, crashed string
}

// runningRelease returns the newest release of a target.
func runningRelease(t client.StreamOverview) running {
	id := newestOf(t)
	switch {
	case t.Rollout != nil && t.Rollout.UpdateID == id:
		devices, crashed := healthTexts(t.Rollout.Health)
		return running{id, t.Rollout.ReleaseMessage, fmt.Sprintf("at %v%%", t.Rollout.Percentage), t.Rollout.StartedAt, devices, crashed}
	case t.Release != nil && t.Release.ID == id:
		return running{id, command.ReleaseMessage(*t.Release), "at 100%", t.Release.CreatedAt, numberText(t.Devices), crashText(t)}
	}
	return running{id: id, share: "for some", devices: "?", crashed: "?"}
}

// healthTexts returns the number of devices that reported a release that rolls out, and their crash rate.
func healthTexts(h *client.Health) (devices, crashed string) {
	switch {
	case h == nil:
		return "?", "?"
	case h.Devices == 0:
		return "0", "?"
	}
	return strconv.FormatInt(h.Devices, 10), fmt.Sprintf("%.2f%%", h.CrashRate)
}

func numberText(n *int64) string {
	if n == nil {
		return "?"
	}
	return strconv.FormatInt(*n, 10)
}

func crashText(t client.StreamOverview) string {
	if t.CrashFreePercentage == nil {
		return "?"
	}
	return fmt.Sprintf("%.2f%%", 100-*t.CrashFreePercentage)
}

// stateText returns what a person must know about a target.
func stateText(t client.StreamOverview) string {
	switch {
	case t.Incidents > 0:
		return terminal.Bad.Render("incident")
	case isAboveLimit(t):
		return terminal.Bad.Render("a rate is above its limit")
	case t.IsPaused:
		return terminal.Warn.Render("channel paused")
	case t.Rollout != nil:
		return "rollout " + command.Words(terminal.Plain(string(t.Rollout.Status)))
	}
	return ""
}

// isAboveLimit reports whether the rollout of a target is held because a rate is above its limit.
func isAboveLimit(t client.StreamOverview) bool {
	return t.Rollout != nil && t.Rollout.Model().WaitingFor == models.WaitThreshold
}

// ago returns how long ago a time was, with one unit, and ? for an unknown time.
func ago(now, t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	d := max(0, now.Sub(t))
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%dd", int(d.Hours())/24)
	case d >= time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dm", int(d.Minutes()))
}
