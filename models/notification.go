package models

// Notifications that Postgres sends when a transaction commits, by their channels.
const (
	// NotifySnapshot names a project, by its id in decimal, whose snapshot changed.
	NotifySnapshot = "waft_snapshot"
	// NotifyExecution names a rollout execution, by its id in decimal, that changed.
	NotifyExecution = "waft_execution"
	// NotifyRolloutPrompt, without a payload, says that rollouts wait to be observed.
	NotifyRolloutPrompt = "waft_rollout_prompt"
	// NotifyOutbox says that the outbox has a new message; its payload is empty.
	NotifyOutbox = "waft_outbox"
)
