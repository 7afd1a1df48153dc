package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/waft-ota/waft/internal/cli/terminal"
)

const (
	// maxResult is the maximum size of a result as JSON, in bytes. It keeps a result within what a model reads.
	maxResult = 40_000
	// maxText is the maximum number of characters of a string in a result.
	maxText = 2_000
)

// bounded returns a JSON value that a model can read: strings without characters that are not visible, cut to maxText, and
// as many elements of its lists as maxResult allows. cut reports whether something is missing.
func bounded(body []byte) (value any, cut bool, err error) {
	if err := json.Unmarshal(body, &value); err != nil {
		return nil, false, errors.New("the response of the server is not JSON")
	}
	value = shortened(value, &cut)
	for most := 100; size(value) > maxResult; most /= 2 {
		if most == 0 {
			return nil, false, errors.New("the result is too large: name a record, or use narrower arguments")
		}
		value, cut = thinned(value, most), true
	}
	return value, cut, nil
}

func size(value any) int {
	text, _ := json.Marshal(value) // it came from JSON
	return len(text)
}

// shortened returns the value with plain strings of at most maxText characters.
func shortened(value any, cut *bool) any {
	switch v := value.(type) {
	case string:
		v = plain(v)
		if letters := []rune(v); len(letters) > maxText {
			*cut = true
			return fmt.Sprintf("%s… (%d more characters)", string(letters[:maxText]), len(letters)-maxText)
		}
		return v
	case []any:
		for i := range v {
			v[i] = shortened(v[i], cut)
		}
	case map[string]any:
		clean := make(map[string]any, len(v))
		for name, field := range v {
			clean[plain(name)] = shortened(field, cut)
		}
		return clean
	}
	return value
}

// thinned returns the value with at most most elements in each list.
func thinned(value any, most int) any {
	switch v := value.(type) {
	case []any:
		v = v[:min(len(v), most)]
		for i := range v {
			v[i] = thinned(v[i], most)
		}
		return v
	case map[string]any:
		for name, field := range v {
			v[name] = thinned(field, most)
		}
	}
	return value
}

// plain returns text without characters that a person does not see, line by line. A model reads them, and a person who
// checks the text would not know.
func plain(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Map(func(r rune) rune {
			if invisible(r) {
				return -1
			}
			return r
		}, terminal.Plain(line))
	}
	return strings.Join(lines, "\n")
}

// invisible reports whether a person does not see a character, such as a tag, a variation selector or a space without a
// width. Joiners are not seen either, but words of some languages need them.
func invisible(r rune) bool {
	const nonJoiner, joiner = 0x200c, 0x200d
	if r == nonJoiner || r == joiner || unicode.Is(unicode.Prepended_Concatenation_Mark, r) {
		return false
	}
	return unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}
