package fleet

import (
	"encoding/json"
	"fmt"
	"time"
)

// directiveKind is what a directive tells the client to do.
type directiveKind string

const (
	noUpdateAvailable  directiveKind = "noUpdateAvailable"
	rollBackToEmbedded directiveKind = "rollBackToEmbedded"
)

// directive is an order in place of a manifest.
type directive struct {
	kind directiveKind
	// commitTime is the embedded update's new commit time after a roll-back.
	commitTime time.Time
	// storeUpdate says that the binary is too old for what the server has.
	storeUpdate bool
}

// parseDirective reads a directive part. An unknown type is an error: it ends the
// process of an Android app.
func parseDirective(body []byte) (directive, error) {
	var raw struct {
		Type       directiveKind `json:"type"`
		Parameters struct {
			CommitTime string `json:"commitTime"`
		} `json:"parameters"`
		Extra struct {
			StoreUpdateRequired bool `json:"storeUpdateRequired"`
		} `json:"extra"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return directive{}, fmt.Errorf("directive: %w", err)
	}
	d := directive{kind: raw.Type, storeUpdate: raw.Extra.StoreUpdateRequired}
	switch raw.Type {
	case noUpdateAvailable:
		return d, nil
	case rollBackToEmbedded:
		at, err := parseCommitTime(raw.Parameters.CommitTime)
		if err != nil {
			return directive{}, fmt.Errorf("directive: parameters.commitTime %w", err)
		}
		d.commitTime = at
		return d, nil
	default:
		return directive{}, fmt.Errorf("directive: type %q is unknown and would end an Android app", raw.Type)
	}
}
