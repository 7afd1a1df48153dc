// Package account has the commands that give waft access to a server: sign-ins, keys and tokens of CI jobs.
package account

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/command"
	"github.com/waft-ota/waft/models"
)

// Login returns the command login.
func Login(s *command.Settings) *cobra.Command {
	var email string
	var noBrowser bool
	cmd := command.OnProfiles(&cobra.Command{
		Use: "login", Short: "Sign in with your account, for example to approve calls", Args: command.Args(),
		Long: "Shows a code and opens a page in your browser, where you compare the code and confirm. This machine then has a\n" +
			"session of your account, which Settings, Sessions in the dashboard lists and ends. With --email, a machine without\n" +
			"a browser asks for the password instead, or reads one line from the standard input.\n\n" +
			"The session is saved in your configuration folder, readable only by you, until it ends or you run `waft logout`.\n" +
			"With --profile it is saved in that profile, together with --url and --project. The session that was there before\n" +
			"ends. Commands that only people may use, such as `waft approvals approve`, use the session. Without an API key, all\n" +
			"commands use it.",
		Example: "  waft login --url https://ota.example.com\n" +
			"  waft login --profile prod --url https://ota.example.com --project shop\n" +
			"  waft login --email jo@example.com",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.CheckLogin(cmd); err != nil {
				return err
			}
			if err := command.NotEmpty(cmd, "email"); err != nil {
				return err
			}
			l, err := login(cmd, s.URL, email, !noBrowser)
			if err != nil {
				return err
			}
			replaced, err := s.SaveLogin(cmd, l)
			if err != nil {
				return err
			}
			endReplaced(cmd.Context(), replaced)
			if s.JSON {
				return command.PrintRecord(cmd.OutOrStdout(), map[string]string{"server": l.Server, "email": l.Email})
			}
			lines := []string{fmt.Sprintf("signed in to %s as %s", l.Server, l.Email)}
			if p, err := command.LoadProfiles(); s.Profile != "" && err == nil && p.Current != s.Profile {
				lines = append(lines, fmt.Sprintf("commands use the session with --profile %s; `waft profiles use %s` chooses it for all commands",
					s.Profile, s.Profile))
			}
			return command.PrintLines(cmd.OutOrStdout(), lines)
		},
	})
	cmd.Flags().StringVar(&email, "email", "", "email address of your account, to sign in with the password and without a browser")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "only print the address of the page")
	return cmd
}

// login signs in: with the password of an email address, otherwise in the browser.
func login(cmd *cobra.Command, server, email string, open bool) (*command.Login, error) {
	api, err := client.New(server, client.Credentials{})
	if err != nil {
		return nil, err
	}
	if email == "" {
		return byBrowser(cmd, api, server, open)
	}
	password, err := readPassword(cmd)
	if err != nil {
		return nil, err
	}
	res, err := api.LogInWithResponse(cmd.Context(), client.LogInBody{Email: email, Password: password})
	if client.CodeOf(err) == models.CodeUnauthenticated {
		return nil, &command.SignInError{Err: err} // the fix for a refused key does not help
	}
	if err != nil {
		return nil, err
	}
	return sessionOf(res.HTTPResponse, server, email)
}

// Logout returns the command logout.
func Logout(s *command.Settings) *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: "End the session of `waft login`", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := s.SavedLogin()
			if err != nil {
				return err
			}
			if l == nil {
				return s.Say(cmd, "not signed in to "+command.Origin(s.URL))
			}
			if err := s.ForgetLogin(l); err != nil {
				return err
			}
			if err := end(cmd.Context(), l); err != nil {
				return err
			}
			return s.Say(cmd, "signed out of "+l.Server)
		},
	}
}

// end ends a session at its server. A session that has ended already is not an error.
func end(ctx context.Context, l *command.Login) error {
	api, err := client.New(l.Server, client.Credentials{Session: l.Cookie})
	if err != nil {
		return err
	}
	if _, err := api.LogOutWithResponse(ctx); err != nil && client.CodeOf(err) != models.CodeUnauthenticated {
		return fmt.Errorf("the session was deleted on this machine, but the server did not end it: %w; "+
			"end it in the dashboard, in Settings, Sessions", err)
	}
	return nil
}

// endTime limits the request that ends a replaced session, whose server may be unavailable.
const endTime = 5 * time.Second

// endReplaced ends the session that a sign-in replaced on this machine. It ignores failures, because the sign-in succeeded
// and an unused session ends after 12 hours.
func endReplaced(ctx context.Context, l *command.Login) {
	if l == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, endTime)
	defer cancel()
	_ = end(ctx, l)
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

// sessionOf returns the session that the response to a sign-in sets.
func sessionOf(res *http.Response, server, email string) (*command.Login, error) {
	for _, cookie := range res.Cookies() {
		if strings.HasSuffix(cookie.Name, "waft_session") && cookie.Value != "" {
			sent := http.Cookie{Name: cookie.Name, Value: cookie.Value}
			return &command.Login{Server: command.Origin(server), Email: email, Cookie: sent.String()}, nil
		}
	}
	return nil, errors.New("the response to the sign-in has no session cookie; is this a Waft server? See --url (WAFT_URL)")
}
