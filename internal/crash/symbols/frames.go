// Package symbols says where in an app's sources the frames of a stack are, by the source maps of its builds.
package symbols

import (
	"strings"

	"github.com/waft-ota/waft/internal/crash/sourcemap"
	"github.com/waft-ota/waft/internal/crash/stack"
	"github.com/waft-ota/waft/internal/decide/errorgroup"
	"github.com/waft-ota/waft/models"
)

// contextLines is how many lines before and after that of a frame are answered.
const contextLines = 3

// mapped is a source map with its size in memory. A nil one is of no bundle.
type mapped struct {
	*sourcemap.Map
	bytes int64
}

func newMapped(m *sourcemap.Map) *mapped { return &mapped{m, m.Bytes()} }

// trace is a stack with the source map of its bundle, nil for none.
type trace struct {
	by     *mapped
	frames []stack.Frame
	// bundle is the file that the source map is of: that of the innermost call that has one. It has another name on every
	// device.
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

// find looks the nth frame up.
func (t trace) find(n int) (sourcemap.Place, bool) {
	if n >= len(t.frames) || t.by == nil || t.frames[n].Native || t.frames[n].File != t.bundle {
		return sourcemap.Place{}, false
	}
	return t.by.Find(t.frames[n].Line, t.frames[n].Column)
}

// shown are the frames of a stack for people.
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

// named names the function of the nth frame for people: by the function map, else as the engine does if the source has that as
// a word, which a minifier's names are not, else by the identifier of the caller's call.
func (t trace) named(p sourcemap.Place, n int) string {
	if p.Function != "" {
		return p.Function
	}
	if engine := errorgroup.Named(t.frames[n].Function); engine != "" && t.by.Mentions(p, engine) {
		return engine
	}
	caller, _ := t.find(n + 1) // without one it has no name
	return caller.Name
}

// identified are the frames of a stack as a fingerprint sees them: by the sources alone where there is a map, so that the
// names that engines and minifiers give do not matter.
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

// inApp reports whether a frame without a source map may be of the app's own code.
func inApp(f stack.Frame) bool { return !f.Native && !strings.Contains(f.File, "node_modules/") }
