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
