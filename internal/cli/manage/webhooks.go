package manage

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// Webhooks returns the command that lists, changes and tests webhooks.
func Webhooks(s *command.Settings) *cobra.Command {
	return s.Group("webhooks", "List, show, create, change, test and delete webhooks, and their deliveries",
		command.List[client.Webhook]{
			Noun: "webhooks", Short: "List the webhooks and their newest deliveries", Path: "/webhooks",
			Header: []string{"ID", "URL", "EVENTS", "STATE", "LAST DELIVERY", "DESCRIPTION"}, Row: webhookRow,
			Filters: []command.Filter{command.SearchFilter("webhooks", "URL or description")},
		}.Command(s),
		s.On("show WEBHOOK", "Show a webhook, by its ID, URL or description", webhookOf, func(c command.Call, id int64) error {
			return command.Tell(c, webhookLines).Found(c.API.GetWebhookWithResponse(c.Context(), id, &client.GetWebhookParams{}))
		}),
		command.List[client.WebhookEvent]{
			Use: "events", Noun: "events", Short: "List the events that webhooks can subscribe to", Path: "/webhooks/events", Whole: true,
			Header: []string{"EVENT", "RECORD", "DESCRIPTION"},
			Row:    func(e client.WebhookEvent) []string { return []string{e.Event, e.EntityType, e.Description} },
		}.Command(s),
		createWebhookCommand(s), editWebhookCommand(s), testWebhookCommand(s), deliveriesCommand(s), rotateSecretCommand(s),
		recoverWebhookCommand(s),
		s.On("delete WEBHOOK", "Delete a webhook, by its ID, URL or description; pending messages are not sent", webhookOf,
			func(c command.Call, id int64) error {
				if err := c.Confirm(fmt.Sprintf("Delete the webhook %s?", c.Args[0])); err != nil {
					return err
				}
				_, err := c.API.DeleteWebhookWithResponse(c.Context(), id, &client.DeleteWebhookParams{})
				return command.Done(c, err, "webhook %s deleted", c.Args[0])
			}),
	)
}

// webhookOf finds the webhook with an ID, URL or description. It refuses a name that several webhooks have.
func webhookOf(c command.Call, arg string) (int64, error) {
	if id := command.Number(arg); id > 0 {
		return id, nil
	}
	var matches []string
	var id int64
	_, _, err := command.Find(c, "/webhooks", url.Values{}, func(w client.Webhook) bool {
		if w.URL == arg || w.Description == arg {
			id = w.ID
			matches = append(matches, strconv.FormatInt(w.ID, 10))
		}
		return false
	})
	switch {
	case err != nil:
		return 0, err
	case len(matches) == 0:
		return 0, command.NotFoundf("webhook %q does not exist in this project; `waft webhooks list` lists them", arg)
	case len(matches) > 1:
		return 0, command.Usagef("%q is the name of several webhooks: use the ID %s", arg, command.Choice(matches))
	}
	return id, nil
}

func webhookState(w client.Webhook) string {
	switch {
	case !w.IsActive && w.DisabledReason != "":
		return "disabled by Waft"
	case !w.IsActive:
		return "off"
	case w.FailingSince != nil:
		return "failing since " + w.FailingSince.UTC().Format(command.Stamp)
	}
	return "on"
}

func webhookRow(w client.Webhook) []string {
	last := "-"
	if w.LastDelivery != nil {
		last = string(w.LastDelivery.Status)
	}
	return []string{
		strconv.FormatInt(w.ID, 10), command.Cell(w.URL), command.Cell(strings.Join(w.Events, ", ")), webhookState(w), last,
		command.Cell(w.Description),
	}
}

func webhookLines(w client.Webhook) []string {
	lines := []string{fmt.Sprintf("webhook %d to %s: %s, format %s", w.ID, w.URL, webhookState(w), w.Format)}
	if w.Description != "" {
		lines = append(lines, w.Description)
	}
	if w.DisabledReason != "" {
		lines = append(lines, "disabled: "+w.DisabledReason)
	}
	lines = append(lines, "events: "+strings.Join(w.Events, ", "), "secret ends with "+w.SecretHint)
	if w.OldSecretUntil != nil {
		lines = append(lines, "the old secret also signs until "+w.OldSecretUntil.UTC().Format(command.Stamp))
	}
	if w.LastDelivery != nil {
		lines = append(lines, "last delivery: "+deliveryLine(*w.LastDelivery))
	}
	return lines
}

func webhookFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringSlice("events", nil, "events as listed by waft webhooks events, separated by commas, or * for all")
	f.String("format", "standard", "format of the messages: standard, slack or teams")
	f.String("description", "", "description of the webhook")
	f.String("secret", "", "secret that signs messages; default: generated")
	f.Bool("active", true, "whether the webhook gets messages; --active=false turns it off")
}

// webhookFields are the fields of a webhook that flags fill.
var webhookFields = []string{"events", "format", "description?", "secret", "active=isActive"}

// tellSecret prints a webhook's secret on the standard output, and the rest on the standard error.
func tellSecret(c command.Call) command.Teller[client.CreatedWebhook] {
	return command.Tell(c, func(w client.CreatedWebhook) []string {
		fmt.Fprintln(c.ErrOrStderr(), terminal.Plain(fmt.Sprintf("webhook %d to %s; its secret is not shown again:", w.ID, w.URL)))
		return []string{w.Secret}
	})
}

func createWebhookCommand(s *command.Settings) *cobra.Command {
	cmd := s.Calling("create URL", "Create a webhook; its secret is shown only once", func(c command.Call) error {
		body, err := command.BodyOf(c, webhookFields...)
		if err != nil {
			return err
		}
		if !body.Has("events") {
			return command.Usagef("--events is missing: the events as in `waft webhooks events`, or * for all")
		}
		body.Set("url", c.Args[0])
		reader, err := body.Reader()
		if err != nil {
			return err
		}
		return tellSecret(c).Made(c.API.CreateWebhookWithBodyWithResponse(c.Context(), &client.CreateWebhookParams{}, "application/json", reader))
	})
	cmd.Long = "Only the secret is written to the standard output, so you can pipe it."
	cmd.Example = "  waft webhooks create https://example.com/waft --events rollout.rolled_back,incident.opened\n" +
		"  waft webhooks create https://hooks.slack.com/services/… --events '*' --format slack"
	webhookFlags(cmd)
	return cmd
}

func editWebhookCommand(s *command.Settings) *cobra.Command {
	cmd := s.On("edit WEBHOOK", "Change a webhook, by its ID, URL or description", webhookOf, func(c command.Call, id int64) error {
		body, err := command.BodyOf(c, append([]string{"new-url=url"}, webhookFields...)...)
		if err != nil {
			return err
		}
		reader, err := body.Changes(c)
		if err != nil {
			return err
		}
		return command.Tell(c, webhookLines).
			Found(c.API.PatchWebhookWithBodyWithResponse(c.Context(), id, &client.PatchWebhookParams{}, "application/json", reader))
	})
	cmd.Example = "  waft webhooks edit 4 --events rollout.rolled_back\n  waft webhooks edit 4 --active=false"
	webhookFlags(cmd)
	cmd.Flags().String("new-url", "", "URL that messages are posted to")
	return cmd
}

func rotateSecretCommand(s *command.Settings) *cobra.Command {
	var immediately bool
	cmd := s.On("rotate-secret WEBHOOK", "Generate a new secret, which is shown only once", webhookOf, func(c command.Call, id int64) error {
		if immediately {
			if err := c.Confirm(fmt.Sprintf("Replace the secret of the webhook %s immediately?", c.Args[0])); err != nil {
				return err
			}
		}
		return tellSecret(c).Found(c.API.RotateWebhookSecretWithResponse(
			c.Context(), id, &client.RotateWebhookSecretParams{}, client.RotateWebhookBody{Immediately: &immediately}))
	})
	cmd.Long = "The old secret signs for another 24 hours, so that you have time to replace it in the receiver."
	cmd.Flags().BoolVar(&immediately, "immediately", false, "the old secret stops signing now, for example because it leaked")
	return cmd
}
