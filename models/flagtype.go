package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// FlagType is the type of a flag's values, which are stored as text: true, 42, blue, {"a":1}.
type FlagType string

const (
	FlagBoolean FlagType = "boolean"
	FlagString  FlagType = "string"
	FlagNumber  FlagType = "number"
	FlagJSON    FlagType = "json"
)

var flagTypes = []FlagType{FlagBoolean, FlagString, FlagNumber, FlagJSON}

const maxFlagValueBytes = 16 << 10

var (
	errNotBoolean = errors.New(`must be true or false`)
	errNotNumber  = errors.New(`must be a JSON number, such as 42 or -0.5`)
	errNotString  = errors.New(`must be a string`)
	errNotJSON    = errors.New(`must be a string that contains JSON, such as "{\"a\":1}", or an object or array`)
)

// Check accepts only values that every client can read. A client that cannot read one value would lose all flags.
func (t FlagType) Check(text string) error {
	if _, err := t.Canonical(text); err != nil || t != FlagJSON {
		return err
	}
	if err := checkJSON([]byte(text)); err != nil {
		return fmt.Errorf("%w: %w", errNotJSON, err)
	}
	return nil
}

// Canonical returns equal texts for equal values, such as 1e1 and 10, or JSON objects that differ only in spaces or order.
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
	default:
		return text, nil
	}
}

// canonicalNumber returns the canonical text of a number, which it reads in double precision as every client does.
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

// canonicalJSON returns the canonical text of a JSON value. It reads numbers in double precision, as every client does.
func canonicalJSON(text string) (string, error) {
	var value any
	if json.Unmarshal([]byte(text), &value) != nil {
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

// TextOf returns the text of a JSON value: of a value of the type, or of a string that contains such a value. For a flag of type
// json, a string always contains the value.
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
	default:
		return errNotString
	}
}
