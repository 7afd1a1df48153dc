// Package symbols says where in an app's sources the frames of a stack are, by the source maps of its builds.
package symbols

import (
	"strings"
	"sync"

	"github.com/waft-ota/waft/internal/errorgroup"
	"github.com/waft-ota/waft/internal/sourcemap"
	"github.com/waft-ota/waft/internal/stack"
	"github.com/waft-ota/waft/models"
)

// contextLines is how many lines before and after that of a frame are answered.
const contextLines = 3

// mapped is a source map with the names of functions that were found in it.
type mapped struct {
	*sourcemap.Map
	bytes int64

	mu        sync.Mutex
	functions map[sourcemap.Place]string
}

// mostFunctions is how many names of functions are kept.
const mostFunctions = 50_000

func newMapped(m *sourcemap.Map) *mapped {
	return &mapped{Map: m, bytes: m.Bytes(), functions: map[sourcemap.Place]string{}}
}

// find looks a frame up; m may be nil.
func (m *mapped) find(f stack.Frame) (sourcemap.Place, bool) {
	if m == nil || f.Native || f.Line == 0 {
		return sourcemap.Place{}, false
	}
	return m.Find(f.Line, f.Column)
}

// function names the function around a place by the sources alone: by the function map, else by the source's text. It is ""
// where neither helps.
func (m *mapped) function(p sourcemap.Place) string {
	if p.Function != "" {
		return p.Function
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	name, known := m.functions[p]
	if !known {
		name = m.Enclosing(p)
		if len(m.functions) == mostFunctions {
			clear(m.functions)
		}
		m.functions[p] = name
	}
	return name
}

// shown are the frames of a stack for people.
func (m *mapped) shown(text string) []models.StackFrame {
	raw := stack.Parse(text, errorgroup.MostFrames)
	frames := make([]models.StackFrame, len(raw))
	for i, f := range raw {
		p, ok := m.find(f)
		if !ok {
			frames[i] = models.StackFrame{File: f.File, Line: f.Line, Function: f.Function, InApp: inApp(f)}
			if f.Line > 0 {
				frames[i].Column = f.Column + 1
			}
			continue
		}
		frames[i] = models.StackFrame{
			File: p.File, Line: p.Line, Column: p.Column + 1, Function: m.named(p, raw, i), InApp: !p.Library, Mapped: true,
		}
		frames[i].ContextLine, frames[i].Context = m.Lines(p, contextLines)
	}
	return frames
}

// named names the function of the nth frame. The engine's name is better than a guess if the source has it as a word; a
// minifier gives shorter ones. The last help is the identifier of the caller's call.
func (m *mapped) named(p sourcemap.Place, frames []stack.Frame, n int) string {
	engine := errorgroup.Named(frames[n].Function)
	if p.Function == "" && engine != "" && m.Mentions(p, engine) {
		return engine
	}
	if name := m.function(p); name != "" {
		return name
	}
	if n+1 < len(frames) {
		if caller, ok := m.find(frames[n+1]); ok {
			return caller.Name
		}
	}
	return ""
}

// identified are the frames of a stack as a fingerprint sees them: by the sources alone where there is a map, so that the
// names that engines and minifiers give do not matter.
func (m *mapped) identified(text string) []errorgroup.Frame {
	raw := stack.Parse(text, errorgroup.MostFrames)
	frames := make([]errorgroup.Frame, len(raw))
	for i, f := range raw {
		p, ok := m.find(f)
		switch {
		case !ok:
			frames[i] = errorgroup.Frame{File: f.File, Function: f.Function, Line: f.Line, InApp: inApp(f) && m == nil}
		case !p.Library:
			frames[i] = errorgroup.Frame{
				File: p.Path, Function: m.function(p), Text: m.Line(p), Line: p.Line, InApp: true, Mapped: true,
			}
		}
	}
	return frames
}

// inApp reports whether a frame without a source map may be of the app's own code.
func inApp(f stack.Frame) bool { return !f.Native && !strings.Contains(f.File, "node_modules/") }
