package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
	"unicode"

	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// loose is a field that accepts any JSON and remembers whether it was a T, so that one wrong field does not hide other
// errors.
type loose[T any] struct {
	value T
	given bool // and not null
	wrong bool
}

// UnmarshalJSON implements json.Unmarshaler. It returns nil for any JSON.
func (l *loose[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	l.given = true
	l.wrong = json.Unmarshal(data, &l.value) != nil
	return nil
}

type looseReport struct {
	ProjectSlug    loose[string]            `json:"projectSlug"`
	DeviceID       loose[string]            `json:"deviceId"`
	Channel        loose[string]            `json:"channel"`
	Platform       loose[string]            `json:"platform"`
	RuntimeVersion loose[string]            `json:"runtimeVersion"`
	UpdateUUID     loose[string]            `json:"updateUuid"`
	Events         loose[[]json.RawMessage] `json:"events"`
}

type looseEvent struct {
	Type           loose[string]                     `json:"type"`
	Name           loose[string]                     `json:"name"`
	Message        loose[string]                     `json:"message"`
	ErrorName      loose[string]                     `json:"errorName"`
	StackTrace     loose[string]                     `json:"stackTrace"`
	ComponentStack loose[string]                     `json:"componentStack"`
	IsFatal        loose[bool]                       `json:"isFatal"`
	Count          loose[float64]                    `json:"count"`
	Tags           loose[map[string]json.RawMessage] `json:"tags"`
	FlagStates     loose[map[string]json.RawMessage] `json:"flagStates"`
	Breadcrumbs    loose[[]json.RawMessage]          `json:"breadcrumbs"`
}

// referenceReport parses a health report with encoding/json, field by field. The error is CodeInvalid and names every
// invalid field. Events of unknown types and unknown fields are skipped.
func referenceReport(body []byte) (projectSlug string, r models.HealthReport, err error) {
	var in looseReport
	if err := json.Unmarshal(body, &in); err != nil {
		return "", r, notAReport(err)
	}
	p := referenceProblems{}
	projectSlug = p.text("projectSlug", in.ProjectSlug, 63)
	r.DeviceID = strings.ToLower(p.text("deviceId", in.DeviceID, MaxDeviceID))
	r.Channel = "default"
	if in.Channel.given && (in.Channel.wrong || in.Channel.value != "") {
		r.Channel = p.text("channel", in.Channel, 128)
	}
	r.Platform = models.Platform(p.text("platform", in.Platform, MaxShortText))
	if r.Platform != "" && r.Platform != models.Web && !r.Platform.Valid() {
		p.Add("platform", "must be ios, android or web")
	}
	if in.RuntimeVersion.wrong {
		p.Add("runtimeVersion", "must be a string")
	} else {
		r.RuntimeVersion = in.RuntimeVersion.value
		models.CheckRuntimeVersion(&p.Problems, "runtimeVersion", r.RuntimeVersion)
	}
	r.UpdateUUID = p.updateUUID(in.UpdateUUID)
	r.Events = p.events(in.Events)
	return projectSlug, r, p.Err()
}

// notAReport returns the error for a body that does not contain a report.
func notAReport(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return models.Errorf(models.CodeInvalid, "the body must be a JSON object")
	}
	return models.Errorf(models.CodeInvalid, "the body is not valid JSON: %v", err)
}

// referenceProblems collects the errors in a report.
type referenceProblems struct{ models.Problems }

// text reads a required string of at most limit bytes.
func (p *referenceProblems) text(field string, l loose[string], limit int) string {
	switch {
	case l.wrong:
		p.Add(field, "must be a string")
		return ""
	case strings.TrimSpace(l.value) == "":
		p.Add(field, "is required")
		return ""
	case len(l.value) > limit:
		p.Add(field, "must be at most %d bytes", limit)
	case strings.ContainsFunc(l.value, unicode.IsControl):
		p.Add(field, "must not contain control characters")
	}
	return l.value
}

// updateUUID returns the canonical UUID, or "" for the embedded update.
func (p *referenceProblems) updateUUID(l loose[string]) string {
	if !l.wrong && l.value == "" {
		return ""
	}
	id, err := uuid.Parse(l.value)
	if l.wrong || err != nil {
		p.Add("updateUuid", "must be a UUID, or null for the embedded update")
		return ""
	}
	return id.String()
}

func (p *referenceProblems) events(l loose[[]json.RawMessage]) []models.HealthEvent {
	switch {
	case l.wrong:
		p.Add("events", "must be an array")
		return nil
	case !l.given:
		p.Add("events", "is required")
		return nil
	case len(l.value) > MaxEntries:
		p.Add("events", "must contain at most %d events", MaxEntries)
		return nil
	}
	events := make([]models.HealthEvent, 0, len(l.value))
	for i, raw := range l.value {
		if e, ok := p.event(fmt.Sprintf("events[%d]", i), raw); ok {
			events = append(events, e)
		}
	}
	return events
}

