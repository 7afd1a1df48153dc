package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDocumentDepth is how deep JSON of callers may nest. Parsers of devices are
// recursive, and every list that holds the document nests it deeper.
const maxDocumentDepth = 100

// checkDocument notes a problem unless raw is a JSON object that can be kept and
// read again: see checkJSON.
func checkDocument(p *Problems, field string, raw json.RawMessage) {
	if err := checkJSON(raw); err != nil {
		p.Add(field, "must be a JSON object: %v", err)
		return
	}
	if !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) {
		p.Add(field, "must be a JSON object")
	}
}

// checkJSON says why raw is not JSON, or is some that Postgres refuses as jsonb (NUL,
// half a surrogate pair, numbers beyond float64) or that nests too deep to be read by
// everyone.
func checkJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		return errors.New("it is not UTF-8 text")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	depth := 0
	for {
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF) && depth == 0 && json.Valid(raw):
			return checkSurrogates(raw)
		case err != nil:
			return errors.New("it is malformed")
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
			if depth > maxDocumentDepth {
				return fmt.Errorf("it nests deeper than %d", maxDocumentDepth)
			}
		case string:
			if strings.ContainsRune(v, 0) {
				return errors.New("a text in it holds a NUL character")
			}
		case json.Number:
			if !fitsFloat(v.String()) {
				return fmt.Errorf("the number %.40s is out of range", v)
			}
		}
	}
}

// fitsFloat reports whether a JSON number is neither too large for a float64 nor so
// small that it becomes 0.
func fitsFloat(number string) bool {
	value, err := strconv.ParseFloat(number, 64)
	digits, _, _ := strings.Cut(strings.ToLower(number), "e")
	return err == nil && (value != 0 || strings.Trim(digits, "-0.") == "")
}

// checkSurrogates finds half a UTF-16 surrogate pair among the escapes of valid JSON,
// which Go reads as U+FFFD.
func checkSurrogates(raw []byte) error {
	for rest := raw; ; {
		at := bytes.IndexByte(rest, '\\')
		if at < 0 {
			return nil
		}
		rest = rest[at:]
		unit, ok := escapedUnit(rest)
		switch {
		case !ok:
			rest = rest[2:]
		case unit < 0xd800 || unit > 0xdfff:
			rest = rest[6:]
		default:
			second, ok := escapedUnit(rest[6:])
			if unit > 0xdbff || !ok || second < 0xdc00 || second > 0xdfff {
				return errors.New("a text in it holds half a surrogate pair")
			}
			rest = rest[12:]
		}
	}
}

// escapedUnit reads an escape \uXXXX at the beginning of text.
func escapedUnit(text []byte) (unit uint64, ok bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return unit, err == nil
}
