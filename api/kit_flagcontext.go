package api

import (
	"fmt"
	"slices"

	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/internal/flags"
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

// complete returns the context with what the project knows. The error is not_found for a channel that it does
// not have.
func (h *handlers) complete(s *delivery.Snapshot, c flags.Context) (flags.Context, error) {
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
	c.Now = h.Now()
	return s.FlagContext(c), nil
}
