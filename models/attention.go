package models

// Attention lists the facts about a project that need a person's attention.
type Attention struct {
	// Stop is the emergency stop; nil if the project is not stopped.
	Stop *EmergencyStop
	// Approvals is the number of calls that wait for the reader's decision.
	Approvals int64
	// Incidents is the number of open incidents.
	Incidents int64
}
