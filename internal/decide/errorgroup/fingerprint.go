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

// MostFrames is how many frames of a stack are read.
const MostFrames = 128

// mostInApp is how many frames of the app's own code tell groups apart.
const mostInApp = 24

const (
	// Rule is the version of what a fingerprint is made of. It is the first hex digit of each fingerprint, from 1 to 14. A change of what
	// Of hashes is another rule; docs/adr/0039 says how groups outlive it.
	Rule     = 1
	hashBits = 60
)

// Of is the group of an error or crash. frames are those of its stack, the innermost first, by source map where there is one.
//
// The fingerprint is of the type, the error name and the frames of the app's own code. A mapped frame counts with its file and
// the text of its line: a minifier, code that moves and a missing function map do not change that. Without a source map a frame
// counts with the name of its function, because positions differ from bundle to bundle. An error without such frames counts
// with its Title.
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
		if counted++; counted == mostInApp {
			break
		}
	}
	if counted == 0 {
		h.add("message", g.Title)
	}
	g.Fingerprint = h.fingerprint()
	return g
}

// Frame is a frame as a fingerprint sees it.
type Frame struct {
	// File and Function are of the app's sources for a mapped frame, else what the engine says.
	File, Function string
	// Shown names the function for people, and does not count.
	Shown string
	// Text is the line of a mapped frame, "" when it is not known.
	Text string
	Line int
	// InApp says that the frame is of the app's own code, Mapped that a source map says where it comes from.
	InApp, Mapped bool
}

// identity is what of the frame is the same in the next release; ok is false for a frame that does not count.
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

// culprit is where the error occurred, for people.
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

// Named is the last part of a function's name, "" for one without a name or with one that a minifier gave.
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

// bundleName is the file of a frame without a source map: one word for all bundles, whose names differ from release to release.
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

// hasher hashes texts, each with its length, so that no two lists of texts are the same bytes.
type hasher struct{ sum []byte }

func (h *hasher) add(texts ...string) {
	for _, text := range texts {
		h.sum = binary.AppendUvarint(h.sum, uint64(len(text)))
		h.sum = append(h.sum, text...)
	}
}

// fingerprint returns the rule and 60 bits of the hash. It is neither 0 nor that of the other errors.
func (h *hasher) fingerprint() models.Fingerprint {
	sum := sha256.Sum256(h.sum)
	return Rule<<hashBits | models.Fingerprint(binary.BigEndian.Uint64(sum[:])>>(64-hashBits))
}
