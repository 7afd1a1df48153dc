package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// FlagType is the type of a flag's values. A value is kept as its text: "true",
// "42", "blue", "{\"a\":1}".
type FlagType string

// Flag types.
const (
	FlagBoolean FlagType = "boolean"
	FlagString  FlagType = "string"
	FlagNumber  FlagType = "number"
	FlagJSON    FlagType = "json"
)

// Valid reports whether t is a flag type.
func (t FlagType) Valid() bool {
	switch t {
	case FlagBoolean, FlagString, FlagNumber, FlagJSON:
		return true
	default:
		return false
	}
}

// maxFlagValueBytes is how long the text of a value may be.
const maxFlagValueBytes = 16 << 10

// What is wrong with a value, for the caller who sent it.
var (
	errNotBoolean = errors.New(`must be true or false`)
	errNotNumber  = errors.New(`must be a number as JSON has them, such as 42 or -0.5`)
	errNotString  = errors.New(`must be a string`)
	errNotJSON    = errors.New(`must be JSON in a string, such as "{\"a\":1}", or an object or array`)
	errNotText    = errors.New(`must be UTF-8 text without NUL characters`)
	errTooLong    = errors.New(`must be at most 16384 bytes`)
)

// Check reports why text may not become a value of the type. JSON must be such that
// every client can read it, since one that cannot would lose all flags with this one.
func (t FlagType) Check(text string) error {
	if _, err := t.Canonical(text); err != nil || t != FlagJSON {
		return err
	}
	if err := checkJSON([]byte(text)); err != nil {
		return fmt.Errorf("%w: %w", errNotJSON, err)
	}
	return nil
}

// Canonical is the one form of all texts that stand for the same value: "1e1" and
// "10" are one number, and the white space of JSON and the order of an object's
// fields say nothing.
func (t FlagType) Canonical(text string) (string, error) {
	switch {
	case len(text) > maxFlagValueBytes:
		return "", errTooLong
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", errNotText
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
	default:
		return text, nil
	}
}

// canonicalNumber reads a number as every client does: in double precision.
func canonicalNumber(text string) (string, error) {
	if !json.Valid([]byte(text)) || strings.Trim(text, "0123456789+-.eE") != "" {
		return "", errNotNumber
	}
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(number, 0) {
		return "", errNotNumber
	}
	if number == 0 {
		number = 0 // there is one zero
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

// Typed is the value that text stands for, as JSON: true, 42, "blue", {"a":1}.
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

// TextOf reads a value that came as JSON: either the typed value itself or a
// string that holds its text. For a json flag a string is always the text of the
// value, so that it means one thing.
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

// expected returns the error that describes values of the type.
func (t FlagType) expected() error {
	switch t {
	case FlagBoolean:
		return errNotBoolean
	case FlagNumber:
		return errNotNumber
	case FlagJSON:
		return errNotJSON
	default:
		return errNotString
	}
}
