package telemetry

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waft-ota/waft/models"
)

// A report is kept in the wire format of Protocol Buffers, for which JSON would cost
// several times as much on the way in and again on the way out. These are the numbers
// of its fields. They are the format: one may be added, but never be given another
// meaning. What is empty is left out.
const (
	reportIDField             protowire.Number = 1
	reportProjectField        protowire.Number = 2 // zigzag
	reportDeviceField         protowire.Number = 3
	reportChannelField        protowire.Number = 4
	reportPlatformField       protowire.Number = 5
	reportRuntimeVersionField protowire.Number = 6
	reportUpdateField         protowire.Number = 7
	reportReceivedField       protowire.Number = 8 // milliseconds since 1970, zigzag
	reportEventField          protowire.Number = 9 // repeated
	reportShareBucketField    protowire.Number = 10
	reportKeyedField          protowire.Number = 11

	eventTypeField           protowire.Number = 1
	eventNameField           protowire.Number = 2
	eventMessageField        protowire.Number = 3
	eventErrorNameField      protowire.Number = 4
	eventStackTraceField     protowire.Number = 5
	eventComponentStackField protowire.Number = 6
	eventIsFatalField        protowire.Number = 7
	eventCountField          protowire.Number = 8 // zigzag
	eventTagField            protowire.Number = 9 // repeated, as eventFlagStateField
	eventFlagStateField      protowire.Number = 10

	pairNameField  protowire.Number = 1
	pairValueField protowire.Number = 2
)

// reportBytes and eventBytes are more than most reports and events take.
const (
	reportBytes = 768
	eventBytes  = 256
)

// encodeEntry makes an entry of a report; times keep their milliseconds.
func encodeEntry(r models.HealthReport) []byte {
	entry := make([]byte, entryHeaderBytes, reportBytes)
	entry = appendText(entry, reportIDField, r.ID)
	entry = appendNumber(entry, reportProjectField, r.ProjectID)
	entry = appendText(entry, reportDeviceField, r.DeviceID)
	entry = appendText(entry, reportChannelField, r.Channel)
	entry = appendText(entry, reportPlatformField, string(r.Platform))
	entry = appendText(entry, reportRuntimeVersionField, r.RuntimeVersion)
	entry = appendText(entry, reportUpdateField, r.UpdateUUID)
	entry = appendNumber(entry, reportReceivedField, r.ReceivedAt.UnixMilli())
	if r.ShareBucket != nil {
		entry = protowire.AppendTag(entry, reportShareBucketField, protowire.VarintType)
		entry = protowire.AppendVarint(entry, uint64(*r.ShareBucket))
	}
	entry = appendTrue(entry, reportKeyedField, r.Keyed)
	event := make([]byte, 0, eventBytes)
	for _, e := range r.Events {
		event = appendEvent(event[:0], e)
		entry = protowire.AppendTag(entry, reportEventField, protowire.BytesType)
		entry = protowire.AppendBytes(entry, event)
	}
	return sealed(entry, entryReport)
}

func appendEvent(b []byte, e models.HealthEvent) []byte {
	b = appendText(b, eventTypeField, string(e.Type))
	b = appendText(b, eventNameField, e.Name)
	b = appendText(b, eventMessageField, e.Message)
	b = appendText(b, eventErrorNameField, e.ErrorName)
	b = appendText(b, eventStackTraceField, e.StackTrace)
	b = appendText(b, eventComponentStackField, e.ComponentStack)
	b = appendTrue(b, eventIsFatalField, e.IsFatal)
	b = appendNumber(b, eventCountField, e.Count)
	b = appendPairs(b, eventTagField, e.Tags)
	return appendPairs(b, eventFlagStateField, e.FlagStates)
}

func appendText(b []byte, field protowire.Number, text string) []byte {
	if text == "" {
		return b
	}
	return protowire.AppendString(protowire.AppendTag(b, field, protowire.BytesType), text)
}

func appendNumber(b []byte, field protowire.Number, n int64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), protowire.EncodeZigZag(n))
}

func appendTrue(b []byte, field protowire.Number, is bool) []byte {
	if !is {
		return b
	}
	return protowire.AppendVarint(protowire.AppendTag(b, field, protowire.VarintType), 1)
}

