package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// EventTest is the event of a test message, which is sent on request only.
const EventTest = "webhook.test"

const testText = "This is a test. Nothing has changed."

// MaxWebhookBody bounds the body of a message, in bytes, as Standard Webhooks recommends.
const MaxWebhookBody = 20_000

// messageRoom is reserved for what the store adds: the entry's id and the slug.
const messageRoom = 500

// wireMillis is RFC 3339 in milliseconds.
const wireMillis = "2006-01-02T15:04:05.000Z07:00"

// MessageBody is {"type", "timestamp", "data"}; the store writes id and projectSlug in between.
type MessageBody struct{ Head, Tail string }

type messageData struct {
	Action         string         `json:"action"`
	ActorType      ActorType      `json:"actorType"`
	ActorID        string         `json:"actorId"`
	ActorName      string         `json:"actorName"`
	EntityType     string         `json:"entityType"`
	EntityID       string         `json:"entityId"`
	Details        map[string]any `json:"details"`
	OmittedDetails []string       `json:"omittedDetails,omitempty"`
	RequestID      string         `json:"requestId"`
	CreatedAt      string         `json:"createdAt"`
}

// TestMessage is the message that tries a webhook out.
func TestMessage(w Webhook, actor Actor, at time.Time) (MessageBody, error) {
	return AuditMessage(AuditEntry{
		Action: EventTest, ActorType: actor.Type, ActorID: actor.ID, ActorName: actor.Name,
		EntityType: "webhook", EntityID: strconv.FormatInt(w.ID, 10), RequestID: actor.RequestID, CreatedAt: at,
		Details: map[string]any{"message": testText},
	})
}

// AuditMessage is the message of an audit entry. Its data is the entry as the API shows it to viewers, with the
// project's slug. Details that would make it too large are left out, the largest first, and listed in
// omittedDetails.
func AuditMessage(e AuditEntry) (MessageBody, error) {
	data := messageData{
		Action: e.Action, ActorType: e.ActorType, ActorID: e.ActorID, ActorName: e.ActorName,
		EntityType: e.EntityType, EntityID: e.EntityID, RequestID: e.RequestID,
		CreatedAt: e.CreatedAt.UTC().Format(wireMillis), Details: e.DetailsFor(false),
	}
	raw, err := json.Marshal(data)
	if err == nil && len(raw) > MaxWebhookBody-messageRoom {
		data.Details, data.OmittedDetails = shortened(data.Details, len(raw)-(MaxWebhookBody-messageRoom))
		raw, err = json.Marshal(data)
	}
	if err != nil {
		return MessageBody{}, fmt.Errorf("message of %s: %w", e.Action, err)
	}
	head := fmt.Sprintf(`{"type":%q,"timestamp":%q,"data":{"id":`, e.Action, data.CreatedAt)
	return MessageBody{Head: head, Tail: "," + string(raw[1:]) + "}"}, nil
}

// maxOmitted is how many omitted details are listed. More are all omitted, as "*".
const maxOmitted = 50

// shortened omits the largest details until that saves excess bytes. The details are valid JSON.
func shortened(details map[string]any, excess int) (kept map[string]any, omitted []string) {
	sizes := map[string]int{}
	for name, value := range details {
		raw, _ := json.Marshal(value)
		sizes[name] = len(raw)
	}
	kept = maps.Clone(details)
	excess += len(`,"omittedDetails":[]`)
	largest := func(a, b string) int { return cmp.Or(sizes[b]-sizes[a], cmp.Compare(a, b)) }
	for _, name := range slices.SortedFunc(maps.Keys(sizes), largest) {
		if excess <= 0 || len(omitted) == maxOmitted {
			break
		}
		delete(kept, name)
		omitted = append(omitted, name)
		excess -= sizes[name] // its name moves to omitted
	}
	if excess > 0 {
		return map[string]any{}, []string{"*"}
	}
	slices.Sort(omitted)
	return kept, omitted
}
