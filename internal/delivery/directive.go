package delivery

import (
	"encoding/json"
	"fmt"
	"time"
)

// directive is an answer without an update. A client breaks on types other than
// noUpdateAvailable and rollBackToEmbedded, and ignores what it does not know in
// Extra.
type directive struct {
	Type       string         `json:"type"`
	Parameters map[string]any `json:"parameters,omitempty"`
	Extra      map[string]any `json:"extra,omitempty"`
}

func noUpdateDirective() directive { return directive{Type: "noUpdateAvailable"} }

// rollBackDirective sends a device back to the update inside its app, which takes
// over commit time at: that of the rollback itself, the same for every request,
// so that whatever is released later still counts as newer.
func rollBackDirective(at time.Time) directive {
	return directive{Type: "rollBackToEmbedded", Parameters: map[string]any{"commitTime": commitTime(at)}}
}

// storeUpdateDirective says that there is no update for a binary so old.
func storeUpdateDirective(minRuntimeVersion string) directive {
	d := noUpdateDirective()
	d.Extra = map[string]any{"storeUpdateRequired": true, "minRuntimeVersion": minRuntimeVersion}
	return d
}

func renderDirective(d directive, s *signer) (*body, error) {
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("directive %s: %w", d.Type, err)
	}
	return newBody(directivePart, text, s)
}
