package models

import "time"

// LimitedReport is a device whose health report was refused because its address, or the
// device itself, had sent too many.
type LimitedReport struct {
	ProjectID int64
	// DeviceID is in lower case, or hashed where the project says so.
	DeviceID string
	// UpdateUUID is the release's own update UUID in lower case.
	UpdateUUID string
}

// LimitedReports are the reports of a device that were refused in a short time, the last
// of them at a moment.
type LimitedReports struct {
	LimitedReport
	At time.Time
}