// event reads one event. ok is false if the event is invalid or of an unknown type.
func (p *referenceProblems) event(at string, raw json.RawMessage) (e models.HealthEvent, ok bool) {
	var in *looseEvent
	if err := json.Unmarshal(raw, &in); err != nil || in == nil {
		p.Add(at, "must be an object")
		return e, false
	}
	before := len(p.Problems)
	e.Type = models.HealthEventType(p.text(at+".type", in.Type, MaxShortText))
	if !e.Type.Known() {
		return e, false
	}
	e.Name = p.optional(at+".name", in.Name, MaxShortText)
	e.Message = p.optional(at+".message", in.Message, maxMessage)
	e.ErrorName = p.optional(at+".errorName", in.ErrorName, MaxShortText)
	e.StackTrace = p.optional(at+".stackTrace", in.StackTrace, maxStack)
	e.ComponentStack = p.optional(at+".componentStack", in.ComponentStack, maxStack)
	if in.IsFatal.wrong {
		p.Add(at+".isFatal", "must be true or false")
	}
	e.IsFatal = in.IsFatal.value
	e.Count = p.count(at+".count", in.Count)
	e.Tags = models.TextsOf(p.texts(at+".tags", in.Tags))
	e.FlagStates = models.TextsOf(p.texts(at+".flagStates", in.FlagStates))
	if e.Type == models.EventJSError || e.Type == models.EventCrash {
		e.Breadcrumbs = referenceBreadcrumbs(in.Breadcrumbs.value)
	}
	return e, len(p.Problems) == before
}

// optional reads an optional string and cuts it to limit bytes.
func (p *referenceProblems) optional(field string, l loose[string], limit int) string {
	if l.wrong {
		p.Add(field, "must be a string")
		return ""
	}
	return cut(l.value, limit)
}

func (p *referenceProblems) count(field string, l loose[float64]) int64 {
	switch {
	case !l.given:
		p.Add(field, "is required")
	case l.wrong || l.value != math.Trunc(l.value) || l.value < 1 || l.value > MaxCount:
		p.Add(field, "must be a whole number from 1 to %d", MaxCount)
	default:
		return int64(l.value)
	}
	return 0
}

// texts reads an object whose values become strings. A string stays as it is, null is skipped, and any other value becomes
// its JSON.
func (p *referenceProblems) texts(field string, l loose[map[string]json.RawMessage]) map[string]string {
	if l.wrong {
		p.Add(field, "must be an object")
		return nil
	}
	if len(l.value) == 0 {
		return nil
	}
	texts := make(map[string]string, len(l.value))
	for name, raw := range l.value {
		raw = bytes.TrimSpace(raw)
		if string(raw) == "null" {
			continue
		}
		text := string(raw)
		if raw[0] == '"' {
			if err := json.Unmarshal(raw, &text); err != nil {
				continue // impossible, because the body is valid JSON
			}
		}
		texts[cut(name, MaxShortText)] = cut(text, MaxShortText)
	}
	return texts
}

// looseBreadcrumb is a breadcrumb whose fields may be of any type.
type looseBreadcrumb struct {
	Timestamp loose[string]   `json:"timestamp"`
	Category  loose[string]   `json:"category"`
	Message   loose[string]   `json:"message"`
	Level     loose[string]   `json:"level"`
	Data      json.RawMessage `json:"data"`
}

// referenceBreadcrumbs reads the newest 50 breadcrumbs of at most 64 KiB together, oldest first. Wrong values are skipped.
func referenceBreadcrumbs(list []json.RawMessage) (all []models.Breadcrumb) {
	for _, raw := range list {
		var in *looseBreadcrumb
		if json.Unmarshal(raw, &in) != nil || in == nil || in.Category.text() == "" && in.Message.text() == "" {
			continue
		}
		b := models.Breadcrumb{Category: firstRunes(in.Category.text(), 64), Message: firstRunes(in.Message.text(), 512), Level: "info"}
		if level := in.Level.text(); level == "debug" || level == "warning" || level == "error" {
			b.Level = models.BreadcrumbLevel(level)
		}
		if at, err := time.Parse(time.RFC3339, in.Timestamp.text()); err == nil && at.UnixMilli() > 0 && at.UTC().Year() < 10_000 {
			b.At = time.UnixMilli(at.UnixMilli()).UTC()
		}
		b.Data = referenceData(in.Data)
		all = append(all, b)
	}
	all = all[max(0, len(all)-50):]
	for referenceSize(all) > 64<<10 {
		all = all[1:]
	}
	if len(all) == 0 {
		return nil
	}
	return all
}

func firstRunes(text string, limit int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), limit)])
}

func referenceSize(all []models.Breadcrumb) (size int) {
	for _, b := range all {
		size += len(b.Category) + len(b.Message)
		for name, value := range b.Data.Map() {
			size += len(name) + len(value)
		}
	}
	return size
}

// referenceData reads the first 16 members of an object by name. If cut names are the same, the last member counts.
func referenceData(raw json.RawMessage) models.Texts {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if opened, err := decoder.Token(); err != nil || opened != json.Delim('{') {
		return nil
	}
	values := map[string]string{}
	for decoder.More() {
		name, _ := decoder.Token()
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			return nil // impossible, because the body is valid JSON
		}
		text := string(value)
		if value[0] == '"' {
			_ = json.Unmarshal(value, &text) // never fails for a string
		}
		values[firstRunes(name.(string), 128)] = firstRunes(text, 256)
		if string(value) == "null" {
			delete(values, firstRunes(name.(string), 128))
		}
	}
	texts := models.TextsOf(values)
	return texts[:min(len(texts), 16)]
}

// text returns the value of a string, "" for any other type.
func (l loose[T]) text() string {
	if text, ok := any(l.value).(string); ok && !l.wrong {
		return text
	}
	return ""
}
