package models

// RolloutSubject is what a workflow needs to know to drive a rollout execution:
// the execution as the store has it, and the release that it rolls out.
type RolloutSubject struct {
	Execution   RolloutExecution
	ProjectSlug string
	// UpdateUUID is the release's update uuid in lower case, as devices report it.
	UpdateUUID string
	// ShareSalt orders the devices of the release's share.
	ShareSalt string
	// Percentage is the release's present share.
	Percentage float64
	// LinkedFlags is how many flags the release links.
	LinkedFlags int
	// Begun says that the first stage's share was applied once.
	Begun bool
}
