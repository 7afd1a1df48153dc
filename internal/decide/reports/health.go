// Package reports parses the reports of devices and clients: health reports and flag evaluations. An error names every
// invalid field.
package reports

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"github.com/waft-ota/waft/models"
)

// Limits of a report. Strings of an event that are too long are cut instead of rejected, so that the event is still
// reported.
const (
	MaxEntries   = 500 // events, or evaluations
	MaxCount     = 1_000_000
	MaxDeviceID  = 256 // in bytes, like all limits below
	MaxShortText = 512
	maxMessage   = 16 << 10
	maxStack     = 64 << 10
)

// The fields of a report and of an event, in the order in which they are read.
var (
	healthFields = []string{"projectSlug", "deviceId", "channel", "platform", "runtimeVersion", "updateUuid", "events"}
	eventFields  = []string{
		"type", "name", "message", "errorName", "stackTrace", "componentStack", "isFatal", "count", "tags", "flagStates",
		"breadcrumbs",
	}
)

// ParseHealth parses a health report. The error is CodeInvalid and names every invalid field. Unknown fields and events of
// unknown types are skipped. The result does not refer to body.
func ParseHealth(body []byte) (projectSlug string, r models.HealthReport, err error) {
	root, err := reportObject(body)
	if err != nil {
		return "", r, err
	}
	in := make([]gjson.Result, len(healthFields))
	pick(root, healthFields, in)
	slug, device, channel, platform, runtimeVersion, update := in[0], in[1], in[2], in[3], in[4], in[5]

	p := reportProblems{}
	projectSlug = strings.Clone(p.text(ofReport("projectSlug"), slug, 63))
	r.DeviceID = strings.Clone(strings.ToLower(p.text(ofReport("deviceId"), device, MaxDeviceID)))
	r.Channel = p.channel(ofReport("channel"), channel)
	r.Platform = models.Platform(strings.Clone(p.text(ofReport("platform"), platform, MaxShortText)))
	if !r.Platform.Valid() && r.Platform != models.Web && r.Platform != "" {
		p.Add("platform", "must be ios, android or web")
	}
	if runtimeVersion.Exists() && runtimeVersion.Type != gjson.String {
		p.Add("runtimeVersion", "must be a string")
	} else {
		r.RuntimeVersion = strings.Clone(textOf(runtimeVersion))
		models.CheckRuntimeVersion(&p.Problems, "runtimeVersion", r.RuntimeVersion)
	}
	r.UpdateUUID = p.updateUUID(update)
	r.Events = []models.HealthEvent{}
	p.list("events", "events", in[6], func(n int, value gjson.Result) {
		if e, ok := p.event(n, value); ok {
			r.Events = append(r.Events, e)
		}
	})
	return projectSlug, r, p.Err()
}

// DefaultChannel is the channel of a report without a channel.
const DefaultChannel = "default"

// channel returns a copy of the channel name.
func (p *reportProblems) channel(f reportField, value gjson.Result) string {
	if !value.Exists() || value.Type == gjson.String && value.Str == "" {
		return DefaultChannel
	}
	return strings.Clone(p.text(f, value, 128))
}

// updateUUID returns the canonical UUID, or "" for the embedded update.
func (p *reportProblems) updateUUID(value gjson.Result) string {
	text := textOf(value)
	wrong := value.Exists() && value.Type != gjson.String
	if !wrong && text == "" {
		return ""
	}
	id, err := uuid.Parse(text)
	if wrong || err != nil {
		p.Add("updateUuid", "must be a UUID, or null for the embedded update")
		return ""
	}
	return id.String()
}

// list calls read for each member of a required list of at most MaxEntries objects.
func (p *reportProblems) list(name, members string, list gjson.Result, read func(n int, value gjson.Result)) {
	switch {
	case !list.Exists():
		p.Add(name, "is required")
		return
	case !list.IsArray():
		p.Add(name, "must be an array")
		return
	}
	before, n := len(p.Problems), 0
	list.ForEach(func(_, value gjson.Result) bool {
		switch {
		case n == MaxEntries:
			p.Problems = p.Problems[:before]
			p.Add(name, "must contain at most %d %s", MaxEntries, members)
			return false
		case value.IsObject():
			read(n, value)
		default:
			p.add(reportField{name, n, ""}, "must be an object")
		}
		n++
		return true
	})
}

// event reads the nth event. ok is false if the event is invalid or of an unknown type.
func (p *reportProblems) event(n int, value gjson.Result) (e models.HealthEvent, ok bool) {
	of := func(name string) reportField { return reportField{"events", n, name} }
	var fields [11]gjson.Result
	in := fields[:]
	pick(value, eventFields, in)
	before := len(p.Problems)
	e.Type = models.HealthEventType(p.text(of("type"), in[0], MaxShortText))
	if !e.Type.Known() {
		return e, false
	}
	e.Name = p.optional(of("name"), in[1], models.MaxEventName)
	e.Message = p.optional(of("message"), in[2], maxMessage)
	e.ErrorName = p.optional(of("errorName"), in[3], MaxShortText)
	e.StackTrace = p.optional(of("stackTrace"), in[4], maxStack)
	e.ComponentStack = p.optional(of("componentStack"), in[5], maxStack)
	if in[6].Exists() && !in[6].IsBool() {
		p.add(of("isFatal"), "must be true or false")
	}
	e.IsFatal = in[6].Type == gjson.True
	e.Count = p.count(of("count"), in[7])
	e.Tags = p.texts(of("tags"), in[8])
	e.FlagStates = p.texts(of("flagStates"), in[9])
	if e.Type.Failed() {
		e.Breadcrumbs = breadcrumbsOf(in[10])
	}
	return e, len(p.Problems) == before
}

// optional reads an optional string and cuts it to limit bytes.
func (p *reportProblems) optional(f reportField, value gjson.Result, limit int) string {
	if value.Exists() && value.Type != gjson.String {
		p.add(f, "must be a string")
		return ""
	}
	return cut(textOf(value), limit)
}

// cut shortens text to at most limit bytes without splitting a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// texts reads an optional object as names with strings.
func (p *reportProblems) texts(f reportField, value gjson.Result) models.Texts {
	if !value.Exists() {
		return nil
	}
	if !value.IsObject() {
		p.add(f, "must be an object")
		return nil
	}
	return textsIn(value, cut, MaxShortText, MaxShortText)
}

// textsIn returns an object as names with strings, sorted by name and cut to the limits by cut. A string stays as it is, null is skipped, and
// any other value becomes its JSON. If several members have the same name, the last member counts.
func textsIn(object gjson.Result, cut func(string, int) string, nameLimit, valueLimit int) (texts models.Texts) {
	var few [8]member
	members := few[:0]
	object.ForEach(func(key, value gjson.Result) bool {
		text := value.Raw
		if value.Type == gjson.String {
			text = textOf(value)
		}
		members = append(members, member{models.Text{Name: cut(textOf(key), nameLimit), Value: cut(text, valueLimit)}, value.Type == gjson.Null})
		return true
	})
	slices.SortStableFunc(members, func(a, b member) int { return models.ByName(a.Text, b.Text) })
	for i, m := range members {
		if m.null || i+1 < len(members) && members[i+1].Name == m.Name {
			continue
		}
		if texts == nil {
			texts = make(models.Texts, 0, len(members)-i)
		}
		texts = append(texts, m.Text)
	}
	return texts
}

// member is one member of such an object.
type member struct {
	models.Text
	null bool
}
