package rest

import (
	"encoding/json"
	"math"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Time is a time in a response: RFC 3339 in UTC, truncated to milliseconds.
type Time struct{ time.Time }

// MarshalJSON writes the time, truncated to milliseconds.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Format(`"2006-01-02T15:04:05.000Z"`)), nil
}

func (Time) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Examples: []any{"2026-03-14T09:26:53.589Z"}}
}

// TimeOrNull returns the time, or nil for nil.
func TimeOrNull(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	return &Time{*t}
}

// OrEmpty returns m, or an empty map for nil, for JSON objects that are never null.
func OrEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// Percent rounds a percentage to three decimals.
func Percent(p float64) float64 {
	return math.Round(p*1000)/1000 + 0 // + 0 makes -0 positive
}

// Patch is a field of a partial update: absent for no change, null to clear the field, otherwise its new value.
// Fields that can be cleared have the tag nullable:"true"; NotNull rejects null for all others.
type Patch[T any] struct {
	Set   bool
	Value *T
}

// PatchTo returns a field with a value, for examples.
func PatchTo[T any](v T) Patch[T] { return Patch[T]{Set: true, Value: &v} }

// UnmarshalJSON sets the field. It is called only for a field that is present.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	p.Set, p.Value = true, nil
	return json.Unmarshal(data, &p.Value)
}

// MarshalJSON returns the value, or null for a cleared field.
func (p Patch[T]) MarshalJSON() ([]byte, error) { return json.Marshal(p.Value) }

// IsZero reports whether the field is absent, for the JSON option omitzero.
func (p Patch[T]) IsZero() bool { return !p.Set }

func (Patch[T]) Schema(r huma.Registry) *huma.Schema { return r.Schema(reflect.TypeFor[T](), true, "") }

// Nullable converts a field that can be cleared.
func (p Patch[T]) Nullable() models.Nullable[T] {
	return models.Nullable[T]{Set: p.Set, Value: p.Value}
}

// NotNull returns the value, or nil if the field is absent. It adds a problem if the field is null.
func (p Patch[T]) NotNull(problems *models.Problems, field string) *T {
	if p.Set && p.Value == nil {
		problems.Add(field, "cannot be null; omit it to keep the current value")
	}
	return p.Value
}

// Object is a JSON object. An empty Object is null.
type Object json.RawMessage

// MarshalJSON writes the object in compact form.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(o) == 0 {
		return []byte("null"), nil
	}
	return o, nil
}

// Schema returns the schema of any object, or null.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Nullable: true, AdditionalProperties: true}
}

// FlagValue is any JSON value.
type FlagValue struct{ json.RawMessage }

// Schema returns a schema without a type, which allows every value including null.
func (FlagValue) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

// FlagValueOf returns the value with the given JSON text.
func FlagValueOf(text string) FlagValue { return FlagValue{json.RawMessage(text)} }

// OrNull is a record or null. Scalars use a pointer instead.
type OrNull[T any] struct{ value *T }

// Present returns a record that is not null.
func Present[T any](v T) OrNull[T] { return OrNull[T]{&v} }

// MarshalJSON returns the record or null.
func (o OrNull[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.value) }

func (OrNull[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}

// UUID is a UUID in a request, which the schema has validated.
type UUID string

func (UUID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid"}
}

// ParsedUUID returns nil for a string that is not a UUID, such as "".
func ParsedUUID(text string) *uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil {
		return nil
	}
	return &id
}

// Date is a day in UTC.
type Date struct{ time.Time }

// MarshalJSON writes the day.
func (d Date) MarshalJSON() ([]byte, error) {
	return []byte(d.UTC().Format(`"` + time.DateOnly + `"`)), nil
}

func (Date) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date", Examples: []any{"2026-03-14"}}
}

// Cleared returns the string of a field, or "" for null.
func Cleared(p Patch[string]) *string {
	if p.Set && p.Value == nil {
		return new(string)
	}
	return p.Value
}

// SomeOrNull returns nil for the zero value.
func SomeOrNull[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// CrashFree returns the percentage of devices without a crash. It returns nil without devices, because unknown is not
// 100%.
func CrashFree(c models.DeviceCounts) *float64 {
	if c.Devices == 0 {
		return nil
	}
	return new(Percent(c.CrashFreePercentage()))
}

// EstimateTime is the time that a response waits for telemetry before it omits estimates.
const EstimateTime = 2 * time.Second
