package manage

import (
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

var deliveryStatuses = []string{"pending", "delivered", "failed", "cancelled"}

// deliveriesCommand returns the command that lists, shows and repeats the deliveries of a webhook.
func deliveriesCommand(s *command.Settings) *cobra.Command {
	return s.Group("deliveries", "List, show and repeat the deliveries of a webhook",
		command.List[client.WebhookDelivery]{
			Use: "list WEBHOOK", Noun: "deliveries", Short: "List the newest deliveries of a webhook, by its ID, URL or description",
			At: deliveriesPath, Header: []string{"ID", "CREATED", "EVENT", "STATUS", "ATTEMPTS", "LAST RESPONSE", "RECORD"}, Row: deliveryRow,
			Filters: []command.Filter{
				{Flag: "status", Usage: "list only deliveries with this status: " + command.Choice(deliveryStatuses), Values: deliveryStatuses},
				{Flag: "event", Usage: "list only deliveries of this event, such as rollout.rolled_back"},
			},
		}.Command(s),
		s.Calling("show WEBHOOK DELIVERY", "Show a delivery and its attempts, by the delivery's ID", func(c command.Call) error {
			path, err := deliveriesPath(c)
			if err != nil {
				return err
			}
			wanted := command.Number(c.Args[1])
			found, raw, err := command.Find(c, path, url.Values{}, func(d client.WebhookDelivery) bool { return d.ID == wanted })
			if err != nil {
				return err
			}
			if found == nil {
				return command.NotFoundf("delivery %q does not exist; `waft webhooks deliveries list %s` lists them", c.Args[1], c.Args[0])
			}
			return command.Tell(c, deliveryLines).Print(raw, found)
		}),
		s.Calling("redeliver WEBHOOK DELIVERY", "Send the message of a delivery again", func(c command.Call) error {
			id, err := webhookOf(c, c.Args[0])
			if err != nil {
				return err
			}
			delivery, err := command.ByID("delivery", "waft webhooks deliveries list "+c.Args[0])(c, c.Args[1])
			if err != nil {
				return err
			}
			return command.Tell(c, deliveryLines).
				Made(c.API.RedeliverWebhookWithResponse(c.Context(), id, delivery, &client.RedeliverWebhookParams{}))
		}),
	)
}

func deliveriesPath(c command.Call) (string, error) {
	id, err := webhookOf(c, c.Args[0])
	return fmt.Sprintf("/webhooks/%d/deliveries", id), err
}

func deliveryRow(d client.WebhookDelivery) []string {
	record := "-"
	if d.Subject != nil {
		record = command.Cell(d.Subject.Kind + " " + d.Subject.ID + " " + d.Subject.Name)
	}
	return []string{
		strconv.FormatInt(d.ID, 10), d.CreatedAt.UTC().Format(command.Stamp), d.Event, string(d.Status), strconv.Itoa(len(d.Attempts)),
		lastResponse(d), record,
	}
}

// lastResponse returns the outcome of the last attempt of a delivery.
func lastResponse(d client.WebhookDelivery) string {
	if len(d.Attempts) == 0 {
		return "-"
	}
	return command.Cell(attemptOutcome(d.Attempts[len(d.Attempts)-1]))
}

func attemptOutcome(a client.DeliveryAttempt) string {
	switch {
	case a.ResponseStatus != nil && a.Error != "":
		return fmt.Sprintf("%d, %s", *a.ResponseStatus, a.Error)
	case a.ResponseStatus != nil:
		return strconv.FormatInt(*a.ResponseStatus, 10)
	}
	return a.Error
}

// deliveryLine returns a delivery in one line.
func deliveryLine(d client.WebhookDelivery) string {
	return fmt.Sprintf("%s %s, %s, last response %s", d.CreatedAt.UTC().Format(command.Stamp), d.Event, d.Status, lastResponse(d))
}

func deliveryLines(d client.WebhookDelivery) []string {
	lines := []string{fmt.Sprintf("delivery %d of %s: %s, message %s", d.ID, d.Event, d.Status, d.MessageID)}
	for _, a := range d.Attempts {
		line := fmt.Sprintf("  %s  %s in %d ms", a.At.UTC().Format(command.Stamp), attemptOutcome(a), a.DurationMs)
		if a.ResponseSnippet != "" {
			line += ": " + command.OneLine(a.ResponseSnippet, 100)
		}
		lines = append(lines, line)
	}
	if d.NextAttemptAt != nil {
		lines = append(lines, "  next attempt "+d.NextAttemptAt.UTC().Format(command.Stamp))
	}
	return lines
}

func testWebhookCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("test WEBHOOK", "Send a test message to a webhook, by its ID, URL or description", webhookOf,
		func(c command.Call, id int64) error {
			return command.Tell(c, deliveryLines).Made(c.API.TestWebhookWithResponse(c.Context(), id, &client.TestWebhookParams{}))
		})
	cmd.Long = "`waft webhooks deliveries list WEBHOOK` shows the response of the receiver."
	return cmd
}

func recoverWebhookCommand(s *command.Settings) *cobra.Command {
	var since string
	cmd := s.On("recover WEBHOOK", "Send the failed messages of a period again", webhookOf, func(c command.Call, id int64) error {
		at, err := pastTime(since)
		if err != nil {
			return err
		}
		lines := func(r client.WebhookRecovery) []string {
			lines := []string{fmt.Sprintf("messages sent again: %d", r.Redelivered)}
			if r.Remaining > 0 {
				lines = append(lines, fmt.Sprintf("failed messages that remain: %d; run the command again to send them", r.Remaining))
			}
			return lines
		}
		return command.Tell(c, lines).
			Found(c.API.RecoverWebhookWithResponse(c.Context(), id, &client.RecoverWebhookParams{}, client.RecoverWebhookBody{Since: at}))
	})
	cmd.Example = "  waft webhooks recover https://example.com/waft --since 6h"
	cmd.Flags().StringVar(&since, "since", "", "start of the period: a duration before now such as 6h, or a time such as 2026-03-14T09:00:00Z")
	return command.Required(cmd, "since")
}

// pastTime reads --since: a duration before now, or a time.
func pastTime(text string) (time.Time, error) {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return time.Now().Add(-d), nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, command.Usagef("--since must be a duration such as 6h or a time such as 2026-03-14T09:00:00Z, not %q", text)
	}
	return at, nil
}
