package models

import "time"

// FlagStale is how long a flag is not used until it is stale.
const FlagStale = 30 * 24 * time.Hour

// FlagFilter narrows a list of flags; zero fields do not filter.
type FlagFilter struct {
	// Search finds flags that have a word beginning with each word of it, in key, name, description or id.
	Search string
	// Keys are the only keys; nil for any.
	Keys  *[]string
	Stale *StaleFlags
}

// StaleFlags are flags made before a time that are not among those in use.
type StaleFlags struct {
	MadeBefore time.Time
	InUse      []string
}

// ExecutionFilter narrows a list of rollouts; zero fields do not filter.
type ExecutionFilter struct {
	Status             ExecutionStatus
	Channel            string
	UpdateID, PolicyID int64
}

// DeliveryFilter narrows a list of webhook deliveries; zero fields do not filter.
type DeliveryFilter struct {
	Status DeliveryStatus
	Event  string
}
