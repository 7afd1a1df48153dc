package api

import (
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/tidwall/gjson"

	"github.com/waft-ota/waft/models"
)

// Limits of a report. Texts of an event are cut, not refused: an error must not go
// unreported for being long.
const (
	maxReportEvents = 500
	maxEventCount   = 1_000_000
	maxDeviceID     = 256
	maxShortText    = 512
	maxMessage      = 16 << 10
	maxStack        = 64 << 10
)

// Fields of a report and of an event, in the order in which reportFields and
// eventFields are read.
var (
	reportFields = [...]string{"projectSlug", "deviceId", "channel", "platform", "runtimeVersion", "updateUuid", "events"}
	eventFields  = [...]string{
		"type", "name", "message", "errorName", "stackTrace", "componentStack", "isFatal", "count", "tags", "flagStates",
	}
)

// parseReport reads a health report. The error is CodeInvalid and names every bad
// field; events of unknown types and unknown fields are skipped. Texts of the events
// share their memory with one another; nothing else keeps the body alive.
func parseReport(body []byte) (projectSlug string, r models.HealthReport, err error) {
	root, err := reportObject(body)
	if err != nil {
		return "", r, err
	}
	var in [len(reportFields)]gjson.Result
	pick(root, reportFields[:], in[:])
	slug, device, channel, platform, runtimeVersion, update, events := in[0], in[1], in[2], in[3], in[4], in[5], in[6]

	p := reportProblems{}
	projectSlug = strings.Clone(p.text(ofReport("projectSlug"), slug, 63))
	r.DeviceID = strings.Clone(strings.ToLower(p.text(ofReport("deviceId"), device, maxDeviceID)))
	r.Channel = p.channel(channel)
	r.Platform = models.Platform(p.text(ofReport("platform"), platform, maxShortText))
	switch {
	case r.Platform == models.IOS: // not a part of the body
		r.Platform = models.IOS
	case r.Platform == models.Android:
		r.Platform = models.Android
	case r.Platform != "":
		p.Add("platform", "must be ios or android")
	}
	if runtimeVersion.Exists() && runtimeVersion.Type != gjson.String {
		p.Add("runtimeVersion", "must be a string")
	} else {
		r.RuntimeVersion = strings.Clone(textOf(runtimeVersion))
		models.CheckRuntimeVersion(&p.Problems, "runtimeVersion", r.RuntimeVersion)
	}
	r.UpdateUUID = p.updateUUID(update)
	r.Events = p.events(events)
	return projectSlug, r, p.Err()
}

// channel is a copy.
func (p *reportProblems) channel(value gjson.Result) string {
	if !value.Exists() || value.Type == gjson.String && value.Str == "" {
		return "default"
	}
	return strings.Clone(p.text(ofReport("channel"), value, 128))
}

// updateUUID is "" for the update inside the app.
func (p *reportProblems) updateUUID(value gjson.Result) string {
	text := textOf(value)
	wrong := value.Exists() && value.Type != gjson.String
	if !wrong && text == "" {
		return ""
	}
	id, err := uuid.Parse(text)
	if wrong || err != nil {
		p.Add("updateUuid", "must be a UUID, or null for the update inside the app")
		return ""
	}
	return id.String()
}

func (p *reportProblems) events(list gjson.Result) []models.HealthEvent {
	switch {
	case !list.Exists():
		p.Add("events", "is required")
		return nil
	case !list.IsArray():
		p.Add("events", "must be an array")
		return nil
	}
	before, n := len(p.Problems), 0
	events := make([]models.HealthEvent, 0, 4)
	list.ForEach(func(_, value gjson.Result) bool {
		if n < maxReportEvents {
			if e, ok := p.event(n, value); ok {
				events = append(events, e)
			}
		}
		n++
		return n <= maxReportEvents
	})
	if n > maxReportEvents {
		p.Problems = p.Problems[:before]
		p.Add("events", "must hold at most %d events", maxReportEvents)
		return nil
	}
	return events
}

// event reads the nth event; ok is false for one that is wrong or not known.
func (p *reportProblems) event(n int, value gjson.Result) (e models.HealthEvent, ok bool) {
	of := func(name string) reportField { return reportField{"events", n, name} }
	if !value.IsObject() {
		p.add(of(""), "must be an object")
		return e, false
	}
	var in [len(eventFields)]gjson.Result
	pick(value, eventFields[:], in[:])
	before := len(p.Problems)
	e.Type = models.HealthEventType(p.text(of("type"), in[0], maxShortText))
	if !e.Type.Known() {
		return e, false
	}
	e.Name = p.optional(of("name"), in[1], maxShortText)
	e.Message = p.optional(of("message"), in[2], maxMessage)
	e.ErrorName = p.optional(of("errorName"), in[3], maxShortText)
	e.StackTrace = p.optional(of("stackTrace"), in[4], maxStack)
	e.ComponentStack = p.optional(of("componentStack"), in[5], maxStack)
	if in[6].Exists() && !in[6].IsBool() {
		p.add(of("isFatal"), "must be true or false")
	}
	e.IsFatal = in[6].Type == gjson.True
	e.Count = p.count(of("count"), in[7])
	e.Tags = p.texts(of("tags"), in[8])
	e.FlagStates = p.texts(of("flagStates"), in[9])
	return e, len(p.Problems) == before
}

// optional reads a text and cuts it to limit bytes.
func (p *reportProblems) optional(f reportField, value gjson.Result, limit int) string {
	if value.Exists() && value.Type != gjson.String {
		p.add(f, "must be a string")
		return ""
	}
	return cut(textOf(value), limit)
}

// cut shortens text to at most limit bytes, between two characters.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit]
}

// texts reads an object whose values become text: a string as it is, anything
// else as its JSON; null is left out.
func (p *reportProblems) texts(f reportField, object gjson.Result) map[string]string {
	if !object.Exists() {
		return nil
	}
	if !object.IsObject() {
		p.add(f, "must be an object")
		return nil
	}
	var texts map[string]string
	object.ForEach(func(key, value gjson.Result) bool {
		if texts == nil {
			texts = map[string]string{}
		}
		switch name := cut(textOf(key), maxShortText); value.Type {
		case gjson.Null:
			delete(texts, name) // what was said of it before
		case gjson.String:
			texts[name] = cut(textOf(value), maxShortText)
		default:
			texts[name] = cut(value.Raw, maxShortText)
		}
		return true
	})
	return texts
}
