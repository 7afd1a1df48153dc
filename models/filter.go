package models

import "time"

// FlagStale is the time without evaluations after which a flag is unused.
const FlagStale = 30 * 24 * time.Hour

// FlagFilter selects flags for a list; zero fields do not filter.
type FlagFilter struct {
	// Keys restricts the list to flags with these keys; nil means any key.
	Keys  *[]string
	Stale *StaleFlags
}

// StaleFlags selects unused flags: flags that were created before MadeBefore and whose keys are not in InUse.
type StaleFlags struct {
	MadeBefore time.Time
	InUse      []string
}

// ExecutionFilter selects rollouts for a list; zero fields do not filter.
type ExecutionFilter struct {
	Status             ExecutionStatus
	Channel            string
	UpdateID, PolicyID int64
}

// DeliveryFilter selects webhook deliveries for a list; zero fields do not filter.
type DeliveryFilter struct {
	Status DeliveryStatus
	Event  string
}
