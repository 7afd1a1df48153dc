package delivery

import (
	"encoding/json"

	"github.com/waft-ota/waft/models"
)

// EvaluatedValue is the text by which telemetry counts a value that a client
// evaluated the flag to: that of the variation or default, models.OtherValue for what
// is none. It is false for a flag that the project does not have.
func (s *Snapshot) EvaluatedValue(flagKey string, value json.RawMessage) (text string, ok bool) {
	for i := range s.flags.flags {
		if f := &s.flags.flags[i]; f.Key == flagKey {
			return evaluatedValue(f, value), true
		}
	}
	return "", false
}

func evaluatedValue(f *models.Flag, value json.RawMessage) string {
	text, err := f.FlagType.TextOf(value)
	if err != nil {
		return models.OtherValue
	}
	if v, ok := f.Variation(text); ok {
		return v.Value
	}
	if f.FlagType.Same(f.DefaultValue, text) {
		return f.DefaultValue
	}
	for _, e := range f.Environments {
		if _, value := e.Effective(*f); f.FlagType.Same(value, text) {
			return value
		}
	}
	return models.OtherValue
}
