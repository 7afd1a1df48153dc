package models

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ProjectChange is one change of a project that the audit log records.
type ProjectChange struct {
	// ID is that of the audit entry.
	ID                   int64
	Action               string
	EntityType, EntityID string
	// FlagID is the flag of a rule, a variation or a setting of a channel; 0 for others.
	FlagID int64
	At     time.Time
	// Position is where a reader is after the change.
	Position StreamPosition `gorm:"-"`
}

// resources are the first segments of the paths under /v1/ota where they do not follow from the entity's type.
var resources = map[string]string{
	"branch": "branches", "policy": "rollout-policies", "rule": "flags", "variation": "flags", "env_setting": "flags",
	"code_signing": "code-signing", "project": "settings", "incident": "telemetry", "user": "members", "session": "members",
	"passkey": "members",
}

// Resource is the first segment of the path under /v1/ota that shows what changed.
func (c ProjectChange) Resource() string {
	if r, ok := resources[c.EntityType]; ok {
		return r
	}
	return strings.ReplaceAll(c.EntityType, "_", "-") + "s"
}

// RecordID is the id of the record that Resource has: a rule's is that of its flag.
func (c ProjectChange) RecordID() int64 {
	if c.FlagID != 0 {
		return c.FlagID
	}
	id, _ := strconv.ParseInt(c.EntityID, 10, 64) // every entity has a number
	return id
}

// ChangeBatch is what changed between two moments, oldest entry first.
type ChangeBatch struct {
	Changes []ProjectChange
	// Position is where a reader is after the changes.
	Position StreamPosition
	// Reset says that there are more changes than are kept for a reader, or older ones: it has to read all anew.
	Reset bool
}

// StreamPosition is where a reader of a project's changes is: it has those of the transactions that Before includes,
// and of those that Seen includes the ones up to the audit entry Last. Both are texts of Postgres' type pg_snapshot, of
// which Seen is the later one. Transactions commit in another order than entries get their ids, so an id alone would
// not say what is missing.
type StreamPosition struct {
	Before, Seen string
	Last         int64
}

// String is the position as ParseStreamPosition reads it.
func (p StreamPosition) String() string { return fmt.Sprintf("%s/%s/%d", p.Before, p.Seen, p.Last) }

// PositionAt is the position of a reader that has everything that a pg_snapshot includes.
func PositionAt(seen string) StreamPosition { return StreamPosition{Before: seen, Seen: seen} }

// maxPositionBytes bounds the text of a position: one of thousands of transactions at once.
const maxPositionBytes = 32 << 10

// ParseStreamPosition reads the text of a position; ok is false when it is none.
func ParseStreamPosition(text string) (p StreamPosition, ok bool) {
	parts := strings.Split(text, "/")
	if len(text) > maxPositionBytes || len(parts) != 3 || !isSnapshot(parts[0]) || !isSnapshot(parts[1]) {
		return p, false
	}
	last, err := strconv.ParseInt(parts[2], 10, 64)
	return StreamPosition{Before: parts[0], Seen: parts[1], Last: last}, err == nil && last >= 0
}

// isSnapshot reports whether Postgres reads the text as a pg_snapshot: the first transaction in progress, the first
// that had not begun, and those in progress between them.
func isSnapshot(text string) bool {
	parts := strings.Split(text, ":")
	if len(parts) != 3 {
		return false
	}
	first, err := strconv.ParseInt(parts[0], 10, 64)
	next, err2 := strconv.ParseInt(parts[1], 10, 64)
	if err != nil || err2 != nil || first < 1 || next < first {
		return false
	}
	for id := range strings.SplitSeq(parts[2], ",") {
		if parts[2] == "" {
			return true
		}
		open, err := strconv.ParseInt(id, 10, 64)
		if err != nil || open < first || open >= next {
			return false
		}
		first = open
	}
	return true
}
