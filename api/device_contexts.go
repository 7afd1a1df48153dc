package api

import (
	"github.com/waft-ota/waft/internal/delivery"
	"github.com/waft-ota/waft/models"
)

// EvaluatedContexts records whom flags are evaluated for.
type EvaluatedContexts interface {
	// Evaluated neither waits nor fails.
	Evaluated(c models.EvaluatedContext)
}

// contextBook writes down whom flags were evaluated for.
type contextBook struct{ contexts EvaluatedContexts }

// note leaves out those of whom no context can be made.
func (b contextBook) note(s *delivery.Snapshot, contexts []models.EvaluatedContext) {
	for _, c := range contexts {
		if c.TargetingKey == "" || c.Tidy() != nil {
			continue
		}
		c.ProjectID = s.Project().ID
		if c.Kind == "user" || c.Kind == "device" {
			if hash, _ := s.DeviceIdentity(c.TargetingKey, ""); hash != c.TargetingKey {
				// A project that hashes ids keeps no name beside the hash.
				c.TargetingKey, c.Name = hash, ""
			}
		}
		b.contexts.Evaluated(c)
	}
}
