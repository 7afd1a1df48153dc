package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// edit sets one value of a JSON document. The elements of path are names of members and indexes of arrays; "-" appends to an array.
type edit struct {
	path  []string
	value any
}

// applyEdits returns the document with the edits. It keeps everything else: the order of members, indentation and line ends.
func applyEdits(text []byte, edits []edit) ([]byte, error) {
	if !gjson.ValidBytes(text) {
		return nil, fmt.Errorf("the file is not JSON")
	}
	style := styleOf(text)
	for _, e := range edits {
		var err error
		if text, err = applyEdit(text, e, style); err != nil {
			return nil, err
		}
	}
	if !gjson.ValidBytes(text) {
		return nil, fmt.Errorf("the changed file would not be JSON")
	}
	return text, nil
}

// jsonStyle describes how a document is written.
type jsonStyle struct{ indent, newline string }

// styleOf returns the style of a document. Its indentation is the whitespace before the first member.
func styleOf(text []byte) jsonStyle {
	style := jsonStyle{"  ", "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		style.newline = "\r\n"
	}
	for line := range strings.Lines(string(text)) {
		if rest := strings.TrimLeft(line, " \t"); len(rest) < len(line) && strings.TrimSpace(rest) != "" {
			style.indent = line[:len(line)-len(rest)]
			break
		}
	}
	return style
}

// applyEdit walks down the path while it exists, then replaces the value there, or adds the rest of the path to the container.
func applyEdit(text []byte, e edit, style jsonStyle) ([]byte, error) {
	at := gjson.ParseBytes(text)
	at.Raw = strings.TrimRight(at.Raw, " \t\r\n") // of the whole document, gjson takes the space behind it along
	for depth, name := range e.path {
		next := child(at, name)
		if !next.Exists() {
			if !at.IsObject() && !at.IsArray() {
				return nil, fmt.Errorf("%s is not an object", strings.Join(e.path[:depth], "."))
			}
			value := e.value
			for i := len(e.path) - 1; i > depth; i-- {
				if e.path[i] == "-" {
					value = []any{value}
				} else {
					value = map[string]any{e.path[i]: value}
				}
			}
			return insert(text, at, name, value, style, depth+1)
		}
		at = next
	}
	raw, err := format(e.value, style, len(e.path))
	if err != nil {
		return nil, err
	}
	return splice(text, at.Index, at.Index+len(at.Raw), raw), nil
}

// child returns the member or element with the name. The last of several members with one name counts, as in JavaScript.
func child(at gjson.Result, name string) (found gjson.Result) {
	index, notNumber := strconv.Atoi(name)
	i := 0
	at.ForEach(func(key, value gjson.Result) bool {
		if at.IsObject() && key.Str == name || at.IsArray() && notNumber == nil && i == index {
			found = value
		}
		i++
		return true
	})
	return found
}

// insert adds a value behind the last one of a container. A container on one line stays on one line.
func insert(text []byte, at gjson.Result, name string, value any, style jsonStyle, depth int) ([]byte, error) {
	var last gjson.Result
	at.ForEach(func(_, value gjson.Result) bool { last = value; return true })
	onOneLine := last.Exists() && !strings.Contains(at.Raw, "\n")
	raw, err := format(value, style, depth)
	if onOneLine {
		raw, err = marshal(value)
	}
	if err != nil {
		return nil, err
	}
	if at.IsObject() {
		key, err := marshal(name)
		if err != nil {
			return nil, err
		}
		raw = append(append(key, ": "...), raw...)
	}
	space := style.newline + strings.Repeat(style.indent, depth)
	if onOneLine {
		space = " "
	}
	if last.Exists() {
		end := last.Index + len(last.Raw)
		return splice(text, end, end, append([]byte(","+space), raw...)), nil
	}
	// An empty container gets its end on a line of its own.
	raw = append([]byte(space), raw...)
	raw = append(raw, style.newline+strings.Repeat(style.indent, depth-1)...)
	return splice(text, at.Index+1, at.Index+len(at.Raw)-1, raw), nil
}

// format returns a value as it is written at a depth of the document.
func format(value any, style jsonStyle, depth int) ([]byte, error) {
	raw, err := marshal(value)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, strings.Repeat(style.indent, depth), style.indent); err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte(style.newline)), nil
}

// marshal returns JSON on one line, without escapes for HTML.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

func splice(text []byte, from, to int, with []byte) []byte {
	return append(append(append([]byte{}, text[:from]...), with...), text[to:]...)
}
