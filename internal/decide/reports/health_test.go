package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/waft-ota/waft/models"
)

// anyText generates the content of a JSON string as it is on the wire, without its quotes.
var anyText = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
		"a", "crash", "ios", "1.0.0", "default", " ", "é", "漢", "🚀", `\n`, `\"`, `\\`, `\/`, `\u0041`, `\u0000`, `\ud83d\ude80`, `\ud83d`,
		`\udc00`, `\ud83d\u0041`, "\xff", "\xe6\xbc", strings.Repeat("x", 300), "8f1a2c3d-4444-4e55-9666-777788889999",
	}), 0, 4).Draw(t, "parts"), "")
})

// anyValue generates any JSON value.
func anyValue(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		kinds := 4
		if depth > 0 {
			kinds = 6
		}
		switch rapid.IntRange(0, kinds).Draw(t, "kind") {
		case 0:
			return rapid.SampledFrom([]string{"null", "true", "false"}).Draw(t, "word")
		case 1:
			return rapid.SampledFrom([]string{"0", "1", "-0", "-1", "1.0", "2.5", "1e3", "1e400", "1000000", "1000001"}).Draw(t, "number")
		case 2, 3, 4:
			return `"` + anyText.Draw(t, "text") + `"`
		case 5:
			return "[" + strings.Join(rapid.SliceOfN(anyValue(depth-1), 0, 3).Draw(t, "array"), " , ") + "]"
		default:
			members := rapid.MapOfN(anyText, anyValue(depth-1), 0, 3).Draw(t, "object")
			return objectOf(members)
		}
	})
}

func objectOf(members map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(members)) {
		parts = append(parts, `"`+name+"\" :\t"+members[name])
	}
	return "{" + strings.Join(parts, ",\n") + "}"
}

// anyFields generates an object with the given fields and unknown fields. Most values are valid; some are missing or
// arbitrary.
func anyFields(t *rapid.T, good map[string]string) string {
	fields := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(good)) {
		value := good[name]
		switch rapid.IntRange(0, 9).Draw(t, name) {
		case 0:
		case 1:
			fields[name] = anyValue(2).Draw(t, "value of "+name)
		case 2:
			fields[strings.ToUpper(name)] = value
		default:
			fields[name] = value
		}
	}
	if rapid.Bool().Draw(t, "more") {
		fields["another"] = anyValue(2).Draw(t, "another")
	}
	return objectOf(fields)
}

// anyBreadcrumbs generates a list of breadcrumbs, which sometimes has too many, or too much text.
func anyBreadcrumbs(t *rapid.T) string {
	var all []string
	for range rapid.IntRange(0, 4).Draw(t, "breadcrumbs") {
		all = append(all, anyFields(t, map[string]string{
			"timestamp": rapid.SampledFrom([]string{
				`"2026-11-29T21:50:44.123Z"`, `"2026-11-29T21:50:44+02:00"`, `"0001-01-01T00:00:00Z"`, `"9999-12-31T23:59:59-01:00"`, `"now"`,
			}).Draw(t, "timestamp"),
			"category": `"` + anyText.Draw(t, "category") + `"`, "message": `"` + anyText.Draw(t, "message") + `"`,
			"level": rapid.SampledFrom([]string{`"debug"`, `"info"`, `"warning"`, `"error"`, `"fatal"`}).Draw(t, "level"),
			"data":  objectOf(rapid.MapOfN(anyText, anyValue(1), 0, 20).Draw(t, "data")),
		}))
	}
	repeated := rapid.SampledFrom([]int{1, 1, 1, 20, 120}).Draw(t, "repeated")
	return "[" + strings.Join(slices.Repeat(all, repeated), ",") + "]"
}

