package webhooks

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/models"
)

var listWebhookEventsDoc = rest.Doc(tagWebhooks, "listWebhookEvents", "List the events of webhooks",
	"Returns every event that a webhook can get, with an example of its message.")

// WebhookEvent is one kind of message that webhooks get.
type WebhookEvent struct {
	Event        string         `json:"event" doc:"Action, as in the audit log."`
	Description  string         `json:"description" doc:"Description of the event."`
	EntityType   string         `json:"entityType" doc:"Kind of record that the event is about."`
	Subscribable bool           `json:"subscribable" doc:"Whether a webhook can subscribe to the event; false for webhook.test."`
	Example      WebhookMessage `json:"example"`
}

// WebhookEvents lists all events.
type WebhookEvents []WebhookEvent

// WebhookMessage is the body of messages in the format standard.
type WebhookMessage struct {
	Type      string             `json:"type" doc:"Name of the event."`
	Timestamp rest.Time          `json:"timestamp" doc:"Time of the event."`
	Data      WebhookMessageData `json:"data"`
}

// WebhookMessageData is the entry of the audit log, with the project's slug.
type WebhookMessageData struct {
	ID             int64            `json:"id" doc:"ID of the audit log entry, which grows from message to message."`
	ProjectSlug    string           `json:"projectSlug"`
	Action         string           `json:"action"`
	ActorType      models.ActorType `json:"actorType" enum:"api_key,user,system"`
	ActorID        string           `json:"actorId"`
	ActorName      string           `json:"actorName"`
	EntityType     string           `json:"entityType" doc:"Kind of record that was changed."`
	EntityID       string           `json:"entityId" doc:"ID of the record that was changed."`
	Details        map[string]any   `json:"details" doc:"Details of the change."`
	OmittedDetails []string         `json:"omittedDetails,omitempty" doc:"Names of details that were left out because the message would be too large; [\"*\"] if all were."`
	RequestID      string           `json:"requestId" doc:"X-Request-Id of the call; empty for changes that Waft made on its own."`
	CreatedAt      rest.Time        `json:"createdAt"`
}

func webhookEvent(e models.Event) (WebhookEvent, error) {
	out := WebhookEvent{Event: e.Name, Description: e.About, EntityType: e.Entity, Subscribable: e.Subscribable()}
	example, err := e.Example()
	if err == nil {
		err = json.Unmarshal(example, &out.Example)
	}
	return out, err
}

func (WebhookEvents) Example() any {
	e, _ := models.EventNamed("rollout.rolled_back")
	event, _ := webhookEvent(e)
	return WebhookEvents{event}
}

func (h *Handlers) listWebhookEvents(context.Context, *struct{}) (*rest.Output[WebhookEvents], error) {
	all := make(WebhookEvents, len(models.Events))
	for i, e := range models.Events {
		var err error
		if all[i], err = webhookEvent(e); err != nil {
			return nil, err
		}
	}
	return &rest.Output[WebhookEvents]{Body: all}, nil
}

// DocumentWebhooks describes every webhook message in the OpenAPI document.
func DocumentWebhooks(document *huma.OpenAPI) error {
	document.Webhooks = map[string]*huma.PathItem{}
	for _, e := range models.Events {
		example, err := e.Example()
		if err != nil {
			return err
		}
		var body any
		if err := json.Unmarshal(example, &body); err != nil {
			return err
		}
		header := func(name, description, example string) *huma.Param {
			return &huma.Param{
				Name: name, In: "header", Required: true, Description: description, Example: example,
				Schema: &huma.Schema{Type: huma.TypeString},
			}
		}
		document.Webhooks[e.Name] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "webhook." + e.Name, Tags: []string{tagWebhooks}, Summary: e.Name, Description: e.About,
			Security: rest.NoSecurity(), // the message is signed
			Parameters: []*huma.Param{
				header("webhook-id", "ID of the message, the same in every attempt and redelivery.", "msg_0c1d9a4be5f64c7f8c3b3b5f5a3f2f60"),
				header("webhook-timestamp", "Time of the attempt in Unix seconds.", "1773480413"),
				header("webhook-signature", "Signatures separated by spaces: v1, and the base64 of the HMAC-SHA256 of id.timestamp.body.",
					"v1,AQG81rX2n4rTN1fkXoqILSHO9gAOcwya9dP41rhrQDI="),
			},
			RequestBody: &huma.RequestBody{Required: true, Content: rest.RecordContent("application/json", "WebhookMessage", body)},
			Responses: map[string]*huma.Response{
				"2XX": {Description: "The receiver accepted the message."},
				"410": {Description: http.StatusText(http.StatusGone) + ": the webhook is disabled."},
			},
		}}
	}
	return nil
}

var recoverWebhookDoc = rest.Doc(tagWebhooks, "recoverWebhook", "Redeliver failed messages",
	"Sends every message again that failed since a given time and was not delivered afterwards, under the same webhook-id and "+
		"oldest first. Messages that are being sent are skipped, so a repeated call does not send anything twice. A call "+
		"sends up to 1,000 messages; call again while more remain.",
	http.StatusOK)

type recoverWebhookBody struct {
	Since rest.Time `json:"since" doc:"Start of the period: messages whose delivery began at this time or later. Deliveries are kept for at least 30 days." example:"2026-03-14T00:00:00Z"`
}

func (recoverWebhookBody) Example() any { return recoverWebhookBody{Since: rest.ExampleTime} }

// WebhookRecovery counts the messages that are sent again.
type WebhookRecovery struct {
	Redelivered int64 `json:"redelivered" doc:"Number of messages that are sent again."`
	Remaining   int64 `json:"remaining" doc:"Number of failed messages that are not sent again yet; call again to send them."`
}

func (WebhookRecovery) Example() any { return WebhookRecovery{Redelivered: 12} }

func (h *Handlers) recoverWebhook(ctx context.Context, in *rest.IDBodyInput[recoverWebhookBody]) (*rest.Output[WebhookRecovery], error) {
	r, err := h.Webhooks.RecoverWebhook(ctx, rest.ProjectOf(ctx), rest.ActorOf(ctx), in.ID, in.Body.Since.Time)
	return &rest.Output[WebhookRecovery]{Body: WebhookRecovery(r)}, err
}
