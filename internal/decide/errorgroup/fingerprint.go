package errorgroup

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"path"
	"strconv"
	"strings"

	"github.com/waft-ota/waft/models"
)

// MostFrames is the maximum number of frames of a stack that are read.
const MostFrames = 128

// maxInApp is the maximum number of frames of the app's own code that a fingerprint includes.
const maxInApp = 24

const (
	// Rule is the version of the fingerprint's definition. It is the first hex digit of each fingerprint, from 1 to
	// 14. A change in the data that Of hashes requires a new rule. See docs/adr/0039 for how groups survive it.
	Rule     = 1
	hashBits = 60
)

// Of returns the group of an error or crash. frames are the frames of its stack, innermost first, mapped by a source
// map if there is one.
//
// The fingerprint covers the type, the error name and the frames of the app's own code. A mapped frame counts with
// its file and the text of its line: minifiers, moved code and a missing function map do not change these. Without a
// source map a frame counts with the name of its function, because positions differ between bundles. An error without
// such frames counts with its Title.
func Of(e models.HealthEvent, frames []Frame) models.EventGroup {
	g := models.EventGroup{Title: Title(e.Message)}
	h := hasher{sum: make([]byte, 0, 1024)}
	h.add(string(e.Type), e.ErrorName)
	last, counted := "", 0
	for _, f := range frames {
		name, ok := f.identity()
		if !ok || name == last && counted > 0 { // recursion
			continue
		}
		h.add("frame", name)
		if counted == 0 {
			g.Culprit = f.culprit()
		}
		last = name
		if counted++; counted == maxInApp {
			break
		}
	}
	if counted == 0 {
		h.add("message", g.Title)
	}
	g.Fingerprint = h.fingerprint()
	return g
}

// Frame is the part of a stack frame that a fingerprint uses.
type Frame struct {
	// File and Function are from the app's sources for a mapped frame, otherwise as the engine reports them.
	File, Function string
	// Shown is the function's name for display. It is not part of the fingerprint.
	Shown string
	// Text is the source line of a mapped frame, or "" if it is unknown.
	Text string
	Line int
	// InApp reports whether the frame belongs to the app's own code. Mapped reports whether a source map gave its
	// position.
	InApp, Mapped bool
}

// identity returns the parts of the frame that stay the same in the next release. ok is false for a frame that does
// not count.
func (f Frame) identity() (name string, ok bool) {
	if !f.InApp {
		return "", false
	}
	if !f.Mapped {
		function := Named(f.Function)
		return "\x00" + bundleName(f.File) + "\x00" + function, function != ""
	}
	place := cmp.Or(strings.TrimSpace(f.Text), f.Function, strconv.Itoa(f.Line))
	return f.File + "\x00" + place, true
}

// culprit returns the place of the error for display.
func (f Frame) culprit() string {
	file := f.File
	if !f.Mapped {
		file = path.Base(withoutQuery(file))
	}
	text := file
	if f.Shown != "" {
		text = f.Shown + " (" + file + ")"
	}
	if len(text) > longestTitle {
		text = strings.ToValidUTF8(text[:longestTitle], "")
	}
	return text
}

// Named returns the last part of a function's name. It returns "" for an anonymous function, and for a name that a
// minifier created.
func Named(function string) string {
	const shortest = 3
	name := function[strings.LastIndexByte(function, '.')+1:]
	switch name {
	case "anonymous", "<anonymous>", "global", "<global>", "global code", "eval", "eval code", "module code":
		return ""
	}
	if len(name) < shortest || strings.HasPrefix(name, "?anon") {
		return ""
	}
	return name
}

// bundleName returns the file name of a frame without a source map. It is the same for all bundles, because their
// names differ between releases.
func bundleName(file string) string {
	file = withoutQuery(file)
	switch path.Ext(file) {
	case ".bundle", ".jsbundle", ".hbc", "":
		return "bundle"
	}
	return Title(path.Base(file))
}

func withoutQuery(file string) string {
	file, _, _ = strings.Cut(file, "?")
	return file
}

// hasher hashes strings with their lengths, so that different lists of strings never have the same bytes.
type hasher struct{ sum []byte }

func (h *hasher) add(texts ...string) {
	for _, text := range texts {
		h.sum = binary.AppendUvarint(h.sum, uint64(len(text)))
		h.sum = append(h.sum, text...)
	}
}

// fingerprint returns the rule and 60 bits of the hash. The result is never 0 and never the fingerprint of the group
// for other errors.
func (h *hasher) fingerprint() models.Fingerprint {
	sum := sha256.Sum256(h.sum)
	return Rule<<hashBits | models.Fingerprint(binary.BigEndian.Uint64(sum[:])>>(64-hashBits))
}
