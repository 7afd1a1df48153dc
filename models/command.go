package models

// CommandInput says who gives a rollout command, and why.
type CommandInput struct {
	Actor  Actor
	Reason string
	// Revert says whether a cancel takes the release back; other commands ignore it.
	Revert bool
	// RequestID makes a command that is sent again the same command. Empty means a
	// new one each time.
	RequestID string
}

// Validate reports every bad field.
func (in CommandInput) Validate() error {
	var p Problems
	checkText(&p, "reason", in.Reason, maxReasonBytes)
	return p.Err()
}

// maxReasonBytes bounds why something was done to a rollout.
const maxReasonBytes = 1024
