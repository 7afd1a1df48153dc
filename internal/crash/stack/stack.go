// Package stack reads the stack traces that JavaScript engines write: Hermes, V8 and JavaScriptCore. It has no I/O.
package stack

import (
	"strconv"
	"strings"
)

// Frame is one call of a stack. The innermost call comes first.
type Frame struct {
	// Function is the engine's name of the function, without "async", "new" and an alias. It is "" if the engine does
	// not name it.
	Function string
	// File is a path or a URL. It is "" if the code does not have one.
	File string
	// Line begins at 1 and Column at 0, whatever the engine does. Both are 0 in Native code. In Hermes bytecode, Column
	// is the address, which equals the column in the source map.
	Line, Column int
	// Native says that the code is part of the engine itself.
	Native bool
}

const (
	// longestLine is longer than any line that an engine writes for a frame.
	longestLine = 4096
	// internalBytecode is the file of functions that are part of Hermes itself.
	internalBytecode = "InternalBytecode.js"
	// nativeCode is the place of a call in JavaScriptCore itself.
	nativeCode = "[native code]"
)

// Parse returns the first frames of a stack, at most the given number. It skips lines that are not frames, such as the
// message. The frames refer to text.
func Parse(text string, most int) []Frame {
	var frames []Frame
	for line := range strings.Lines(text) {
		if len(frames) == most {
			break
		}
		line = strings.TrimSpace(line)
		if line == "" || len(line) > longestLine {
			continue
		}
		if f, ok := parseLine(line); ok {
			frames = append(frames, f)
		}
	}
	return frames
}

func parseLine(line string) (Frame, bool) {
	if at, ok := strings.CutPrefix(line, "at "); ok {
		return parseAt(strings.TrimSpace(at))
	}
	return parseJSC(line)
}

// parseAt parses a line of Hermes or V8: "name (place)", "place" or, for a component without a place, "name".
func parseAt(text string) (Frame, bool) {
	name, place, found := strings.Cut(text, " (")
	if !found {
		return located(text)
	}
	place = strings.TrimSuffix(place, ")")
	f, ok := located(place)
	f.Function = functionName(name)
	return f, ok
}

// parseJSC parses a line of JavaScriptCore: "name@place" or "place".
func parseJSC(line string) (Frame, bool) {
	name, place, named := strings.Cut(line, "@")
	if strings.Contains(name, "/") { // the @ is in the path
		named = false
	}
	if !named {
		name, place = "", line
		if strings.ContainsAny(line, " \t") && line != nativeCode { // a message, such as "Error: a:1:2"
			return Frame{}, false
		}
	}
	f, ok := located(place)
	f.Function = functionName(name)
	return f, ok
}

// located parses the place of a call.
func located(place string) (Frame, bool) {
	switch place {
	case "native", nativeCode:
		return Frame{Native: true}, true
	case "", "<anonymous>":
		return Frame{}, false
	}
	if _, inner, isEval := strings.Cut(place, "eval at "); isEval {
		place = inner[strings.LastIndexByte(inner, ',')+1:]
		place = strings.TrimSpace(place)
	}
	address, isAddress := strings.CutPrefix(place, "address at ")
	file, line, column, ok := splitPlace(address)
	if !ok {
		return Frame{}, false
	}
	if file == internalBytecode {
		return Frame{Native: true}, true
	}
	if !isAddress {
		column = max(column-1, 0)
	}
	return Frame{File: file, Line: line, Column: column, Native: strings.HasPrefix(file, "node:")}, true
}

// splitPlace splits "file:line:column". Numbers may have at most nine digits.
func splitPlace(place string) (file string, line, column int, ok bool) {
	file, column, ok = cutNumber(place)
	if ok {
		file, line, ok = cutNumber(file)
	}
	return file, line, column, ok && file != "" && line > 0
}

func cutNumber(text string) (before string, n int, ok bool) {
	const maxDigits = 9
	colon := strings.LastIndexByte(text, ':')
	digits := text[colon+1:]
	if colon < 0 || digits == "" || len(digits) > maxDigits || digits[0] < '0' || digits[0] > '9' {
		return "", 0, false
	}
	n, err := strconv.Atoi(digits)
	return text[:colon], n, err == nil
}

// functionName removes what V8 adds to a name: "async ", "new ", " [as alias]".
func functionName(name string) string {
	name, _, _ = strings.Cut(name, " [as ")
	name = strings.TrimPrefix(name, "async ")
	name = strings.TrimPrefix(name, "new ")
	return strings.TrimSpace(name)
}
