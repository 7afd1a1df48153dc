// Package command is what the commands of waft share: settings, calls of the API, lookups and output.
package command

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

// Settings are the server's address, the project, the key and the form of the output.
type Settings struct {
	URL     string
	Project string
	key     string
	JSON    bool
}

const defaultURL = "http://localhost:8080"

// Register adds the flags to root, with defaults from the environment. The key is not a
// flag's default, since help texts show defaults.
func (s *Settings) Register(root *cobra.Command, env func(string) string) {
	flags := root.PersistentFlags()
	flags.StringVar(&s.URL, "url", cmp.Or(env("WAFT_URL"), defaultURL), "the server's address (WAFT_URL)")
	flags.StringVar(&s.Project, "project", env("WAFT_PROJECT"), "slug of the project (WAFT_PROJECT)")
	flags.StringVar(&s.key, "api-key", "", "API key; better given as WAFT_API_KEY, which others cannot see")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if s.key == "" {
			s.key = env("WAFT_API_KEY")
		}
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return errors.New("--url (WAFT_URL) must be an http or https address such as " + defaultURL)
		}
		return nil
	}
}

// NeedProject returns an error when there is no project.
func (s *Settings) NeedProject() error {
	if s.Project == "" {
		return errors.New("the project is missing: give --project or set WAFT_PROJECT")
	}
	return nil
}

// client is a client for the project's management API: with the key; without one with the
// session of `waft login`, or in a CI job with a key that its id token is exchanged for. A
// command for people takes the session first.
func (s *Settings) client(ctx context.Context) (*client.Waft, error) {
	if err := s.NeedProject(); err != nil {
		return nil, err
	}
	if s.key == "" && idTokenAtHand() {
		got, err := s.Exchange(ctx, "", "")
		if err != nil {
			return nil, err
		}
		s.key = got.JSON201.Key
	}
	credentials := client.Credentials{Key: s.key, Project: s.Project}
	if s.key == "" || ctx.Value(withoutKey{}) != nil {
		l, err := SavedLogin(s.URL)
		if err != nil {
			return nil, err
		}
		if l != nil {
			credentials.Key, credentials.Session = "", l.Cookie
		}
	}
	if credentials.Key == "" && credentials.Session == "" {
		return nil, errors.New("no API key: set WAFT_API_KEY, or give --api-key; or sign in by `waft login`")
	}
	return client.New(s.URL, credentials)
}

// Call is one run of a command that uses the API.
type Call struct {
	*cobra.Command
	*Settings
	API  *client.Waft
	Args []string
}

// Calling makes a command that runs f. The words of use after the first name its arguments.
func (s *Settings) Calling(use, short string, f func(Call) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: Args(strings.Fields(use)[1:]...),
		RunE: func(cmd *cobra.Command, args []string) error {
			api, err := s.client(cmd.Context())
			if err != nil {
				return err
			}
			return s.withPending(f(Call{cmd, s, api, args}))
		},
	}
}

// On makes a command that runs f with the id of the record that its first argument names.
func (s *Settings) On(use, short string, find Lookup, f func(c Call, id int64) error) *cobra.Command {
	return s.Calling(use, short, func(c Call) error {
		id, err := find(c, c.Args[0])
		if err != nil {
			return err
		}
		return f(c, id)
	})
}

// withoutKey is the context key of commands that a person gives.
type withoutKey struct{}

// AsPerson makes a command use the session of `waft login`, also when there is a key.
func (s *Settings) AsPerson(cmd *cobra.Command) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SetContext(context.WithValue(cmd.Context(), withoutKey{}, true))
		return nil
	}
}
