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

// Fields that are read as they are found: they hold nearly all of a report, which is not
// to be looked at twice.
const (
	eventsField     = len(reportFields) - 1
	tagsField       = len(eventFields) - 2
	flagStatesField = len(eventFields) - 1
)

// emptyObject stands for an object that was read.
var emptyObject = gjson.Result{Type: gjson.JSON, Raw: "{}"}

// parseReport reads a health report. The error is CodeInvalid and names every bad
// field; events of unknown types and unknown fields are skipped. Texts of the events
// share their memory with one another; nothing else keeps the body alive.
func parseReport(body []byte) (projectSlug string, r models.HealthReport, err error) {
	root, err := reportObject(body)
	if err != nil {
		return "", r, err
	}
	var in [len(reportFields)]gjson.Result
	var events []models.HealthEvent
	var ofEvents reportProblems
	if root.IsObject() {
		scan := scanner{text: root.Raw}
		for scan.enter(); scan.more(); {
			i := fieldNamed(reportFields[:], scan.name())
			if i == eventsField && scan.begins('[') {
				in[i] = gjson.Result{Type: gjson.JSON, Raw: "[]"}
				events, ofEvents = scanEvents(&scan)
			} else if value := scan.value(); i >= 0 && value.Type != gjson.Null {
				in[i] = value
			}
		}
	}
	slug, device, channel, platform, runtimeVersion, update := in[0], in[1], in[2], in[3], in[4], in[5]

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
	switch list := in[eventsField]; {
	case !list.Exists():
		p.Add("events", "is required")
	case !list.IsArray():
		p.Add("events", "must be an array")
	default:
		r.Events, p.Problems = events, append(p.Problems, ofEvents.Problems...)
	}
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

// scanEvents reads the array of events here.
func scanEvents(scan *scanner) (events []models.HealthEvent, p reportProblems) {
	events = make([]models.HealthEvent, 0, 4)
	n := 0
	for scan.enter(); scan.more(); n++ {
		switch {
		case n >= maxReportEvents:
			scan.value()
		case !scan.begins('{'):
			scan.value()
			p.add(reportField{"events", n, ""}, "must be an object")
		default:
			if e, ok := p.event(n, scan); ok {
				events = append(events, e)
			}
		}
	}
	if n > maxReportEvents {
		p = reportProblems{}
		p.Add("events", "must hold at most %d events", maxReportEvents)
		return nil, p
	}
	return events, p
}

// event reads the nth event, the object here; ok is false for one that is wrong or not
// known.
func (p *reportProblems) event(n int, scan *scanner) (e models.HealthEvent, ok bool) {
	of := func(name string) reportField { return reportField{"events", n, name} }
	var in [len(eventFields)]gjson.Result
	var tags, flagStates models.Texts
	for scan.enter(); scan.more(); {
		i := fieldNamed(eventFields[:], scan.name())
		switch {
		case i == tagsField && scan.begins('{'):
			in[i], tags = emptyObject, scan.texts()
		case i == flagStatesField && scan.begins('{'):
			in[i], flagStates = emptyObject, scan.texts()
		default:
			if value := scan.value(); i >= 0 && value.Type != gjson.Null {
				in[i] = value
			}
		}
	}
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
	e.Tags = p.texts(of("tags"), in[tagsField], tags)
	e.FlagStates = p.texts(of("flagStates"), in[flagStatesField], flagStates)
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

// texts are those that were read, of a field that was to be an object.
func (p *reportProblems) texts(f reportField, value gjson.Result, texts models.Texts) models.Texts {
	if value.Exists() && !value.IsObject() {
		p.add(f, "must be an object")
		return nil
	}
	return texts
}
