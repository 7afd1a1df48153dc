package models

import (
	"encoding/json"
	"time"
)

// FlagEnvironment is how a flag differs on one channel. What is nil is as the flag
// has it.
type FlagEnvironment struct {
	// ID is 0 for a channel without settings of its own.
	ID        int64
	ProjectID int64
	FlagID    int64
	ChannelID int64
	Enabled   *bool
	// DefaultValue is the text of a value of the flag's type.
	DefaultValue *string
	UpdatedAt    time.Time

	// ChannelName is read from the channel.
	ChannelName string `gorm:"->"`
}

// Effective is how the flag f stands on the channel.
func (e FlagEnvironment) Effective(f Flag) (enabled bool, defaultValue string) {
	enabled, defaultValue = f.Enabled, f.DefaultValue
	Assign(&enabled, e.Enabled)
	Assign(&defaultValue, e.DefaultValue)
	return enabled, defaultValue
}

// FlagEnvironmentPatch changes the fields that are set; cleared ones are as the
// flag has them.
type FlagEnvironmentPatch struct {
	Enabled Nullable[bool]
	// DefaultValue is JSON as in NewFlag.
	DefaultValue Nullable[json.RawMessage]
}

// Patched is the environment as the patch makes it, of a flag of type t.
func (e FlagEnvironment) Patched(t FlagType, c FlagEnvironmentPatch) (FlagEnvironment, error) {
	var p Problems
	c.Enabled.Apply(&e.Enabled)
	if c.DefaultValue.Set {
		e.DefaultValue = nil
		if c.DefaultValue.Value != nil {
			text, err := t.TextOf(*c.DefaultValue.Value)
			if err != nil {
				p.Add("defaultValue", "%v", err)
			}
			e.DefaultValue = &text
		}
	}
	return e, p.Err()
}
