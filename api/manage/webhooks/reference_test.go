package webhooks

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/waft-ota/waft/api/rest"
	"github.com/waft-ota/waft/internal/lab/site"
	"github.com/waft-ota/waft/models"
)

var update = flag.Bool("update", false, "write docs/reference/events.md")

// TestReference compares docs/reference/events.md with the events. -update writes it.
func TestReference(t *testing.T) {
	t.Parallel()
	site.CompareGenerated(t, "../../../docs/reference/events.md", eventsPage(t), *update)
}

func eventsPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Events\n\n" +
		"An event is a change that somebody or Waft made. The audit log records every event of a project, and a\n" +
		"[webhook](../guides/integrations/webhooks.md) receives a message for each event that it subscribes to; `*` subscribes to all.\n" +
		"`GET /v1/ota/webhooks/events` returns this list from a running server.\n\n" +
		"## Message\n\n" +
		"A message is a POST with a JSON object, which the receiver [verifies](webhook-delivery.md#requests) by its signature.\n" +
		"Ignore fields that you do not know: later versions of Waft may add some.\n\n")
	writeFields(&b, reflect.TypeFor[WebhookMessage]())
	b.WriteString("\n`data` is the entry of the audit log, with the project's slug:\n\n")
	writeFields(&b, reflect.TypeFor[WebhookMessageData]())
	b.WriteString("\n`details` depends on the event. Where a record was changed, each changed field is an object with `before` and `after`. " +
		"Details never\n" +
		"contain secrets or device IDs.\n")
	var entities []string
	for _, e := range models.Events {
		if !slices.Contains(entities, e.Entity) {
			entities = append(entities, e.Entity)
		}
	}
	for _, entity := range entities {
		fmt.Fprintf(&b, "\n## `%s`\n", entity)
		for _, e := range models.Events {
			if e.Entity == entity {
				fmt.Fprintf(&b, "\n### `%s`\n\n%s\n\n", e.Name, e.About)
				writeDetails(t, &b, e)
			}
		}
	}
	return b.String()
}

// meanings are the meanings of fields that the OpenAPI document does not describe, because their names do.
var meanings = map[string]string{
	"data": "What happened.", "projectSlug": "Slug of the project.", "action": "Name of the event, as in `type`.",
	"actorId": "ID of the actor.", "actorName": "Name of the key, email address of the person, or part of Waft.",
	"createdAt": "Time of the event, as in `timestamp`.",
}

// writeFields writes a table of the fields of a record.
func writeFields(b *strings.Builder, record reflect.Type) {
	b.WriteString("| Field | Type | Meaning |\n|---|---|---|\n")
	for field := range record.Fields() {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		meaning := cmp.Or(field.Tag.Get("doc"), meanings[name])
		if values := field.Tag.Get("enum"); values != "" {
			meaning = "Kind of the actor: `" + strings.ReplaceAll(values, ",", "`, `") + "`."
		}
		if options == "omitempty" {
			meaning += " Absent if the message has all details."
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, typeName(field.Type), meaning)
	}
}

func typeName(of reflect.Type) string {
	switch {
	case of == reflect.TypeFor[rest.Time]():
		return "time"
	case of.Kind() == reflect.Int64:
		return "integer"
	case of.Kind() == reflect.String:
		return "string"
	case of.Kind() == reflect.Slice:
		return "array of " + typeName(of.Elem()) + "s"
	default:
		return "object"
	}
}

// writeDetails writes the details of an event as an example.
func writeDetails(t *testing.T, b *strings.Builder, e models.Event) {
	t.Helper()
	example, err := e.Example()
	require.NoError(t, err, e.Name)
	var message struct {
		Data struct{ Details json.RawMessage }
	}
	require.NoError(t, json.Unmarshal(example, &message), e.Name)
	var details bytes.Buffer
	require.NoError(t, json.Indent(&details, message.Data.Details, "", "  "), e.Name)
	if details.String() == "{}" || details.String() == "null" {
		b.WriteString("`details` is empty.\n")
		return
	}
	fmt.Fprintf(b, "```json\n%s\n```\n", details.String())
}
