package models

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// FlagSave is the whole content of a flag. It replaces the fields, the variations, the rules and the channel settings.
type FlagSave struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Enabled     bool   `json:"enabled"`
	// DefaultValue is JSON as in NewFlag.
	DefaultValue json.RawMessage `json:"defaultValue,omitempty"`
	Variations   []NewVariation  `json:"variations,omitempty"`
	// Rules are in the order of evaluation.
	Rules []RuleSave `json:"rules,omitempty"`
	// Environments are the settings of channels. A channel that is not listed uses the flag's own settings.
	Environments []EnvironmentSave `json:"environments,omitempty"`
}

// RuleSave is a rule of a saved flag. Its position in the list is its priority.
type RuleSave struct {
	// ID is the rule that is kept or changed; nil creates a rule.
	ID *int64 `json:"id,omitempty"`
	NewFlagRule
}

// EnvironmentSave contains the settings of a saved flag on one channel. A nil setting means that the channel uses the flag's own.
type EnvironmentSave struct {
	ChannelName string `json:"channelName"`
	Enabled     *bool  `json:"enabled,omitempty"`
	// DefaultValue is JSON as in NewFlag.
	DefaultValue json.RawMessage `json:"defaultValue,omitempty"`
}

// Validate checks every field as far as possible without the flag. It does not check rules with an ID, because their stored
// configuration may be older than a current limit; the store checks the rules that change.
func (s FlagSave) Validate() error {
	var p Problems
	checkName(&p, "name", s.Name)
	checkLongText(&p, "description", s.Description)
	if s.DefaultValue == nil || isNull(s.DefaultValue) {
		p.Add("defaultValue", "is required")
	}
	if len(s.Variations) > maxVariations {
		p.Add("variations", "must contain at most %d variations", maxVariations)
	}
	for i, r := range s.Rules {
		switch {
		case r.ID == nil:
			p.addWithin(fmt.Sprintf("rules[%d].", i), r.Validate())
		case slices.ContainsFunc(s.Rules[:i], func(o RuleSave) bool { return o.ID != nil && *o.ID == *r.ID }):
			p.Add(indexed("rules", i, "id"), "rule %d is listed twice", *r.ID)
		}
	}
	for i, e := range s.Environments {
		at := indexed("environments", i, "channelName")
		checkStreamName(&p, at, e.ChannelName)
		if slices.ContainsFunc(s.Environments[:i], func(o EnvironmentSave) bool { return o.ChannelName == e.ChannelName }) {
			p.Add(at, "the channel %q is listed twice", e.ChannelName)
		}
	}
	return p.Err()
}

// WithinRule returns err with the fields of the rule at position i as fields of the list of rules.
func WithinRule(i int, err error) error {
	return within(fmt.Sprintf("rules[%d].", i), err)
}

// within returns err with the prefix before its fields. An error without fields stays as it is.
func within(prefix string, err error) error {
	var e *Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		return err
	}
	var p Problems
	p.addWithin(prefix, err)
	return p.Err()
}

// addWithin adds the problems of err, with the prefix before their fields.
func (p *Problems) addWithin(prefix string, err error) {
	var e *Error
	if errors.As(err, &e) {
		for _, f := range e.Fields {
			*p = append(*p, FieldError{prefix + f.Field, f.Message})
		}
	}
}

func isNull(value json.RawMessage) bool { return bytes.Equal(bytes.TrimSpace(value), []byte("null")) }

// Saved returns the flag with the fields and variations of s. New variations do not have IDs yet. The rules and the channel
// settings stay as they are.
func (f Flag) Saved(s FlagSave) (Flag, error) {
	var p Problems
	f.Name, f.Description, f.Enabled = s.Name, s.Description, s.Enabled
	checkVariations(&p, f.FlagType, s.Variations)
	f.Variations = f.matchVariations(&p, s.Variations)
	text, err := f.FlagType.TextOf(s.DefaultValue)
	if err != nil {
		p.Add("defaultValue", "%v", err)
	}
	f.DefaultValue = text
	return f, p.Err()
}

// Saved returns the channel settings with the content of s, which is at position i. t is the type of the flag.
func (e FlagEnvironment) Saved(t FlagType, i int, s EnvironmentSave) (FlagEnvironment, error) {
	e.Enabled, e.DefaultValue = s.Enabled, nil
	if s.DefaultValue == nil || isNull(s.DefaultValue) {
		return e, nil
	}
	text, err := t.TextOf(s.DefaultValue)
	if err != nil {
		var p Problems
		p.Add(indexed("environments", i, "defaultValue"), "%v", err)
		return e, p.Err()
	}
	e.DefaultValue = &text
	return e, nil
}
