package ci

import (
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
	"github.com/waft-ota/waft/models"
)

// report has the facts of a comment.
type report struct {
	project, channel string
	published        client.Republished
	// rollouts by their ID, as they were last read.
	rollouts map[int64]client.RolloutExecution
	page     func(string) string
}

// marker returns the line by which a later run finds the comment.
func (r report) marker() string {
	return fmt.Sprintf("<!-- waft %s %s -->", plainName(r.project), plainName(r.channel))
}

// plainName removes what could end the marker.
func plainName(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '<' || c == '>' || c == '\n' {
			return -1
		}
		return c
	}, name)
}

// text returns the comment in Markdown.
func (r report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.marker())
	if len(r.published.Updates) == 0 {
		fmt.Fprintf(&b, "**Waft**: the publish to %s (project %s) [waits for approval](%s).\n",
			code(r.channel), code(r.project), r.page("approvals"))
		return b.String()
	}
	fmt.Fprintf(&b, "**Waft**: published to %s (project %s)", code(r.channel), code(r.project))
	if message := r.published.Updates[0].ReleaseMessage; message != "" {
		fmt.Fprintf(&b, ": %s", code(message))
	}
	b.WriteString("\n\n| Platform | Release | Runtime version | Build | State |\n|---|---|---|---|---|\n")
	for _, u := range r.published.Updates {
		fmt.Fprintf(&b, "| %s | [release %d](%s) | %s | %s, %d files, %.1f MB | %s |\n", u.Platform, u.ID,
			r.page(fmt.Sprintf("releases/%d", u.ID)), code(u.RuntimeVersion), "build "+command.OrDash(u.BuildID), u.AssetCount,
			float64(u.SizeBytes)/1e6, r.state(u))
	}
	return b.String()
}

// state describes how far a release is.
func (r report) state(u client.Update) string {
	if u.RolloutExecutionID == nil {
		return fmt.Sprintf("for %v%% of devices", u.RolloutPercentage)
	}
	link := func(text string) string {
		return fmt.Sprintf("[%s](%s)", text, r.page(fmt.Sprintf("rollouts/%d", *u.RolloutExecutionID)))
	}
	e, read := r.rollouts[*u.RolloutExecutionID]
	if !read {
		return link(fmt.Sprintf("rollout %d", *u.RolloutExecutionID))
	}
	of := e.Model()
	text := fmt.Sprintf("%s at %v%%", command.Words(string(of.Status)), of.Percentage)
	if of.Status == models.ExecutionRunning || of.Status == models.ExecutionPaused {
		text = fmt.Sprintf("%s, stage %d of %d, %v%%", command.Words(string(of.Status)), of.StageIndex+1, len(of.Stages), of.Percentage)
	}
	text = link(text)
	if of.Reason != "" && rolledBack(of) {
		text += ": " + code(of.Reason)
	}
	return text
}

func rolledBack(e models.RolloutExecution) bool {
	return e.Status == models.ExecutionRolledBack || e.Status == models.ExecutionCancelled
}

// code returns text as inline code, in which names of people and Markdown have no effect.
func code(text string) string {
	text = strings.NewReplacer("`", "'", "|", "/").Replace(terminal.Plain(text))
	if text == "" {
		return "-"
	}
	return "`" + text + "`"
}
