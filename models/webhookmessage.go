package models

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// EventTest is the event of a message that somebody asked for to try a webhook out. No
// webhook can subscribe to it.
const EventTest = "webhook.test"

// MaxWebhookBody is what the body of a message stays below, in bytes. Standard Webhooks
// recommend it.
const MaxWebhookBody = 20_000

// messageRoom is kept for what only the database knows: the entry's id and the slug.
const messageRoom = 500

// wireMillis is how times are written: RFC 3339 in milliseconds.
const wireMillis = "2006-01-02T15:04:05.000Z07:00"

// MessageBody is the body of a message, {"type", "timestamp", "data"}, in two parts.
// Between them belong the id of what it tells of, and the member "projectSlug", which
// the store knows when it writes it.
type MessageBody struct{ Head, Tail string }

type messageData struct {
	Action     string         `json:"action"`
	ActorType  ActorType      `json:"actorType"`
	ActorID    string         `json:"actorId"`
	ActorName  string         `json:"actorName"`
	EntityType string         `json:"entityType"`
	EntityID   string         `json:"entityId"`
	Details    map[string]any `json:"details"`
	// OmittedDetails are fields of the details that were too large.
	OmittedDetails []string `json:"omittedDetails,omitempty"`
	RequestID      string   `json:"requestId"`
	CreatedAt      string   `json:"createdAt"`
}

// AuditMessage is the message that tells of an audit entry: its data is the entry as
// the API answers it, with the project's slug. Details that would make it too large
// are left out, the largest first, and named in omittedDetails; all of them are in the
// audit log.
func AuditMessage(e AuditEntry) (MessageBody, error) {
	at := e.CreatedAt.UTC().Format(wireMillis)
	data := messageData{
		Action: e.Action, ActorType: e.ActorType, ActorID: e.ActorID, ActorName: e.ActorName,
		EntityType: e.EntityType, EntityID: e.EntityID, RequestID: e.RequestID, CreatedAt: at, Details: e.Details,
	}
	return messageOf(e.Action, at, data)
}

// TestMessage is the message that tries a webhook out.
func TestMessage(w Webhook, actor Actor, at time.Time) (MessageBody, error) {
	text := at.UTC().Format(wireMillis)
	return messageOf(EventTest, text, messageData{
		Action: EventTest, ActorType: actor.Type, ActorID: actor.ID, ActorName: actor.Name,
		EntityType: "webhook", EntityID: strconv.FormatInt(w.ID, 10), RequestID: actor.RequestID, CreatedAt: text,
		Details: map[string]any{"message": "This is a test. Nothing has changed."},
	})
}

func messageOf(event, at string, data messageData) (MessageBody, error) {
	raw, err := json.Marshal(data)
	if err == nil && len(raw) > MaxWebhookBody-messageRoom {
		if data.Details, data.OmittedDetails, err = shortened(data.Details, len(raw)-(MaxWebhookBody-messageRoom)); err == nil {
			raw, err = json.Marshal(data)
		}
	}
	if err != nil {
		return MessageBody{}, fmt.Errorf("message of %s: %w", event, err)
	}
	head := fmt.Sprintf(`{"type":%q,"timestamp":%q,"data":{"id":`, event, at)
	return MessageBody{Head: head, Tail: "," + string(raw[1:]) + "}"}, nil
}

// maxOmitted is how many omitted details are named. Where that is not enough, all are
// omitted, and omittedDetails is "*".
const maxOmitted = 50

// shortened leaves the largest details out until that saves so many bytes.
func shortened(details map[string]any, excess int) (kept map[string]any, omitted []string, err error) {
	type detail struct {
		name string
		size int
	}
	kept = map[string]any{}
	sizes := make([]detail, 0, len(details))
	for name, value := range details {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, nil, err
		}
		kept[name] = value
		sizes = append(sizes, detail{name, len(raw)})
	}
	slices.SortFunc(sizes, func(a, b detail) int { return cmp.Or(b.size-a.size, cmp.Compare(a.name, b.name)) })
	excess += len(`,"omittedDetails":[]`)
	for _, d := range sizes {
		if excess <= 0 || len(omitted) == maxOmitted {
			break
		}
		delete(kept, d.name)
		omitted = append(omitted, d.name)
		excess -= d.size // its name moves to omitted
	}
	if excess > 0 {
		return map[string]any{}, []string{"*"}, nil
	}
	slices.Sort(omitted)
	return kept, omitted, nil
}
