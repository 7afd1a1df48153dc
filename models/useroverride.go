package models

import (
	"strings"
	"time"
	"unicode"
)

// UserOverride sends one user to a branch, whatever the channel and its shares
// say.
type UserOverride struct {
	ID        int64
	ProjectID int64
	// UserID is compared byte by byte with what the app says.
	UserID    string
	BranchID  int64
	Note      string
	CreatedAt time.Time

	// BranchName is read from the branch pointed to.
	BranchName string `gorm:"->"`
}

// NewUserOverride is what a caller says to create an override.
type NewUserOverride struct {
	UserID     string
	BranchName string
	Note       string
}

// maxUserIDBytes is as much as a device may say of its user.
const maxUserIDBytes = 256

// Validate reports every bad field.
func (n NewUserOverride) Validate() error {
	var p Problems
	checkRequiredText(&p, "userId", n.UserID, maxUserIDBytes)
	if len(p) == 0 && (strings.TrimSpace(n.UserID) != n.UserID || strings.ContainsFunc(n.UserID, unicode.IsControl)) {
		p.Add("userId", "must not begin or end with a space, nor hold control characters: no device can say such an id")
	}
	checkStreamName(&p, "branchName", n.BranchName)
	checkText(&p, "note", n.Note, 1000)
	return p.Err()
}
