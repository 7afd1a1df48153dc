package account

import (
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// Keys returns the command keys.
func Keys(s *command.Settings) *cobra.Command {
	var shortLived bool
	list := command.List[client.APIKey]{
		Noun: "API keys", Short: "List the project's API keys", Path: "/api-keys", Limit: command.ListLimit,
		Header: []string{"ID", "NAME", "PREFIX", "ROLE", "LAST USED", "STATE"}, Row: keyRow,
		Query: func(command.Call) map[string]string {
			return map[string]string{"shortLived": strconv.FormatBool(shortLived)}
		},
		Filters: []command.Filter{command.SearchFilter("keys", "name or prefix")},
	}.Command(s)
	list.Flags().BoolVar(&shortLived, "short-lived", false, "list the valid short-lived keys of trusted publishers instead of the other keys")
	return s.Group("keys", "List, create and revoke API keys; requires an admin key",
		list,
		createKeyCommand(s),
		s.On("revoke ID", "Revoke an API key immediately and permanently", command.KeyOf, func(c command.Call, id int64) error {
			if err := c.Confirm(fmt.Sprintf("Revoke key %d? Whatever uses it stops working.", id)); err != nil {
				return err
			}
			_, err := c.API.RevokeAPIKeyWithResponse(c.Context(), id, &client.RevokeAPIKeyParams{})
			return command.Done(c, err, "key %d revoked", id)
		}),
	)
}

func keyRow(k client.APIKey) []string {
	used, state := "never", "valid"
	if k.LastUsedAt != nil {
		used = k.LastUsedAt.UTC().Format(command.Stamp)
	}
	switch {
	case k.RevokedAt != nil:
		state = "revoked " + k.RevokedAt.UTC().Format(command.Stamp)
	case k.ExpiresAt != nil && k.ExpiresAt.Before(time.Now()):
		state = "expired " + k.ExpiresAt.UTC().Format(command.Stamp)
	case k.ExpiresAt != nil:
		state = "until " + k.ExpiresAt.UTC().Format(command.Stamp)
	}
	return []string{strconv.FormatInt(k.ID, 10), k.Name, k.Prefix, string(k.Role), used, state}
}

func createKeyCommand(s *command.Settings) *cobra.Command {
	var role string
	var life time.Duration
	cmd := s.Calling("create NAME", "Create an API key; the key is shown only once", func(c command.Call) error {
		body := client.CreateAPIKeyBody{Name: c.Args[0], Role: client.CreateAPIKeyBodyRole(role)}
		if !body.Role.Valid() {
			return command.Usagef("--role must be client, viewer, editor or admin, not %q", role)
		}
		if c.Flags().Changed("expires-in") {
			if life <= 0 {
				return command.Usagef("--expires-in must be positive, such as 720h")
			}
			body.ExpiresAt = new(time.Now().Add(life))
		}
		lines := func(k client.CreatedAPIKey) []string {
			fmt.Fprintln(c.ErrOrStderr(), terminal.Plain(fmt.Sprintf("key %d %q, role %s; the key is not shown again", k.ID, k.Name, k.Role)))
			return []string{k.Key}
		}
		return command.Tell(c, lines).
			Made(c.API.CreateAPIKeyWithResponse(c.Context(), &client.CreateAPIKeyParams{}, body))
	})
	cmd.Long = "The audit log shows NAME for everything that is done with the key. Only the key is written to the standard\n" +
		"output, so you can pipe it."
	cmd.Example = "  waft keys create ci --role editor"
	cmd.Flags().StringVar(&role, "role", "", "client (evaluates flags only), viewer (reads), "+
		"editor (reads and writes) or admin (also manages keys and settings)")
	cmd.Flags().DurationVar(&life, "expires-in", 0, "time until the key expires, such as 720h; default: never")
	return command.Required(cmd, "role")
}
