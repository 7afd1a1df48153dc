package models

import (
	"fmt"
	"slices"
)

// Versioned is embedded in records that have an ETag.
type Versioned struct {
	// Version is increased by Postgres when the record changes; see the triggers next_version.
	Version int64 `gorm:"<-:create;default:1" json:"-"`
}

// ETag returns the ETag of the record's current version. id is the ID of the record.
func (v Versioned) ETag(id int64) string { return fmt.Sprintf(`"%d-%d"`, id, v.Version) }

// IfMatch lists the ETags that a record may have to be changed. Nil allows every record.
type IfMatch []string

// Check returns an error if the record's ETag is not in the list.
func (m IfMatch) Check(etag string) error {
	if m == nil || slices.Contains(m, etag) {
		return nil
	}
	return Errorf(CodePreconditionFailed, "the record has changed since you read the ETag that If-Match names; fetch the record again")
}
