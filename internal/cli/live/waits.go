package live

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/models"
)

// reasonLines is the maximum number of lines for the reason of the state.
const reasonLines = 3

// waitLines returns what a rollout waits for and how long, and the reason of its state.
func waitLines(record client.RolloutExecution, now time.Time, width int) []string {
	e := record.Model()
	lines := []string{label("Waits", width) + waitText(record, now)}
	if !e.Status.Open() {
		lines = []string{label("Ended", width) + endText(e, now)}
	}
	if n := len(e.Timeline); e.Reason == "" || n > 0 && e.Timeline[n-1].Reason == e.Reason {
		return lines
	}
	indent := labelWidth
	if width < barsFrom {
		indent = 0
	}
	wrapped := wrap(e.Reason, width-indent)
	for _, line := range wrapped[:min(len(wrapped), reasonLines)] {
		lines = append(lines, strings.Repeat(" ", indent)+terminal.Faint.Render(line))
	}
	return lines
}

func endText(e models.RolloutExecution, now time.Time) string {
	text := terminal.Plain(command.Words(string(e.Status)))
	if e.EndedAt == nil {
		return text
	}
	return fmt.Sprintf("%s at %s, after %s", text, stamp(*e.EndedAt, now), duration(e.EndedAt.Sub(e.StartedAt)))
}

func waitText(record client.RolloutExecution, now time.Time) string {
	e := record.Model()
	in := duration(now.Sub(e.StageStartedAt))
	switch e.WaitingFor {
	case models.WaitDuration:
		return timedText(record.Wait, now)
	case models.WaitDevices:
		if e.StageIndex < len(e.Stages) && e.Health != nil {
			return fmt.Sprintf("for more devices: %d of %d; the stage has taken %s", e.Health.Devices, e.Stages[e.StageIndex].MinDevices, in)
		}
		return "for more devices; the stage has taken " + in
	case models.WaitThreshold:
		return "held, because a rate is above its limit" + heldText(e, now)
	case models.WaitData:
		return "held, because the counts of devices are unavailable" + heldText(e, now)
	case models.WaitNetworks:
		return "for reports from more networks; the stage has taken " + in
	case models.WaitResume:
		if e.PausedAt != nil {
			return "to be resumed; paused for " + duration(now.Sub(*e.PausedAt))
		}
		return "to be resumed"
	}
	return "for nothing; the stage has taken " + in
}

// timedText describes a wait for a time.
func timedText(w *client.TimedWait, now time.Time) string {
	if w == nil {
		return "until the stage's minimum time has passed"
	}
	what := map[client.TimedWaitKind]string{
		client.TimedWaitKindStart: "to begin", client.TimedWaitKindFreeze: "until the freeze window ends",
	}[w.Kind]
	if what == "" {
		what = "until the stage's minimum time has passed"
	}
	left := w.Until.Sub(now)
	if left <= 0 {
		return what + ", which is now"
	}
	return fmt.Sprintf("%s: %s left (%s)", what, duration(left), stamp(w.Until, now))
}

// heldText returns for how long a stage is held, or "" if the timeline does not tell it.
func heldText(e models.RolloutExecution, now time.Time) string {
	for _, event := range slices.Backward(e.Timeline) {
		if event.Event == models.EventHeld {
			return ", for " + duration(now.Sub(event.At))
		}
	}
	return ""
}

// sentences returns the latest sentences of the timeline that fit in a number of lines, oldest first.
func sentences(e models.RolloutExecution, width, room int) []string {
	var lines []string
	for _, event := range slices.Backward(e.Timeline) {
		told := sentence(event, width)
		if len(lines)+len(told) > room {
			if len(lines) == 0 && room > 0 {
				return told[:room] // the latest sentence counts most
			}
			break
		}
		lines = append(told, lines...)
	}
	return lines
}

// sentence returns the lines of one event.
func sentence(e models.RolloutEvent, width int) []string {
	at := e.At.UTC().Format("15:04:05")
	text := fmt.Sprintf("%s at %v%% by %s", command.Words(string(e.Event)), e.Percentage, e.Actor)
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	indent := len(at) + 2
	if width < barsFrom {
		text, indent = at+" "+text, 0
	}
	lines := wrap(text, width-indent)
	for i, line := range lines {
		switch {
		case indent == 0:
		case i == 0:
			lines[i] = terminal.Faint.Render(at) + "  " + line
		default:
			lines[i] = strings.Repeat(" ", indent) + line
		}
	}
	return lines
}

// wrap returns text from the server as lines of at most width characters.
func wrap(text string, width int) []string {
	return strings.Split(ansi.Wrap(terminal.Plain(text), max(1, width), ""), "\n")
}

// duration formats a duration with its two largest units.
func duration(d time.Duration) string {
	s := int64(max(0, d).Seconds())
	switch {
	case s >= 24*3600:
		return fmt.Sprintf("%dd %dh", s/(24*3600), s/3600%24)
	case s >= 3600:
		return fmt.Sprintf("%dh %dm", s/3600, s/60%60)
	case s >= 60:
		return fmt.Sprintf("%dm %ds", s/60, s%60)
	}
	return fmt.Sprintf("%ds", s)
}

func clock(t time.Time) string { return t.UTC().Format("15:04:05 UTC") }

// stamp returns the time of day, with the date unless it is today's.
func stamp(t, now time.Time) string {
	if t.UTC().Format(time.DateOnly) == now.UTC().Format(time.DateOnly) {
		return clock(t)
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}
