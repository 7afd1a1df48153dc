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

// maxDocumentDepth is the maximum nesting depth of JSON from callers. It is limited because parsers on devices are recursive.
const maxDocumentDepth = 100

// checkDocument accepts a JSON object that passes checkJSON.
func checkDocument(p *Problems, field string, raw json.RawMessage) {
	if err := checkJSON(raw); err != nil {
		p.Add(field, "must be a JSON object: %v", err)
	} else if !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) {
		p.Add(field, "must be a JSON object")
	}
}

// checkJSON returns an error if raw is not valid JSON, if Postgres would reject it as jsonb (NUL, half a surrogate pair, numbers out
// of range), or if it is nested too deeply.
func checkJSON(raw []byte) error {
	if !utf8.Valid(raw) {
		return errors.New("the JSON is not valid UTF-8")
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
			return errors.New("the JSON is malformed")
		}
		switch v := token.(type) {
		case json.Delim:
			if v == '{' || v == '[' {
				depth++
			} else {
				depth--
			}
			if depth > maxDocumentDepth {
				return fmt.Errorf("the JSON is nested deeper than %d levels", maxDocumentDepth)
			}
		case string:
			if strings.ContainsRune(v, 0) {
				return errors.New("a string contains a NUL character")
			}
		case json.Number:
			if !fitsFloat(v.String()) {
				return fmt.Errorf("the number %.40s is out of range", v)
			}
		}
	}
}

// fitsFloat reports whether a float64 can represent a JSON number without overflow and without rounding it to 0.
func fitsFloat(number string) bool {
	value, err := strconv.ParseFloat(number, 64)
	digits, _, _ := strings.Cut(strings.ToLower(number), "e")
	return err == nil && (value != 0 || strings.Trim(digits, "-0.") == "")
}

// surrogates matches, in this order, an escaped backslash, a surrogate pair and half a surrogate pair.
var surrogates = compiled(`\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..`)

// checkSurrogates rejects half a UTF-16 surrogate pair in valid JSON, which Go would replace with U+FFFD.
func checkSurrogates(raw []byte) error {
	for _, match := range surrogates().FindAll(raw, -1) {
		if len(match) == len(`\ud800`) {
			return errors.New("a string contains half a surrogate pair")
		}
	}
	return nil
}
