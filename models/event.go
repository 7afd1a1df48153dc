package models

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Event is one kind of webhook message: an action of the audit log, or EventTest.
type Event struct {
	Name string
	// About describes when the event occurs.
	About string
	// Entity is the kind of the record in the event.
	Entity string
	// Sentence is the text for people. {actor}, {entityId} and names of details in braces stand for their values. {release}
	// stands for the release with the details updateId and releaseMessage.
	Sentence string
	// Details are example details of the event.
	Details map[string]any
}

// Events lists all events, grouped by kind of record. The audit log, webhooks and the API documentation use only these.
var Events = slices.Concat(releaseEvents, deviceEvents, flagEvents, projectEvents, peopleEvents, approvalEvents)

var eventsByName = func() map[string]Event {
	byName := map[string]Event{}
	for _, e := range Events {
		byName[e.Name] = e
	}
	return byName
}()

// KnownAction reports whether name is an event that the audit log records and webhooks can subscribe to.
func KnownAction(name string) bool {
	e, ok := eventsByName[name]
	return ok && e.Subscribable()
}

// EventNamed returns the event with that name; ok is false if the name is unknown.
func EventNamed(name string) (e Event, ok bool) {
	e, ok = eventsByName[name]
	return e, ok
}

// Subscribable reports whether a webhook can subscribe to the event.
func (e Event) Subscribable() bool { return e.Name != EventTest }

// Example returns an example message for the event, as JSON.
func (e Event) Example() (json.RawMessage, error) {
	actor := Actor{Type: ActorAPIKey, ID: "2", Name: "ci", RequestID: "b7f0c1de-3a5e-4d0c-9f5e-5f1f6d0c7a11"}
	switch {
	case e.Name == "incident.opened" || e.Name == "incident.resolved":
		actor = SystemActor("incidents")
	case e.Name == "error_group.regressed":
		actor = SystemActor("errors")
	case strings.HasPrefix(e.Name, "rollout."):
		actor = SystemActor("rollout")
	case slices.Contains([]string{"approval.expired", "approval.stale", "approval.carried_out"}, e.Name):
		actor = SystemActor("approvals")
	case e.Name == "project.restored":
		actor = SystemActor("restore")
	case e.Name == "flag.schedule_applied" || e.Name == "flag.schedule_missed":
		actor = SystemActor("schedules")
	case slices.Contains([]string{"session", "user", "passkey"}, e.Entity), e.Name == "approval.approved", e.Name == "approval.rejected":
		actor = Actor{Type: ActorUser, ID: "7", Name: "ada@example.com", RequestID: actor.RequestID}
	}
	message, err := AuditMessage(AuditEntry{
		Action: e.Name, ActorType: actor.Type, ActorID: actor.ID, ActorName: actor.Name, EntityType: e.Entity, EntityID: "32",
		Details: maps.Clone(e.Details), RequestID: actor.RequestID, CreatedAt: time.Date(2026, 3, 14, 9, 26, 53, 589e6, time.UTC),
	})
	if err != nil {
		return nil, fmt.Errorf("example of %s: %w", e.Name, err)
	}
	return json.RawMessage(message.Head + `1088,"projectSlug":"demo"` + message.Tail), nil
}

// changed returns example details of a field whose value changed.
func changed(before, after any) map[string]any {
	return map[string]any{"before": before, "after": after}
}
