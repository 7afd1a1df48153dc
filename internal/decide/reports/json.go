package reports

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/waft-ota/waft/models"
)

// maxReportNesting is the maximum depth that encoding/json reads.
const maxReportNesting = 10_000

// reportObject parses a body that must be a JSON object. It uses gjson, because reports are most of the server's input and
// encoding/json takes several times as long. The result is the same as with encoding/json: names match in any case, the
// last of several fields counts, and invalid UTF-8 becomes U+FFFD.
func reportObject(body []byte) (root gjson.Result, err error) {
	text := string(body)
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // replaces invalid bytes with U+FFFD
	}
	// gjson reads nested values recursively, so encoding/json checks a deeply nested body.
	if strings.Count(text, "[")+strings.Count(text, "{") > maxReportNesting || !gjson.Valid(text) {
		var whole json.RawMessage
		if err := json.Unmarshal([]byte(text), &whole); err != nil {
			return root, models.Errorf(models.CodeInvalid, "the body is not valid JSON: %v", err)
		}
	}
	root = gjson.Parse(text)
	if !root.IsObject() && root.Type != gjson.Null {
		return root, models.Errorf(models.CodeInvalid, "the body must be a JSON object")
	}
	return root, nil
}

// pick writes the values of an object's fields to into. It skips fields that are null or missing.
func pick(object gjson.Result, names []string, into []gjson.Result) {
	object.ForEach(func(key, value gjson.Result) bool {
		if value.Type == gjson.Null {
			return true
		}
		if i := fieldNamed(names, textOf(key)); i >= 0 {
			into[i] = value
		}
		return true
	})
}

// fieldNamed returns the index of the field that encoding/json would match with the name, or -1.
func fieldNamed(names []string, name string) int {
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known, name) })
}

// textOf returns the value of a string.
func textOf(value gjson.Result) string {
	// gjson combines half of a surrogate pair with the text after it.
	if len(value.Str) != len(value.Raw)-2 && strings.Contains(value.Raw, `\u`) {
		var text string
		if json.Unmarshal([]byte(value.Raw), &text) == nil {
			return text
		}
	}
	return value.Str
}

// reportField identifies a field in an error. If list is "", it is a field of the report. Otherwise it is a field of the
// list's nth member, or the member itself if name is "".
type reportField struct {
	list string
	n    int
	name string
}

func ofReport(name string) reportField { return reportField{name: name} }

func (f reportField) String() string {
	at := f.list + "[" + strconv.Itoa(f.n) + "]"
	switch {
	case f.list == "":
		return f.name
	case f.name == "":
		return at
	default:
		return at + "." + f.name
	}
}

// reportProblems collects the errors in a report.
type reportProblems struct{ models.Problems }

func (p *reportProblems) add(f reportField, format string, args ...any) {
	p.Add(f.String(), format, args...)
}

// text reads a required string of at most limit bytes.
func (p *reportProblems) text(f reportField, value gjson.Result, limit int) string {
	text := textOf(value)
	switch {
	case value.Exists() && value.Type != gjson.String:
		p.add(f, "must be a string")
		return ""
	case strings.TrimSpace(text) == "":
		p.add(f, "is required")
		return ""
	case len(text) > limit:
		p.add(f, "must be at most %d bytes", limit)
	case strings.ContainsFunc(text, unicode.IsControl):
		p.add(f, "must not contain control characters")
	}
	return text
}

func (p *reportProblems) count(f reportField, value gjson.Result) int64 {
	switch n := value.Num; {
	case !value.Exists():
		p.add(f, "is required")
	case value.Type != gjson.Number || n != math.Trunc(n) || n < 1 || n > MaxCount:
		p.add(f, "must be a whole number from 1 to %d", MaxCount)
	default:
		return int64(n)
	}
	return 0
}
