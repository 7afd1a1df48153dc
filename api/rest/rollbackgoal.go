package rest

import "github.com/waft-ota/waft/models"

// RollbackGoal is the release that a rollback returns to.
type RollbackGoal struct {
	UpdateID  int64 `json:"updateId"`
	IsEnabled bool  `json:"isEnabled" doc:"Whether the release is enabled. A rollback to a disabled release needs allowDisabled."`
	Disabling
	Reason string `json:"reason" doc:"Reason why the release was disabled; empty if none was given."`
}

// Disabling holds the time and the actor of the disabling of a release.
type Disabling struct {
	DisabledAt *Time         `json:"disabledAt" nullable:"true" doc:"Time at which the release was disabled; null for an enabled release."`
	DisabledBy OrNull[Actor] `json:"disabledBy" doc:"Person, API key or part of Waft that disabled the release; null for an enabled release."`
}

// Actor is the party that made a change.
type Actor struct {
	Type models.ActorType `json:"type" enum:"api_key,user,system"`
	ID   string           `json:"id"`
	Name string           `json:"name" doc:"Name of the key, email address of the person, or part of Waft."`
}

// GoalRecord returns the API's representation of the release that a rollback returns to.
func GoalRecord(g models.RollbackGoal) RollbackGoal {
	out := RollbackGoal{UpdateID: g.UpdateID, IsEnabled: g.IsEnabled}
	out.Disabling, out.Reason = DisablingRecord(g.Disabling)
	return out
}

// DisablingRecord returns the API's representation of a disabling, and its reason. d is nil for an enabled release.
func DisablingRecord(d *models.Disabling) (Disabling, string) {
	if d == nil {
		return Disabling{}, ""
	}
	return Disabling{DisabledAt: &Time{Time: d.At}, DisabledBy: Present(Actor{Type: d.Type, ID: d.ID, Name: d.Name})}, d.Reason
}
