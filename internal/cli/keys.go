package cli

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func keysCommand(s *settings) *cobra.Command {
	return s.group("keys", "List, make and revoke API keys; takes an admin key",
		listKeysCommand(s), createKeyCommand(s), revokeKeyCommand(s),
	)
}

func listKeysCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the project's API keys", Args: args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			api, err := s.client()
			if err != nil {
				return err
			}
			return tell(cmd, s, table("no API keys",
				[]string{"ID", "NAME", "PREFIX", "ROLE", "LAST USED", "STATE"}, keyRow)).
				found(api.ListAPIKeysWithResponse(cmd.Context(), &client.ListAPIKeysParams{Limit: new(listLimit)}))
		},
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
		Use: "create NAME", Short: "Make an API key; it is shown once",
		Long: "NAME is what the audit log calls whoever uses the key. The key goes to the standard output and nothing\n" +
			"else does, so it can be piped to where secrets are kept.",
		Example: "  waft keys create ci --role editor",
		Args:    args("NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			body := client.CreateAPIKeyBody{Name: args[0], Role: client.CreateAPIKeyBodyRole(role)}
			if !body.Role.Valid() {
				return fmt.Errorf("--role must be viewer, editor or admin, not %q", role)
			}
			if cmd.Flags().Changed("expires-in") {
				if life <= 0 {
					return errors.New("--expires-in must be a time to come, such as 720h")
				}
				body.ExpiresAt = new(time.Now().Add(life))
			}
			api, err := s.client()
			if err != nil {
				return err
			}
			lines := func(k client.CreatedAPIKey) []string {
				fmt.Fprintf(cmd.ErrOrStderr(), "key %d %q, role %s; it is not shown again\n", k.ID, k.Name, k.Role)
				return []string{k.Key}
			}
			return tell(cmd, s, lines).
				made(api.CreateAPIKeyWithResponse(cmd.Context(), &client.CreateAPIKeyParams{}, body))
		},
	}
	cmd.Flags().StringVar(&role, "role", "", "viewer (reads), editor (also writes) or admin (also keys and settings)")
	cmd.Flags().DurationVar(&life, "expires-in", 0, "when it stops working, such as 720h; default: never")
	return required(cmd, "role")
}

func revokeKeyCommand(s *settings) *cobra.Command {
	return &cobra.Command{
		Use: "revoke ID", Short: "Revoke an API key at once and for good", Args: args("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, api, err := recordOf(s, args[0], "key", "waft keys list")
			if err != nil {
				return err
			}
			_, err = api.RevokeAPIKeyWithResponse(cmd.Context(), id, &client.RevokeAPIKeyParams{})
			return done(cmd, s, err, "key %d is revoked", id)
		},
	}
}
