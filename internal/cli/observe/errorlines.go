package observe

import (
	"fmt"
	"strings"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/base/count"
	"github.com/waft-ota/waft/internal/cli/command"
)

// shownFrames is the number of frames of a stack without --all.
const shownFrames = 12

// groupLines describes an error group: what and where, then its stack, breadcrumbs, releases, platforms and flags.
func groupLines(g client.ErrorGroupDetail, all bool) []string {
	lines := []string{
		fmt.Sprintf("%s %s, %s, %s", g.Type, g.Fingerprint, g.State, g.Status),
		command.OneLine(errorText(g.ErrorName, g.Message), 300),
		fmt.Sprintf("%s, %s, first %s, last %s", count.Of(g.Devices, "device"), count.Of(g.Events, "event"),
			g.FirstSeenAt.UTC().Format(command.Stamp), g.LastSeenAt.UTC().Format(command.Stamp)),
	}
	if g.AssigneeName != nil {
		lines = append(lines, "assigned to "+*g.AssigneeName)
	}
	if g.Note != "" {
		lines = append(lines, "note: "+command.OneLine(g.Note, 300))
	}
	lines = append(lines, stackLines(g.Frames, all)...)
	if len(g.Samples) > 0 {
		lines = append(lines, sampleLines(g.Samples[0])...)
	}
	lines = append(lines, "releases:")
	for _, u := range g.ByUpdate {
		lines = append(lines, fmt.Sprintf("  %s: %s, %s", command.RunningText(u.UpdateUUID, u.Release),
			count.Of(u.Devices, "device"), count.Of(u.Events, "event")))
	}
	for _, p := range g.ByPlatform {
		lines = append(lines, fmt.Sprintf("platform %s: %s, %s", p.Platform, count.Of(p.Devices, "device"), count.Of(p.Events, "event")))
	}
	for _, f := range g.ByFlag {
		lines = append(lines, fmt.Sprintf("flag %s = %s: %s, %s", f.FlagKey, command.OneLine(f.Variation, 40),
			count.Of(f.Devices, "device"), count.Of(f.Events, "event")))
	}
	return lines
}

// stackLines returns the frames of a stack, innermost first, and the source around the first frame of the app.
func stackLines(frames []client.StackFrame, all bool) []string {
	if len(frames) == 0 {
		return []string{"no stack"}
	}
	shown := frames
	if !all && len(shown) > shownFrames {
		shown = shown[:shownFrames]
	}
	lines := []string{"stack:"}
	source := false
	for _, f := range shown {
		lines = append(lines, frameLine(f))
		if f.InApp && !source && len(f.Context) > 0 {
			source = true
			lines = append(lines, sourceLines(f)...)
		}
	}
	if rest := len(frames) - len(shown); rest > 0 {
		lines = append(lines, fmt.Sprintf("  … and %s; --all shows them", count.Of(int64(rest), "frame")))
	}
	return lines
}

// frameLine returns a frame as function, file, line and column. A frame of the app's own code is marked.
func frameLine(f client.StackFrame) string {
	mark := " "
	if f.InApp {
		mark = ">"
	}
	function := f.Function
	if function == "" {
		function = "(anonymous)"
	}
	place := f.File
	if f.Line > 0 {
		place += fmt.Sprintf(":%d", f.Line)
		if f.Column > 0 {
			place += fmt.Sprintf(":%d", f.Column)
		}
	}
	return fmt.Sprintf("  %s %s  %s", mark, function, place)
}

func sourceLines(f client.StackFrame) []string {
	var lines []string
	for i, text := range f.Context {
		n := f.ContextLine + int64(i)
		mark := " "
		if n == f.Line {
			mark = "→"
		}
		lines = append(lines, fmt.Sprintf("      %s %4d  %s", mark, n, strings.ReplaceAll(text, "\t", "  ")))
	}
	return lines
}

// sampleLines returns the device and the breadcrumbs of an event.
func sampleLines(e client.EventDetail) []string {
	lines := []string{fmt.Sprintf("newest event %s on device %s, %s %s, channel %s",
		e.ReceivedAt.UTC().Format(command.Stamp), e.DeviceID, e.Platform, e.RuntimeVersion, e.Channel)}
	if len(e.Breadcrumbs) > 0 {
		lines = append(lines, "breadcrumbs, oldest first:")
	}
	for _, b := range e.Breadcrumbs {
		lines = append(lines, "  "+command.BreadcrumbLine(b))
	}
	return lines
}
