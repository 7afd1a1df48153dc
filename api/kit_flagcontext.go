package api

import (
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

// complete returns the context with what the project knows, and an error for a channel that it does not have.
func (h *handlers) complete(s *delivery.Snapshot, c flags.Context) (flags.Context, error) {
	if c.Channel != "" && !s.HasChannel(c.Channel) {
		return c, models.Errorf(models.CodeNotFound, "the project has no channel %q", c.Channel)
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
