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

// EventTest is the event of a test message, which is sent only on request.
const EventTest = "webhook.test"

const testText = "This is a test message. No data was changed."

// MaxWebhookBody is the maximum size of a webhook message's body in bytes, as Standard Webhooks recommends.
const MaxWebhookBody = 20_000

// messageRoom is the number of bytes reserved for the fields that the store adds: the entry's ID and the project's slug.
const messageRoom = 500

// wireMillis is the format of RFC 3339 with milliseconds.
const wireMillis = "2006-01-02T15:04:05.000Z07:00"

// MessageBody is a JSON object with "type", "timestamp" and "data". The store writes id and projectSlug between Head and Tail.
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

// TestMessage returns the message that tests a webhook.
func TestMessage(w Webhook, actor Actor, at time.Time) (MessageBody, error) {
	return AuditMessage(AuditEntry{
		Action: EventTest, ActorType: actor.Type, ActorID: actor.ID, ActorName: actor.Name,
		EntityType: "webhook", EntityID: strconv.FormatInt(w.ID, 10), RequestID: actor.RequestID, CreatedAt: at,
		Details: map[string]any{"message": testText},
	})
}

// AuditMessage returns the webhook message for an audit entry. Its data is the entry as the API shows it to viewers, with the
// project's slug. If the message would be too large, AuditMessage omits details, the largest first, and lists them in
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

// MessageEntry returns the audit log entry that a message's body was made of, as far as the body has it.
func MessageEntry(body string) AuditEntry {
	var message struct {
		Data messageData `json:"data"`
	}
	_ = json.Unmarshal([]byte(body), &message) // a body of another version has an entry without a record
	d := message.Data
	return AuditEntry{Action: d.Action, EntityType: d.EntityType, EntityID: d.EntityID, Details: d.Details}
}

// maxOmitted is the maximum number of omitted details that are listed. If more would be omitted, all are, and the list is "*".
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
