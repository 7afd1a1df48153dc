// Package flagcontext reads the contexts that flags are evaluated for.
package flagcontext

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// ContextReader reads the context of an evaluation from JSON, and collects its problems.
type ContextReader struct {
	Fields   map[string]any
	Prefix   string // prefix of field names in problems
	Problems models.Problems
}

// Text returns a string field. Null counts as absent.
func (r *ContextReader) Text(name string) string {
	switch v := r.Fields[name].(type) {
	case nil:
		return ""
	case string:
		if err := delivery.CheckValue(v); err != nil {
			r.Problems.Add(r.Prefix+name, "%v", err)
		}
		return v
	default:
		r.Problems.Add(r.Prefix+name, "must be a string")
		return ""
	}
}

// Required returns a string field that must not be empty.
func (r *ContextReader) Required(name string) string {
	before := len(r.Problems)
	v := r.Text(name)
	if v == "" && len(r.Problems) == before {
		r.Problems.Add(r.Prefix+name, "is required")
	}
	return v
}

// maxAttributeBytes limits the strings of one attribute. Each rule about it reads them all, so a large attribute in a
// request of half a megabyte would take seconds of CPU.
const maxAttributeBytes = 4 << 10

// Attributes checks the attributes of a context in a body of bodyBytes bytes from an untrusted client.
func (r *ContextReader) Attributes(named string, all map[string]any, bodyBytes int) {
	if bodyBytes <= maxAttributeBytes {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if attributeBytes(all[name]) > maxAttributeBytes {
			r.Problems.Add(named+rest.Clipped(name, rest.MaxFieldName),
				"must be a string of at most %d bytes, or an array whose elements have at most that many in total", maxAttributeBytes)
		}
	}
}

// attributeBytes returns the number of bytes that a condition reads from an attribute: from a string, or from the
// elements of an array.
func attributeBytes(value any) int {
	switch v := value.(type) {
	case string:
		return len(v)
	case []any:
		sum := 0
		for _, element := range v {
			sum += scalarBytes
			if text, ok := element.(string); ok {
				sum += len(text)
			}
		}
		return sum
	default:
		return scalarBytes
	}
}

// scalarBytes is counted for each element of an array in addition to its string. It is the minimum that JSON needs
// for an element.
const scalarBytes = 2

// BodyObject reads a body that is a JSON object.
func BodyObject(body []byte) (map[string]any, error) {
	var value any
	if err := rest.UnmarshalJSON(body, &value); err != nil {
		return nil, models.Errorf(models.CodeInvalid, "the body must be a JSON object: %v", err)
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, models.Errorf(models.CodeInvalid, "the body must be a JSON object")
	}
	return fields, nil
}

// requestFields are the fields of a context that are not attributes of their own.
var requestFields = []string{"targetingKey", "deviceId", "channel", "platform", "runtimeVersion", "updateUuid"}

// Flat reads a context whose built-in attributes are on the same level as the others, as in OpenFeature.
func (r *ContextReader) Flat() flags.Context {
	c := flags.Context{
		TargetingKey: r.Text("targetingKey"), DeviceID: r.Text("deviceId"), Channel: r.Text("channel"), Platform: r.Text("platform"),
		RuntimeVersion: r.Text("runtimeVersion"), Attributes: make(map[string]any, len(r.Fields)),
	}
	c.Update.UUID = r.Text("updateUuid")
	for name, value := range r.Fields {
		if !slices.Contains(requestFields, name) {
			c.Attributes[name] = value
		}
	}
	return c
}

// CheckChannel returns a sentence about a channel that the project does not have, otherwise "".
func CheckChannel(s *delivery.Snapshot, c flags.Context) (problem string) {
	if c.Channel != "" && !s.HasChannel(c.Channel) {
		problem = fmt.Sprintf("channel %q does not exist in this project", c.Channel)
	}
	return problem
}

// Completed returns the context with the attributes that the project knows. It fails with not_found for a channel
// that the project does not have.
func Completed(s *delivery.Snapshot, c flags.Context, now time.Time) (flags.Context, error) {
	if problem := CheckChannel(s, c); problem != "" {
		return c, models.Errorf(models.CodeNotFound, "%s", problem)
	}
	if c.TargetingKey == "" {
		c.TargetingKey = c.DeviceID
	}
	if c.Update.UUID == "" {
		for _, name := range [...]string{"update_id", "updateUuid", "ota.update_id"} {
			if id, _ := c.Attributes[name].(string); id != "" && c.Update.UUID == "" {
				c.Update.UUID = id
			}
		}
	}
	c.Now = now
	return s.FlagContext(c), nil
}

// Platform adds a problem if p is neither empty nor a platform.
func (r *ContextReader) Platform(p string) {
	if named := models.Platform(p); p != "" && named != models.Web && !named.Valid() {
		r.Problems.Add(r.Prefix+"platform", "must be ios, android or web")
	}
}
