// Package account has the commands that give waft access to a server: sign-ins, keys and tokens of CI jobs.
package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
)

// Login returns the command login.
func Login(s *command.Settings) *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use: "login", Short: "Sign in with your account, for example to approve calls", Args: command.Args(),
		Long: "Asks for the password on a terminal, otherwise reads one line from the standard input. The session is saved\n" +
			"in your configuration folder, readable only by you, until it ends or you run `waft logout`. Commands that only\n" +
			"people may use, such as `waft approvals approve`, use the session. Without an API key, all commands use it.",
		Example: "  waft login --email jo@example.com",
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := readPassword(cmd)
			if err != nil {
				return err
			}
			l, err := signIn(cmd.Context(), s.URL, email, password)
			if err != nil {
				return err
			}
			if err := l.Save(); err != nil {
				return err
			}
			if s.JSON {
				return command.PrintRecord(cmd.OutOrStdout(), map[string]string{"server": l.Server, "email": l.Email})
			}
			return command.PrintLines(cmd.OutOrStdout(), []string{fmt.Sprintf("signed in to %s as %s", l.Server, l.Email)})
		},
	}
	cmd.Flags().StringVar(&email, "email", "", "email address of your account")
	return s.JSONFlag(command.Required(cmd, "email"))
}

// Logout returns the command logout.
func Logout(s *command.Settings) *cobra.Command {
	return s.JSONFlag(&cobra.Command{
		Use: "logout", Short: "End the session of `waft login`", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := command.SavedLogin(s.URL)
			if err != nil {
				return err
			}
			if l == nil {
				return s.Say(cmd, "not signed in to "+command.Origin(s.URL))
			}
			api, err := client.New(s.URL, client.Credentials{Session: l.Cookie})
			if err != nil {
				return err
			}
			if err := os.Remove(command.LoginFile(s.URL)); err != nil {
				return err
			}
			if _, err := api.LogOutWithResponse(cmd.Context()); err != nil {
				return fmt.Errorf("the session was deleted on this machine, but the server did not end it: %w", err)
			}
			return s.Say(cmd, "signed out of "+l.Server)
		},
	})
}

// readPassword reads the password without echoing it on a terminal.
func readPassword(cmd *cobra.Command) (string, error) {
	if file, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(file.Fd()) {
		fmt.Fprint(cmd.ErrOrStderr(), "password: ")
		password, err := term.ReadPassword(file.Fd())
		fmt.Fprintln(cmd.ErrOrStderr())
		return string(password), err
	}
	line, err := command.ReadLine(cmd.InOrStdin())
	if err != nil {
		return "", fmt.Errorf("cannot read the password from the standard input: %w", err)
	}
	return line, nil
}

// signIn signs in at the server and returns the new session.
func signIn(ctx context.Context, server, email, password string) (*command.Login, error) {
	api, err := client.New(server, client.Credentials{})
	if err != nil {
		return nil, err
	}
	res, err := api.LogInWithResponse(ctx, client.LogInBody{Email: email, Password: password})
	if err != nil {
		return nil, err
	}
	for _, cookie := range res.HTTPResponse.Cookies() {
		if strings.HasSuffix(cookie.Name, "waft_session") && cookie.Value != "" {
			sent := http.Cookie{Name: cookie.Name, Value: cookie.Value}
			return &command.Login{Server: command.Origin(server), Email: email, Cookie: sent.String()}, nil
		}
	}
	return nil, errors.New("the response to the sign-in has no session cookie; is this a Waft server? See --url (WAFT_URL)")
}
