package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func keysCommand(s *settings) *cobra.Command {
	return s.group("keys", "List, create and revoke API keys; needs an admin key",
		listKeysCommand(s), createKeyCommand(s), revokeKeyCommand(s),
	)
}

func listKeysCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the project's API keys", Args: args(),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, _ []string) error {
			return tell(cmd, s, table("no API keys",
				[]string{"ID", "NAME", "PREFIX", "ROLE", "LAST USED", "STATE"}, keyRow)).
				found(api.ListAPIKeysWithResponse(cmd.Context(), &client.ListAPIKeysParams{Limit: new(listLimit)}))
		}),
	}
}

func keyRow(k client.APIKey) []string {
	used, state := "never", "valid"
	if k.LastUsedAt != nil {
		used = k.LastUsedAt.UTC().Format(stamp)
	}
	switch {
	case k.RevokedAt != nil:
		state = "revoked " + k.RevokedAt.UTC().Format(stamp)
	case k.ExpiresAt != nil && k.ExpiresAt.Before(time.Now()):
		state = "expired " + k.ExpiresAt.UTC().Format(stamp)
	case k.ExpiresAt != nil:
		state = "until " + k.ExpiresAt.UTC().Format(stamp)
	}
	return []string{strconv.FormatInt(k.ID, 10), k.Name, k.Prefix, string(k.Role), used, state}
}

func createKeyCommand(s *settings) *cobra.Command {
	var role string
	var life time.Duration
	cmd := &cobra.Command{
		Use: "create NAME", Short: "Create an API key; it is shown once",
		Long: "NAME is what the audit log calls whoever uses the key. The key goes to the standard output and nothing\n" +
			"else does, so it can be piped to where secrets are kept.",
		Example: "  waft keys create ci --role editor",
		Args:    args("NAME"),
		RunE: s.calling(func(cmd *cobra.Command, api *client.Waft, args []string) error {
			body := client.CreateAPIKeyBody{Name: args[0], Role: client.CreateAPIKeyBodyRole(role)}
			if !body.Role.Valid() {
				return fmt.Errorf("--role must be viewer, editor or admin, not %q", role)
			}
			if cmd.Flags().Changed("expires-in") {
				if life <= 0 {
					return errors.New("--expires-in must be positive, such as 720h")
				}
				body.ExpiresAt = new(time.Now().Add(life))
			}
			lines := func(k client.CreatedAPIKey) []string {
				fmt.Fprintf(cmd.ErrOrStderr(), "key %d %q, role %s; it is not shown again\n", k.ID, k.Name, k.Role)
				return []string{k.Key}
			}
			return tell(cmd, s, lines).
				made(api.CreateAPIKeyWithResponse(cmd.Context(), &client.CreateAPIKeyParams{}, body))
		}),
	}
	cmd.Flags().StringVar(&role, "role", "", "viewer (reads), editor (also writes) or admin (also keys and settings)")
	cmd.Flags().DurationVar(&life, "expires-in", 0, "when it stops working, such as 720h; default: never")
	return required(cmd, "role")
}

func revokeKeyCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Revoke an API key at once and for good", Args: args("ID"),
		RunE: s.on(keyOf, func(cmd *cobra.Command, api *client.Waft, id int64, _ []string) error {
			_, err := api.RevokeAPIKeyWithResponse(cmd.Context(), id, &client.RevokeAPIKeyParams{})
			return done(cmd, s, err, "key %d is revoked", id)
		}),
	}
}

func keyOf(_ context.Context, s *settings, arg string) (int64, *client.Waft, error) {
	return recordOf(s, arg, "key", "waft keys list")
}
