package flags

import (
	"encoding/json"
	"strconv"
	"time"
)

// Context is the subject that a flag is evaluated for.
type Context struct {
	// TargetingKey decides shares and user lists; "" is unknown.
	TargetingKey string
	DeviceID     string
	// Channel is "" without a channel. Then the flag's own settings apply, and rules of channels do not.
	Channel, Platform, RuntimeVersion string
	// Update is the running release. The zero value is an unknown release.
	Update Update
	// Attributes are JSON values by name. A known field above hides the attribute of the same name.
	Attributes map[string]any
	// Now is the time of the evaluation.
	Now time.Time
	// Stop is closed when the result is no longer needed. A nil Stop is never closed.
	Stop <-chan struct{}
	// Rest is called repeatedly during an evaluation that takes many steps, so that other work can run first. It may
	// be nil.
	Rest func()
	// IsQuick ends the evaluation early if it needs more than quickSteps. Then IsSlow returns true and the outcomes
	// are meaningless.
	IsQuick bool

	meter meter
}

// Update is a release that a device runs.
type Update struct {
	// UUID is the release's own update ID in lower case. Alias is the update ID that the device sent.
	UUID, Alias            string
	Branch, RuntimeVersion string
	CreatedAt              time.Time
}

// attribute is a named property of a context.
type attribute struct {
	name string
	of   builtin
}

// builtin is a built-in attribute, which comes from the request.
type builtin int

const (
	custom builtin = iota
	builtinTargetingKey
	builtinDeviceID
	builtinChannel
	builtinPlatform
	builtinRuntimeVersion
	builtinUpdateUUID
	builtinBranch
	builtinUpdateRuntimeVersion
	builtinUpdateAge
)

// builtins holds the built-in attributes by name.
var builtins = map[string]builtin{
	"targetingKey": builtinTargetingKey, "deviceId": builtinDeviceID, "channel": builtinChannel, "platform": builtinPlatform,
	"runtimeVersion": builtinRuntimeVersion, "updateUuid": builtinUpdateUUID, "ota.update_id": builtinUpdateUUID,
	"ota.branch": builtinBranch, "ota.runtime_version": builtinUpdateRuntimeVersion,
	"ota.updated_within_days": builtinUpdateAge,
}

func attributeNamed(name string) attribute { return attribute{name, builtins[name]} }

// kind is the type of a value, as operators distinguish it.
type kind int

const (
	missing kind = iota
	text
	number
	boolean
	list  // the elements are in Context.Attributes
	other // an object: it exists, but fails every comparison
)

// value is an attribute of a context. It is small enough to be passed in registers.
type value struct {
	kind   kind
	text   string // for text and boolean
	number float64
}

// get returns the value of an attribute.
func (c *Context) get(a attribute) value {
	var known string
	switch a.of {
	case custom:
		return valueOf(c.Attributes[a.name])
	case builtinTargetingKey:
		known = c.TargetingKey
	case builtinDeviceID:
		known = c.DeviceID
	case builtinChannel:
		known = c.Channel
	case builtinPlatform:
		known = c.Platform
	case builtinRuntimeVersion:
		known = c.RuntimeVersion
	case builtinUpdateUUID:
		known = c.Update.UUID
	case builtinBranch:
		known = c.Update.Branch
	case builtinUpdateRuntimeVersion:
		if known = c.Update.RuntimeVersion; known == "" {
			known = c.RuntimeVersion
		}
	case builtinUpdateAge:
		if days, ok := c.updateAge(); ok {
			return value{kind: number, number: days}
		}
	}
	if known != "" {
		return value{kind: text, text: known}
	}
	return valueOf(c.Attributes[a.name])
}

// updateAge returns the age of the running release in days.
func (c *Context) updateAge() (days float64, ok bool) {
	if c.Update.CreatedAt.IsZero() {
		return 0, false
	}
	return c.Now.Sub(c.Update.CreatedAt).Hours() / 24, true
}

// valueOf converts a value that encoding/json decoded. Null counts as missing.
func valueOf(v any) value {
	switch v := v.(type) {
	case nil:
		return value{}
	case string:
		return value{kind: text, text: v}
	case float64:
		return value{kind: number, number: v}
	case bool:
		return value{kind: boolean, text: strconv.FormatBool(v)}
	case []any:
		return value{kind: list}
	default:
		return value{kind: other}
	}
}

// string returns a scalar as a string, and a number as ECMAScript formats it. ok is false for any other value.
func (v value) string() (s string, ok bool) {
	switch v.kind {
	case text, boolean:
		return v.text, true
	case number:
		return numberText(v.number), true
	default:
		return "", false
	}
}

// numberText formats a number as ECMAScript does. encoding/json does the same, except for the sign of zero.
func numberText(n float64) string {
	if n == 0 {
		return "0"
	}
	data, _ := json.Marshal(n) // JSON has only finite numbers
	return string(data)
}
