package models

import (
	"fmt"

	"github.com/google/uuid"
)

// maxRepublishChannels bounds what one republish publishes.
const maxRepublishChannels = 100

// Republish is what a caller says to publish a release once more.
type Republish struct {
	// Channels are where to; nil means where the release is.
	Channels []string
	// ReleaseMessage replaces the original's unless nil.
	ReleaseMessage *string
}

// Validate reports every bad field.
func (r Republish) Validate() error {
	var p Problems
	if r.Channels != nil && (len(r.Channels) == 0 || len(r.Channels) > maxRepublishChannels) {
		p.Add("channels", "must name 1 to %d channels; leave it out for the channel of the original", maxRepublishChannels)
	}
	seen := make(map[string]bool, len(r.Channels))
	for i, name := range r.Channels {
		at := fmt.Sprintf("channels[%d]", i)
		checkStreamName(&p, at, name)
		if seen[name] {
			p.Add(at, "names the channel %q twice", name)
		}
		seen[name] = true
	}
	ifSet(checkText, &p, "releaseMessage", r.ReleaseMessage, 4096)
	return p.Err()
}

// Republished is what a republish published.
type Republished struct {
	// GroupID is shared by all Updates.
	GroupID uuid.UUID
	Updates []Release
}
