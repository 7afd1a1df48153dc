package flags

import (
	"encoding/json"
	"strconv"
	"time"
)

// Context is whom a flag is evaluated for.
type Context struct {
	// TargetingKey decides shares and user lists; "" is unknown.
	TargetingKey string
	DeviceID     string
	// Channel is "" for none: then the flag's own settings hold, and rules of channels do not.
	Channel, Platform, RuntimeVersion string
	// Update is the running release; the zero value is an unknown one.
	Update Update
	// Attributes are JSON values by name. The fields above, when they are known, hide those of
	// the same name.
	Attributes map[string]any
	// Now is the time of the evaluation.
	Now time.Time
	// Stop is closed when nobody waits for the result any more; nil never is.
	Stop <-chan struct{}
	// Rest is called again and again during an evaluation that takes many steps, so that other work comes first; nil is not called.
	Rest func()
	// IsQuick ends the evaluation when it takes more steps than take a moment. Then IsSlow is true and the outcomes mean nothing.
	IsQuick bool

	meter meter
}

// Update is a release that a device runs.
type Update struct {
	// UUID is the release's own update id in lower case, Alias the one that the device names.
	UUID, Alias            string
	Branch, RuntimeVersion string
	CreatedAt              time.Time
}

// attribute is a named property of a context.
type attribute struct {
	name string
	of   builtin
}

// builtin is an attribute that a request has by itself.
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

// builtins are the names of built-in attributes.
var builtins = map[string]builtin{
	"targetingKey": builtinTargetingKey, "deviceId": builtinDeviceID, "channel": builtinChannel, "platform": builtinPlatform,
	"runtimeVersion": builtinRuntimeVersion, "updateUuid": builtinUpdateUUID, "ota.update_id": builtinUpdateUUID,
	"ota.branch": builtinBranch, "ota.runtime_version": builtinUpdateRuntimeVersion,
	"ota.updated_within_days": builtinUpdateAge,
}

func attributeNamed(name string) attribute { return attribute{name, builtins[name]} }

// kind is what operators make of a value.
type kind int

const (
	missing kind = iota
	text
	number
	boolean
	list  // its elements are in the attributes
	other // an object: it exists, and nothing else holds for it
)

// value is an attribute of a context. It is small enough to be passed in registers.
type value struct {
	kind   kind
	text   string // of text and boolean
	number float64
}

// get returns an attribute.
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

// updateAge is how many days ago the running release was made.
func (c *Context) updateAge() (days float64, ok bool) {
	if c.Update.CreatedAt.IsZero() {
		return 0, false
	}
	return c.Now.Sub(c.Update.CreatedAt).Hours() / 24, true
}

// valueOf reads what encoding/json makes of a JSON value. Null is missing.
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

// string is the text of a scalar: of a number as ECMAScript writes it. ok is false for any other value.
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

// numberText writes a number as ECMAScript does; encoding/json follows it but for the zero's sign.
func numberText(n float64) string {
	if n == 0 {
		return "0"
	}
	data, _ := json.Marshal(n) // JSON has only finite numbers
	return string(data)
}
