package models

// Rollback is a caller's request to revert what a channel delivers.
type Rollback struct {
	Channel        string
	Platform       Platform
	RuntimeVersion string
	// ToUpdateID is the release to go back to; nil means the embedded update.
	ToUpdateID *int64
}

// Validate reports every bad field.
func (r Rollback) Validate() error {
	var p Problems
	checkStreamName(&p, "channel", r.Channel)
	if !r.Platform.Valid() {
		p.Add("platform", "must be ios or android")
	}
	CheckRuntimeVersion(&p, "runtimeVersion", r.RuntimeVersion)
	if r.ToUpdateID != nil && *r.ToUpdateID <= 0 {
		p.Add("rollbackToUpdateId", "must be the id of an update")
	}
	return p.Err()
}
