package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unmarshalJSON decodes a body and says what is wrong with it in words that do
// not name Go types.
func unmarshalJSON(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("it is not UTF-8 text") // encoding/json would put U+FFFD instead
	}
	err := json.Unmarshal(data, v)
	var syntax *json.SyntaxError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("malformed JSON at byte %d: %s", syntax.Offset, strings.TrimPrefix(syntax.Error(), "json: "))
	case errors.As(err, &wrong):
		return fmt.Errorf("%s%s%.100s", fieldAt(data, wrong.Offset), cannotHold, wrong.Value)
	}
	return err
}

// cannotHold stands between a field and what it was given. huma passes errors of
// decoding on as text, see unheldField.
const cannotHold = " cannot hold the "

// unheldField reads a message of unmarshalJSON about one field.
func unheldField(message string) (field, problem string, ok bool) {
	field, value, found := strings.Cut(message, cannotHold)
	return field, strings.TrimSpace(cannotHold) + " " + value, found && field != ""
}

// place is where a walk through JSON stands within one object or array.
type place struct {
	inArray bool
	index   int
	name    string
	// named says that the value of name is next.
	named bool
}

// fieldAt is the path of the value that ends at the offset of valid JSON, such as
// stages[1].percentage; "" when it is the whole.
func fieldAt(data []byte, offset int64) string {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var at []place
	for {
		token, err := decoder.Token()
		if err != nil {
			return ""
		}
		ends := token == json.Delim('}') || token == json.Delim(']')
		if !ends && len(at) > 0 && at[len(at)-1].next(token) {
			continue
		}
		if decoder.InputOffset() >= offset {
			return pathOf(at)
		}
		switch {
		case ends:
			at = at[:len(at)-1]
		case token == json.Delim('{'):
			at = append(at, place{})
		case token == json.Delim('['):
			at = append(at, place{inArray: true, index: -1})
		}
	}
}

// next takes in the token that follows, and reports whether it was but a name.
func (p *place) next(token json.Token) (name bool) {
	switch {
	case p.inArray:
		p.index++
	case p.named:
		p.named = false
	default:
		p.name, name = token.(string)
		p.named = true
		return name
	}
	return false
}

func pathOf(at []place) string {
	var path strings.Builder
	for i, p := range at {
		switch {
		case p.inArray:
			path.WriteString("[" + strconv.Itoa(p.index) + "]")
		case i > 0:
			path.WriteString("." + p.name)
		default:
			path.WriteString(p.name)
		}
	}
	return path.String()
}
