package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDocumentDepth bounds the nesting of callers' JSON, since parsers on devices are recursive.
const maxDocumentDepth = 100

// checkDocument accepts a JSON object that passes checkJSON.
func checkDocument(p *Problems, field string, raw json.RawMessage) {
	if err := checkJSON(raw); err != nil {
		p.Add(field, "must be a JSON object: %v", err)
	} else if !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) {
		p.Add(field, "must be a JSON object")
	}
}

// checkJSON returns an error when raw is not JSON, or when Postgres refuses it as jsonb (NUL, half a
// surrogate pair, numbers out of range), or when it nests too deep.
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
				return errors.New("a text in it has a NUL character")
			}
		case json.Number:
			if !fitsFloat(v.String()) {
				return fmt.Errorf("the number %.40s is out of range", v)
			}
		}
	}
}

// fitsFloat reports whether a float64 can hold a JSON number: not too large, and not rounded to 0.
func fitsFloat(number string) bool {
	value, err := strconv.ParseFloat(number, 64)
	digits, _, _ := strings.Cut(strings.ToLower(number), "e")
	return err == nil && (value != 0 || strings.Trim(digits, "-0.") == "")
}

// surrogates matches, in this order, an escaped backslash, a surrogate pair and half of one.
var surrogates = regexp.MustCompile(`\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u[dD][89a-fA-F]..`)

// checkSurrogates finds half a UTF-16 surrogate pair in valid JSON, which Go reads as U+FFFD.
func checkSurrogates(raw []byte) error {
	for _, match := range surrogates.FindAll(raw, -1) {
		if len(match) == len(`\ud800`) {
			return errors.New("a text in it has half a surrogate pair")
		}
	}
	return nil
}
