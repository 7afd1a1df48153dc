package models

// ApprovalNeeded says that a call waits for approvals. Nothing has changed.
type ApprovalNeeded struct {
	// Action is a stable word for what the call does, such as "update.publish".
	Action string
	// Summary says in a sentence what the call does, with the facts that a person judges by.
	Summary string
	// Basis is a SHA-256 of those facts.
	Basis []byte
	// Channels are the protected channels whose devices are affected.
	Channels []string
	// Required is how many people must approve.
	Required int
}

func (n *ApprovalNeeded) Error() string { return n.Unwrap().Error() }

// Unwrap returns the error of a caller that cannot wait.
func (n *ApprovalNeeded) Unwrap() error {
	return Errorf(CodeApprovalPending, "%s: %d people must approve it first", n.Summary, n.Required)
}
