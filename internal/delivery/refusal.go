package delivery

import "github.com/waft-ota/waft/models"

// Refusal is why the device gets nothing and never will, the way it asks; "" for one
// that is served, or may be some day.
func (d *Decision) Refusal() models.RefusalReason {
	switch {
	case d.Outcome == OutcomeUnknownChannel:
		return models.RefusedUnknownChannel
	case d.unserved:
		return models.RefusedNoRelease
	default:
		return ""
	}
}