func appendPairs(b []byte, field protowire.Number, pairs models.Texts) []byte {
	for _, t := range pairs {
		size := protowire.SizeTag(pairNameField) + protowire.SizeBytes(len(t.Name)) + protowire.SizeTag(pairValueField) + protowire.SizeBytes(len(t.Value))
		b = protowire.AppendTag(b, field, protowire.BytesType)
		b = protowire.AppendVarint(b, uint64(size))
		b = protowire.AppendString(protowire.AppendTag(b, pairNameField, protowire.BytesType), t.Name)
		b = protowire.AppendString(protowire.AppendTag(b, pairValueField, protowire.BytesType), t.Value)
	}
	return b
}

// fields walks over a message. Its texts are parts of one string, which is cheaper
// than a copy each.
type fields struct {
	text string
	data []byte
	// field, kind and what was read of it: number, or text and message.
	field   protowire.Number
	kind    protowire.Type
	number  uint64
	value   string
	message []byte
	err     error
}

// next reads a field; false at the end and after an error.
func (f *fields) next() bool {
	if len(f.data) == 0 || f.err != nil {
		return false
	}
	var n int
	if f.field, f.kind, n = protowire.ConsumeTag(f.data); n < 0 {
		return f.failed(n)
	}
	f.data, f.text = f.data[n:], f.text[n:]
	f.number, f.value, f.message = 0, "", nil
	switch f.kind {
	case protowire.VarintType:
		f.number, n = protowire.ConsumeVarint(f.data)
	case protowire.BytesType:
		if f.message, n = protowire.ConsumeBytes(f.data); n >= 0 {
			f.value = f.text[n-len(f.message) : n]
		}
	default:
		n = protowire.ConsumeFieldValue(f.field, f.kind, f.data)
	}
	if n < 0 {
		return f.failed(n)
	}
	f.data, f.text = f.data[n:], f.text[n:]
	return true
}

func (f *fields) failed(n int) bool {
	f.err = fmt.Errorf("%w: %w", errEntryDamaged, protowire.ParseError(n))
	return false
}

func (f *fields) signed() int64 { return protowire.DecodeZigZag(f.number) }

func decodeReport(body []byte) (*models.HealthReport, error) {
	r := models.HealthReport{Events: make([]models.HealthEvent, 0, 4), ReceivedAt: time.UnixMilli(0).UTC()}
	f := fields{text: string(body), data: body}
	for f.next() {
		switch f.field {
		case reportIDField:
			r.ID = f.value
		case reportProjectField:
			r.ProjectID = f.signed()
		case reportDeviceField:
			r.DeviceID = f.value
		case reportChannelField:
			r.Channel = f.value
		case reportPlatformField:
			r.Platform = models.Platform(f.value)
		case reportRuntimeVersionField:
			r.RuntimeVersion = f.value
		case reportUpdateField:
			r.UpdateUUID = f.value
		case reportReceivedField:
			r.ReceivedAt = time.UnixMilli(f.signed()).UTC()
		case reportShareBucketField:
			bucket := uint32(f.number)
			r.ShareBucket = &bucket
		case reportKeyedField:
			r.Keyed = f.number != 0
		case reportEventField:
			e, err := decodeEvent(fields{text: f.value, data: f.message})
			if err != nil {
				return nil, err
			}
			r.Events = append(r.Events, e)
		default: // of a later version
		}
	}
	return &r, f.err
}

func decodeEvent(f fields) (e models.HealthEvent, err error) {
	for f.next() {
		switch f.field {
		case eventTypeField:
			e.Type = models.HealthEventType(f.value)
		case eventNameField:
			e.Name = f.value
		case eventMessageField:
			e.Message = f.value
		case eventErrorNameField:
			e.ErrorName = f.value
		case eventStackTraceField:
			e.StackTrace = f.value
		case eventComponentStackField:
			e.ComponentStack = f.value
		case eventIsFatalField:
			e.IsFatal = f.number != 0
		case eventCountField:
			e.Count = f.signed()
		case eventTagField:
			e.Tags, err = decodePair(e.Tags, fields{text: f.value, data: f.message})
		case eventFlagStateField:
			e.FlagStates, err = decodePair(e.FlagStates, fields{text: f.value, data: f.message})
		default:
		}
		if err != nil {
			return e, err
		}
	}
	return e, f.err
}

// decodePair adds a pair to those before it.
func decodePair(pairs models.Texts, f fields) (models.Texts, error) {
	var pair models.Text
	for f.next() {
		switch f.field {
		case pairNameField:
			pair.Name = f.value
		case pairValueField:
			pair.Value = f.value
		default:
		}
	}
	return append(pairs, pair), f.err
}
