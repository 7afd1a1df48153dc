package models

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ProjectChange is one change of a project that the audit log records.
type ProjectChange struct {
	// ID is the ID of the audit entry.
	ID                   int64
	Action               string
	EntityType, EntityID string
	// FlagID is the flag of a rule, a variation, a channel setting or a scheduled change; 0 for other entities.
	FlagID int64
	At     time.Time
	// Position is the reader's position after the change.
	Position StreamPosition `gorm:"-"`
}

// resources maps entity types to the first path segment under /v1/ota, if it cannot be derived from the type.
var resources = map[string]string{
	"branch": "branches", "policy": "rollout-policies", "rule": "flags", "variation": "flags", "env_setting": "flags",
	"flag_schedule": "flags", "error_group": "observe",
	"code_signing": "code-signing", "project": "settings", "incident": "telemetry", "user": "members", "session": "members",
	"passkey": "members",
}

// Resource returns the first segment of the path under /v1/ota that shows the changed record.
func (c ProjectChange) Resource() string {
	if r, ok := resources[c.EntityType]; ok {
		return r
	}
	return strings.ReplaceAll(c.EntityType, "_", "-") + "s"
}

// RecordID returns the ID of the changed record in Resource. For a rule, that is the ID of its flag.
func (c ProjectChange) RecordID() int64 {
	if c.FlagID != 0 {
		return c.FlagID
	}
	id, _ := strconv.ParseInt(c.EntityID, 10, 64) // every entity has a number
	return id
}

// ChangeBatch contains the changes between two positions, oldest entry first.
type ChangeBatch struct {
	Changes []ProjectChange
	// Position is the reader's position after the changes.
	Position StreamPosition
	// Reset means that the reader is too far behind: it has to read all records again.
	Reset bool
}

// StreamPosition is a reader's position in a project's changes. The reader has all changes of the transactions included in Before
// and, of the transactions included in Seen, the changes up to audit entry Last. Before and Seen are strings of Postgres' type
// pg_snapshot; Seen is later. An ID alone would not suffice as a position, because transactions do not commit in the order of
// their entries' IDs.
type StreamPosition struct {
	Before, Seen string
	Last         int64
	// Restore is the ID of the last restore before the position, 0 without any. The transactions of a restored database have
	// numbers of their own, so they cannot be compared with the transactions of a position from before the restore.
	Restore int64
}

// String returns the position in the form that ParseStreamPosition accepts.
func (p StreamPosition) String() string {
	text := fmt.Sprintf("%s/%s/%d", p.Before, p.Seen, p.Last)
	if p.Restore != 0 {
		text += fmt.Sprintf("/%d", p.Restore)
	}
	return text
}

// PositionAt returns the position of a reader that has everything that a pg_snapshot includes, in a database that was never
// restored.
func PositionAt(seen string) StreamPosition { return StreamPosition{Before: seen, Seen: seen} }

// maxPositionBytes is the maximum length of a position as a string. It is enough for thousands of concurrent transactions.
const maxPositionBytes = 32 << 10

// ParseStreamPosition parses a position; ok is false if it is invalid.
func ParseStreamPosition(text string) (p StreamPosition, ok bool) {
	parts := strings.Split(text, "/")
	if len(text) > maxPositionBytes || len(parts) < 3 || len(parts) > 4 || !isSnapshot(parts[0]) || !isSnapshot(parts[1]) {
		return p, false
	}
	p.Before, p.Seen = parts[0], parts[1]
	last, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil || last < 0 {
		return p, false
	}
	p.Last = last
	if len(parts) == 4 {
		p.Restore, err = strconv.ParseInt(parts[3], 10, 64)
		return p, err == nil && p.Restore > 0
	}
	return p, true
}

// isSnapshot reports whether text is a valid pg_snapshot of Postgres: the first transaction in progress, the first transaction that
// had not begun, and the transactions in progress between them.
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
