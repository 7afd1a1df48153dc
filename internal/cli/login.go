package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

func loginCommand(s *settings) *cobra.Command {
	var email string
	cmd := &cobra.Command{
		Use: "login", Short: "Sign in with your account, to approve calls", Args: args(),
		Long: "Asks for the password at the terminal, or reads one line of the standard input. The session is kept in the\n" +
			"user's configuration folder, readable for nobody else, until it ends or `waft logout`. It is used by commands\n" +
			"that are for people, and by all commands when there is no API key.",
		Example: "  waft login --email jo@example.com",
		RunE: func(cmd *cobra.Command, _ []string) error {
			password, err := readPassword(cmd)
			if err != nil {
				return err
			}
			l, err := signIn(cmd.Context(), s.url, email, password)
			if err != nil {
				return err
			}
			if err := l.save(); err != nil {
				return err
			}
			if s.json {
				return printRecord(cmd.OutOrStdout(), map[string]string{"server": l.Server, "email": l.Email})
			}
			return printLines(cmd.OutOrStdout(), []string{fmt.Sprintf("signed in to %s as %s", l.Server, l.Email)})
		},
	}
	cmd.Flags().StringVar(&email, "email", "", "the address of your account")
	return s.jsonFlag(required(cmd, "email"))
}

func logoutCommand(s *settings) *cobra.Command {
	return s.jsonFlag(&cobra.Command{
		Use: "logout", Short: "End the session of `waft login`", Args: args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := savedLogin(s.url)
			if err != nil {
				return err
			}
			if l == nil {
				return s.say(cmd, "not signed in to "+origin(s.url))
			}
			api, err := client.New(s.url, client.Credentials{Session: l.Cookie})
			if err != nil {
				return err
			}
			if err := os.Remove(loginFile(s.url)); err != nil {
				return err
			}
			if _, err := api.LogOutWithResponse(cmd.Context()); err != nil {
				return fmt.Errorf("the session is forgotten here, but was not ended on the server: %w", err)
			}
			return s.say(cmd, "signed out of "+l.Server)
		},
	})
}

// readPassword reads a password without showing it.
func readPassword(cmd *cobra.Command) (string, error) {
	if file, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(file.Fd()) {
		fmt.Fprint(cmd.ErrOrStderr(), "password: ")
		password, err := term.ReadPassword(file.Fd())
		fmt.Fprintln(cmd.ErrOrStderr())
		return string(password), err
	}
	line, err := bufio.NewReader(cmd.InOrStdin()).ReadString('\n')
	if errors.Is(err, io.EOF) && line != "" {
		err = nil
	}
	if err != nil {
		return "", fmt.Errorf("no password on the standard input: %w", err)
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// signIn begins a session.
func signIn(ctx context.Context, server, email, password string) (*login, error) {
	api, err := client.New(server, client.Credentials{})
	if err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]string{"email": email, "password": password})
	if err != nil {
		return nil, err
	}
	res, err := api.LogInWithBodyWithResponse(ctx, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	for _, cookie := range res.HTTPResponse.Cookies() {
		if strings.HasSuffix(cookie.Name, "waft_session") && cookie.Value != "" {
			return &login{Server: origin(server), Email: email, Cookie: (&http.Cookie{Name: cookie.Name, Value: cookie.Value}).String()}, nil
		}
	}
	return nil, errors.New("the answer to the login has no session; is this a Waft server?")
}
