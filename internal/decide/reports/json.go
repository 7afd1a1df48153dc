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

// maxReportNesting is the depth that encoding/json reads.
const maxReportNesting = 10_000

// reportObject reads a body that must be a JSON object. It uses gjson, since reports are
// most of what the server reads and encoding/json takes several times as long. The result is
// the same: names in any case, the last of several fields, U+FFFD for invalid UTF-8.
func reportObject(body []byte) (root gjson.Result, err error) {
	text := string(body)
	if !utf8.ValidString(text) {
		text = string([]rune(text)) // every byte that is none becomes U+FFFD
	}
	// gjson reads nested values by recursion.
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

// pick finds the fields of an object; those that are null or missing stay what they
// are.
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

// fieldNamed is the field that encoding/json would take the name for, -1 without one.
func fieldNamed(names []string, name string) int {
	if i := slices.Index(names, name); i >= 0 {
		return i
	}
	return slices.IndexFunc(names, func(known string) bool { return strings.EqualFold(known, name) })
}

// textOf is the value of a string.
func textOf(value gjson.Result) string {
	// gjson reads half a surrogate pair and what follows as a pair.
	if len(value.Str) != len(value.Raw)-2 && strings.Contains(value.Raw, `\u`) {
		var text string
		if json.Unmarshal([]byte(value.Raw), &text) == nil {
			return text
		}
	}
	return value.Str
}

// reportField is the name of a field in an error: one of the report itself when list is "",
// else one of the list's nth member, or that member when name is "".
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

// reportProblems collects what is wrong with a report while reading it.
type reportProblems struct{ models.Problems }

func (p *reportProblems) add(f reportField, format string, args ...any) {
	p.Add(f.String(), format, args...)
}

// text reads a required text of at most limit bytes.
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
		p.add(f, "must be text without control characters")
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
