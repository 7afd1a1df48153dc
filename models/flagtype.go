package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// FlagType is the type of a flag's values. A value is stored as its text: "true", "42", "blue",
// "{\"a\":1}".
type FlagType string

const (
	FlagBoolean FlagType = "boolean"
	FlagString  FlagType = "string"
	FlagNumber  FlagType = "number"
	FlagJSON    FlagType = "json"
)

var flagTypes = []FlagType{FlagBoolean, FlagString, FlagNumber, FlagJSON}

// maxFlagValueBytes is the largest text of a value.
const maxFlagValueBytes = 16 << 10

var (
	errNotBoolean = errors.New(`must be true or false`)
	errNotNumber  = errors.New(`must be a JSON number, such as 42 or -0.5`)
	errNotString  = errors.New(`must be a string`)
	errNotJSON    = errors.New(`must be JSON in a string, such as "{\"a\":1}", or an object or array`)
)

// Check returns an error when text cannot become a value of the type. Every client must be able to
// read a JSON value, since one that cannot would lose all flags.
func (t FlagType) Check(text string) error {
	if _, err := t.Canonical(text); err != nil || t != FlagJSON {
		return err
	}
	if err := checkJSON([]byte(text)); err != nil {
		return fmt.Errorf("%w: %w", errNotJSON, err)
	}
	return nil
}

// Canonical returns the same text for all texts with the same value: "1e1" and "10" are one number,
// and the white space of JSON and the order of an object's fields have no meaning.
func (t FlagType) Canonical(text string) (string, error) {
	switch {
	case len(text) > maxFlagValueBytes:
		return "", fmt.Errorf("must be at most %d bytes", maxFlagValueBytes)
	case !IsText(text):
		return "", errors.New("must be UTF-8 text without NUL characters")
	}
	switch t {
	case FlagBoolean:
		if text != "true" && text != "false" {
			return "", errNotBoolean
		}
		return text, nil
	case FlagNumber:
		return canonicalNumber(text)
	case FlagJSON:
		return canonicalJSON(text)
	}
	return text, nil
}

// canonicalNumber reads a number in double precision, as every client does.
func canonicalNumber(text string) (string, error) {
	if !json.Valid([]byte(text)) || strings.Trim(text, "0123456789+-.eE") != "" {
		return "", errNotNumber
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", errNotNumber
	}
	if number == 0 {
		number = 0 // -0 and 0 are the same
	}
	return strconv.FormatFloat(number, 'g', -1, 64), nil
}

func canonicalJSON(text string) (string, error) {
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	var value any
	if !json.Valid([]byte(text)) || decoder.Decode(&value) != nil {
		return "", errNotJSON
	}
	canonical, err := json.Marshal(value)
	return string(canonical), err
}

// Same reports whether two texts stand for the same value of the type.
func (t FlagType) Same(a, b string) bool {
	canonicalA, errA := t.Canonical(a)
	canonicalB, errB := t.Canonical(b)
	return errA == nil && errB == nil && canonicalA == canonicalB
}

// Typed returns the value of text as JSON: true, 42, "blue", {"a":1}.
func (t FlagType) Typed(text string) (json.RawMessage, error) {
	if _, err := t.Canonical(text); err != nil {
		return nil, err
	}
	if t == FlagString {
		return json.Marshal(text)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		return nil, errNotJSON
	}
	return compact.Bytes(), nil
}

// TextOf returns the text of a JSON value: either of the type, or a string with its text. For a json
// flag a string is always the text of the value, so that it is not ambiguous.
func (t FlagType) TextOf(value json.RawMessage) (string, error) {
	value = bytes.TrimSpace(value)
	var text string
	if json.Unmarshal(value, &text) != nil || bytes.Equal(value, []byte("null")) {
		if t == FlagString || bytes.Equal(value, []byte("null")) {
			return "", t.expected()
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, value); err != nil {
			return "", t.expected()
		}
		text = compact.String()
	}
	return text, t.Check(text)
}

// expected returns the error that describes valid values of the type.
func (t FlagType) expected() error {
	switch t {
	case FlagBoolean:
		return errNotBoolean
	case FlagNumber:
		return errNotNumber
	case FlagJSON:
		return errNotJSON
	}
	return errNotString
}
