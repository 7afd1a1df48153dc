// Package symbols finds the places of a stack's frames in an app's sources, with the source maps of the app's builds.
package symbols

import (
	"strings"

	"github.com/waft-ota/waft/internal/crash/sourcemap"
	"github.com/waft-ota/waft/internal/crash/stack"
	"github.com/waft-ota/waft/internal/decide/errorgroup"
	"github.com/waft-ota/waft/models"
)

// contextLines is the number of lines returned before and after the line of a frame.
const contextLines = 3

// mapped is a source map with its size in memory. A nil mapped stands for a bundle without a source map.
type mapped struct {
	*sourcemap.Map
	bytes int64
}

func newMapped(m *sourcemap.Map) *mapped { return &mapped{m, m.Bytes()} }

// trace is a stack with the source map of its bundle, or nil without one.
type trace struct {
	by     *mapped
	frames []stack.Frame
	// bundle is the file that the source map belongs to: the file of the innermost call that is not native. It has a
	// different name on every device.
	bundle string
}

func newTrace(by *mapped, text string) trace {
	t := trace{by: by, frames: stack.Parse(text, errorgroup.MostFrames)}
	for _, f := range t.frames {
		if !f.Native {
			t.bundle = f.File
			break
		}
	}
	return t
}

// find returns the source of the nth frame.
func (t trace) find(n int) (sourcemap.Place, bool) {
	if n >= len(t.frames) || t.by == nil || t.frames[n].Native || t.frames[n].File != t.bundle {
		return sourcemap.Place{}, false
	}
	return t.by.Find(t.frames[n].Line, t.frames[n].Column)
}

// shown returns the frames of a stack for people.
func (m *mapped) shown(text string) []models.StackFrame {
	t := newTrace(m, text)
	frames := make([]models.StackFrame, len(t.frames))
	for i, f := range t.frames {
		p, ok := t.find(i)
		if !ok {
			frames[i] = models.StackFrame{File: f.File, Line: f.Line, Function: f.Function, InApp: inApp(f)}
			if f.Line > 0 {
				frames[i].Column = f.Column + 1
			}
			continue
		}
		frames[i] = models.StackFrame{
			File: p.File, Line: p.Line, Column: p.Column + 1, Function: t.named(p, i), InApp: !p.Library, Mapped: true,
		}
		frames[i].ContextLine, frames[i].Context = m.Lines(p, contextLines)
	}
	return frames
}

// named returns the name of the nth frame's function for people. It uses the function map if possible. Otherwise it
// uses the engine's name if that occurs in the source as a word, which a minifier's names do not. Otherwise it uses the
// identifier at the caller's call.
func (t trace) named(p sourcemap.Place, n int) string {
	if p.Function != "" {
		return p.Function
	}
	if engine := errorgroup.Named(t.frames[n].Function); engine != "" && t.by.Mentions(p, engine) {
		return engine
	}
	caller, _ := t.find(n + 1) // if there is no caller, the function has no name
	return caller.Name
}

// identified returns the frames of a stack as a fingerprint uses them. If there is a source map, they depend on the
// sources alone, so that names given by engines and minifiers do not matter.
func (m *mapped) identified(text string) []errorgroup.Frame {
	t := newTrace(m, text)
	frames := make([]errorgroup.Frame, len(t.frames))
	for i, f := range t.frames {
		p, ok := t.find(i)
		switch {
		case !ok:
			frames[i] = errorgroup.Frame{File: f.File, Function: f.Function, Shown: f.Function, Line: f.Line, InApp: inApp(f) && m == nil}
		case !p.Library:
			frames[i] = errorgroup.Frame{
				File: p.Path, Function: p.Function, Shown: t.named(p, i), Text: m.Line(p), Line: p.Line, InApp: true, Mapped: true,
			}
		}
	}
	return frames
}

// inApp reports whether a frame without a source map may belong to the app's own code.
func inApp(f stack.Frame) bool { return !f.Native && !strings.Contains(f.File, "node_modules/") }
