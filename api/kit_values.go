package api

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"github.com/waft-ota/waft/models"
)

// Time is a moment as the wire has it: RFC 3339 in UTC with exactly three
// decimals.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the moment; what lies below a millisecond is cut off.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(t.UTC().Truncate(time.Millisecond).Format(`"` + timeLayout + `"`)), nil
}

// Schema is a date-time.
func (Time) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Examples: []any{"2026-03-14T09:26:53.589Z"}}
}

// timeOrNull keeps an absent time null.
func timeOrNull(t *time.Time) *Time {
	if t == nil {
		return nil
	}
	return &Time{*t}
}

// percent is a percentage as the wire has it, with at most three decimals.
func percent(p float64) float64 {
	return math.Round(p*1000)/1000 + 0 // + 0 makes a rounded-away minus go
}

// Patch is a field of a partial update: left alone when absent, cleared by null,
// otherwise set. Fields that take null say so with the tag nullable:"true";
// notNull refuses it for the others.
type Patch[T any] struct {
	set   bool
	value *T
}

// patchTo is a field with a value, for examples and tests.
func patchTo[T any](v T) Patch[T] { return Patch[T]{set: true, value: &v} }

// UnmarshalJSON is called only for a field that is there.
func (p *Patch[T]) UnmarshalJSON(data []byte) error {
	p.set, p.value = true, nil
	return json.Unmarshal(data, &p.value)
}

// MarshalJSON writes the value, or null for a cleared field.
func (p Patch[T]) MarshalJSON() ([]byte, error) { return json.Marshal(p.value) }

// IsZero makes the JSON option omitzero leave out a field that is not set.
func (p Patch[T]) IsZero() bool { return !p.set }

// Schema is the schema of the value.
func (Patch[T]) Schema(r huma.Registry) *huma.Schema { return r.Schema(reflect.TypeFor[T](), true, "") }

// nullable is the field in the domain's words.
func (p Patch[T]) nullable() models.Nullable[T] {
	return models.Nullable[T]{Set: p.set, Value: p.value}
}

// notNull returns the value, nil when the field is absent, and notes a problem
// when it is null.
func (p Patch[T]) notNull(problems *models.Problems, field string) *T {
	if p.set && p.value == nil {
		problems.Add(field, "cannot be null; leave it out to keep it")
	}
	return p.value
}

// Object is a JSON object kept as it came, null when there is none.
type Object json.RawMessage

// MarshalJSON writes the object in compact form.
func (o Object) MarshalJSON() ([]byte, error) {
	if len(bytes.TrimSpace(o)) == 0 {
		return []byte("null"), nil
	}
	return o, nil
}

// Schema is any object, or null.
func (Object) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Nullable: true, AdditionalProperties: true}
}

// OrNull is a record that may be null. Scalars use a pointer instead.
type OrNull[T any] struct{ value *T }

func orNull[T any](v T) OrNull[T] { return OrNull[T]{&v} }

// MarshalJSON writes the record or null.
func (o OrNull[T]) MarshalJSON() ([]byte, error) { return json.Marshal(o.value) }

// Schema is the record's schema or null.
func (OrNull[T]) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{r.Schema(reflect.TypeFor[T](), true, ""), {Type: "null"}}}
}

// UUID is a UUID as it comes in; the schema's format check sees to the wording of
// a bad one.
type UUID string

// Schema is a UUID.
func (UUID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid"}
}

// orNil is the value, or nil when there is none.
func (u *UUID) orNil() *uuid.UUID {
	if u == nil {
		return nil
	}
	return parsedUUID(string(*u))
}

// parsedUUID is nil for a text that is no UUID, which the schema has refused.
func parsedUUID(text string) *uuid.UUID {
	id, err := uuid.Parse(text)
	if err != nil {
		return nil
	}
	return &id
}

// Given is a query parameter that tells absent from zero.
type Given[T any] struct {
	Value T
	set   bool
}

// Schema is the schema of the value.
func (Given[T]) Schema(r huma.Registry) *huma.Schema { return r.Schema(reflect.TypeFor[T](), true, "") }

// Receiver is where huma puts the value.
func (g *Given[T]) Receiver() reflect.Value { return reflect.ValueOf(g).Elem().Field(0) }

// OnParamSet learns whether the parameter was there.
func (g *Given[T]) OnParamSet(set bool, _ any) { g.set = set }
