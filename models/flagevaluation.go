package models

import "time"

// OtherValue stands for the values of a flag that are none of its variations, however
// many a client invents.
const OtherValue = "(other)"

// FlagEvaluations is how often a client evaluated a flag to a value.
type FlagEvaluations struct {
	ProjectID int64
	FlagKey   string
	Channel   string
	// Value is the text of a value of the flag.
	Value string
	Count int64
	// ReceivedAt is when the client said so, by the clock of the API; LastAt when the
	// last of them was, as the client says, but never in the future.
	ReceivedAt time.Time
	LastAt     time.Time
}

// FlagEvaluationSummary is how often a flag had which value, over a window of whole
// days (UTC) of which today is the last.
type FlagEvaluationSummary struct {
	Total int64
	// LastEvaluatedAt may be before the window; nil when the flag never was.
	LastEvaluatedAt *time.Time
	// Days are oldest first, without those that have none.
	Days []FlagEvaluationDay
}

// FlagEvaluationDay is how often a flag had a value in a day.
type FlagEvaluationDay struct {
	Day   time.Time
	Value string
	Count int64
}