// anyReport generates a request body, which is sometimes not valid JSON.
func anyReport(t *rapid.T) []byte {
	var events []string
	for range rapid.IntRange(0, 3).Draw(t, "events") {
		event := anyFields(t, map[string]string{
			"type": rapid.SampledFrom([]string{`"crash"`, `"js_error"`, `"perf_sample"`}).Draw(t, "type"), "name": `"` + anyText.Draw(t, "name") + `"`,
			"message": `"` + anyText.Draw(t, "message") + `"`, "errorName": `"TypeError"`, "stackTrace": `"at a\nat b"`, "componentStack": "null",
			"isFatal": "true", "count": "3", "tags": objectOf(rapid.MapOfN(anyText, anyValue(1), 0, 3).Draw(t, "tags")),
			"flagStates":  objectOf(rapid.MapOfN(anyText, anyValue(1), 0, 3).Draw(t, "flags")),
			"breadcrumbs": anyBreadcrumbs(t),
		})
		events = append(events, event)
	}
	body := []byte(" " + anyFields(t, map[string]string{
		"projectSlug": `"demo"`, "deviceId": `"Device-1"`, "channel": `"` + anyText.Draw(t, "channel") + `"`, "platform": `"ios"`,
		"runtimeVersion": `"1.0.0"`, "updateUuid": `"8F1A2C3D-4444-4e55-9666-777788889999"`, "events": "[" + strings.Join(events, ",") + "]",
	}) + "\n")
	if rapid.IntRange(0, 4).Draw(t, "break") == 0 {
		at := rapid.IntRange(0, len(body)-1).Draw(t, "at")
		body[at] = rapid.SampledFrom([]byte("{}[]\",:\\0 \x00\xff")).Draw(t, "byte")
	}
	return body
}

// For any body, the parser and the reference with encoding/json return the same report and the same errors.
func TestAReportIsReadAsEncodingJSONReadsIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		requireReadAlike(t, anyReport(t))
	})
}

func requireReadAlike(t require.TestingT, body []byte) {
	if repeatsNames(body) {
		return // it is not specified which of these fields counts
	}
	wantSlug, want, wantErr := referenceReport([]byte(strings.ToValidUTF8(string([]rune(string(body))), "")))
	slug, got, err := ParseHealth(body)
	require.Equal(t, problemsOf(wantErr), problemsOf(err), "%q", body)
	if wantErr == nil {
		require.Equal(t, wantSlug, slug)
		require.Equal(t, want, got, "%q", body)
		require.True(t, utf8.ValidString(got.Channel))
	}
}

func problemsOf(err error) string {
	var told *models.Error
	if !errors.As(err, &told) {
		return ""
	}
	lines := []string{told.Message}
	for _, f := range told.Fields {
		lines = append(lines, f.Field+": "+f.Message)
	}
	return strings.Join(lines, "\n")
}

// repeatsNames reports whether an object has two fields of the same name, or of names that become the same when cut.
func repeatsNames(body []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	type level struct {
		names map[string]bool
		named bool // the next token is the value of a name
	}
	var levels []level
	for {
		token, err := decoder.Token()
		if err != nil {
			return false
		}
		if last := len(levels) - 1; last >= 0 && levels[last].names != nil && !levels[last].named && token != json.Delim('}') {
			name := cut(strings.ToLower(token.(string)), MaxShortText)
			if levels[last].names[name] {
				return true
			}
			levels[last].names[name], levels[last].named = true, true
			continue
		}
		if last := len(levels) - 1; last >= 0 {
			levels[last].named = false
		}
		switch token {
		case json.Delim('{'):
			levels = append(levels, level{names: map[string]bool{}})
		case json.Delim('['):
			levels = append(levels, level{})
		case json.Delim('}'), json.Delim(']'):
			levels = levels[:len(levels)-1]
			if last := len(levels) - 1; last >= 0 {
				levels[last].named = false
			}
		}
	}
}

func TestCutEndsBetweenTwoCharacters(t *testing.T) {
	t.Parallel()
	require.Equal(t, "aé", cut("aéé", 4))
	require.Equal(t, "", cut("é", 1))
	require.Equal(t, "é", cut("é", 2))
}
