package api

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/waft-ota/waft/internal/decide/delivery"
	"github.com/waft-ota/waft/internal/decide/flags"
	"github.com/waft-ota/waft/models"
)

// contextReader reads the context of an evaluation from JSON, and collects its problems.
type contextReader struct {
	fields   map[string]any
	prefix   string // of the names of fields in problems
	problems models.Problems
}

// text returns a field that is text; null is its absence.
func (r *contextReader) text(name string) string {
	switch v := r.fields[name].(type) {
	case nil:
		return ""
	case string:
		if err := delivery.CheckValue(v); err != nil {
			r.problems.Add(r.prefix+name, "%v", err)
		}
		return v
	default:
		r.problems.Add(r.prefix+name, "must be a string")
		return ""
	}
}

// required is text that must not be empty.
func (r *contextReader) required(name string) string {
	before := len(r.problems)
	v := r.text(name)
	if v == "" && len(r.problems) == before {
		r.problems.Add(r.prefix+name, "is required")
	}
	return v
}

// maxAttributeBytes bounds the texts of one attribute. Each rule about it reads them all, so a large one in a request of
// half a megabyte would take seconds of CPU.
const maxAttributeBytes = 4 << 10

// attributes checks the attributes of a context that a stranger sent in a body of so many bytes.
func (r *contextReader) attributes(named string, all map[string]any, bodyBytes int) {
	if bodyBytes <= maxAttributeBytes {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if attributeBytes(all[name]) > maxAttributeBytes {
			r.problems.Add(named+clipped(name, maxFieldName),
				"must be at most %d bytes of text, or an array of so many with its elements", maxAttributeBytes)
		}
	}
}

// attributeBytes is how much of an attribute a condition reads: a text, or the elements of an array.
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

// scalarBytes is what an element of an array counts besides its text: the least that JSON needs for one.
const scalarBytes = 2

// bodyObject reads a body that is a JSON object.
func bodyObject(body []byte) (map[string]any, error) {
	var value any
	if err := unmarshalJSON(body, &value); err != nil {
		return nil, models.Errorf(models.CodeInvalid, "the body must be a JSON object: %v", err)
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, models.Errorf(models.CodeInvalid, "the body must be a JSON object")
	}
	return fields, nil
}

// requestFields are the fields of a context that are no attributes of their own.
var requestFields = []string{"targetingKey", "deviceId", "channel", "platform", "runtimeVersion", "updateUuid"}

// flat reads a context whose built-in attributes stand beside the others, as in OpenFeature.
func (r *contextReader) flat() flags.Context {
	c := flags.Context{
		TargetingKey: r.text("targetingKey"), DeviceID: r.text("deviceId"), Channel: r.text("channel"), Platform: r.text("platform"),
		RuntimeVersion: r.text("runtimeVersion"), Attributes: make(map[string]any, len(r.fields)),
	}
	c.Update.UUID = r.text("updateUuid")
	for name, value := range r.fields {
		if !slices.Contains(requestFields, name) {
			c.Attributes[name] = value
		}
	}
	return c
}

// checkChannel returns a sentence about a channel that the project does not have, else "".
func checkChannel(s *delivery.Snapshot, c flags.Context) (problem string) {
	if c.Channel != "" && !s.HasChannel(c.Channel) {
		problem = fmt.Sprintf("the project has no channel %q", c.Channel)
	}
	return problem
}

// completed returns the context with what the project knows. The error is not_found for a channel that it does
// not have.
func completed(s *delivery.Snapshot, c flags.Context, now time.Time) (flags.Context, error) {
	if problem := checkChannel(s, c); problem != "" {
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

func (r *contextReader) platform(p string) {
	if named := models.Platform(p); p != "" && named != models.Web && !named.Valid() {
		r.problems.Add(r.prefix+"platform", "must be ios, android or web")
	}
}
