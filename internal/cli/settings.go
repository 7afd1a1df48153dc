package cli

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

// settings are the server's address, the project, the key and the form of the output.
type settings struct {
	url     string
	project string
	key     string
	json    bool
}

const defaultURL = "http://127.0.0.1:8080"

// register adds the flags to root, with defaults from the environment. The key is not a
// flag's default, since help texts show defaults.
func (s *settings) register(root *cobra.Command, env func(string) string) {
	flags := root.PersistentFlags()
	flags.StringVar(&s.url, "url", cmp.Or(env("WAFT_URL"), defaultURL), "the server's address (WAFT_URL)")
	flags.StringVar(&s.project, "project", env("WAFT_PROJECT"), "slug of the project (WAFT_PROJECT)")
	flags.StringVar(&s.key, "api-key", "", "API key; better given as WAFT_API_KEY, which others cannot see")
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if s.key == "" {
			s.key = env("WAFT_API_KEY")
		}
		if u, err := url.Parse(s.url); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
			return errors.New("--url (WAFT_URL) must be an http or https address such as " + defaultURL)
		}
		return nil
	}
}

// needProject returns an error when there is no project.
func (s *settings) needProject() error {
	if s.project == "" {
		return errors.New("the project is missing: give --project or set WAFT_PROJECT")
	}
	return nil
}

// client is a client for the project's management API: with the key; without one with the
// session of `waft login`, or in a CI job with a key that its id token is exchanged for. A
// command for people takes the session first.
func (s *settings) client(ctx context.Context) (*client.Waft, error) {
	if err := s.needProject(); err != nil {
		return nil, err
	}
	if s.key == "" && idTokenAtHand() {
		got, err := s.exchange(ctx, "", "")
		if err != nil {
			return nil, err
		}
		s.key = got.JSON201.Key
	}
	credentials := client.Credentials{Key: s.key, Project: s.project}
	if s.key == "" || ctx.Value(withoutKey{}) != nil {
		l, err := savedLogin(s.url)
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
	return client.New(s.url, credentials)
}

// call is one run of a command that uses the API.
type call struct {
	*cobra.Command
	*settings
	api  *client.Waft
	args []string
}

// calling makes a command that runs f. The words of use after the first name its arguments.
func (s *settings) calling(use, short string, f func(call) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: args(strings.Fields(use)[1:]...),
		RunE: func(cmd *cobra.Command, args []string) error {
			api, err := s.client(cmd.Context())
			if err != nil {
				return err
			}
			return s.withPending(f(call{cmd, s, api, args}))
		},
	}
}

// on makes a command that runs f with the id of the record that its first argument names.
func (s *settings) on(use, short string, find lookup, f func(c call, id int64) error) *cobra.Command {
	return s.calling(use, short, func(c call) error {
		id, err := find(c, c.args[0])
		if err != nil {
			return err
		}
		return f(c, id)
	})
}

// withoutKey is the context key of commands that a person gives.
type withoutKey struct{}

// asPerson makes a command use the session of `waft login`, also when there is a key.
func (s *settings) asPerson(cmd *cobra.Command) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SetContext(context.WithValue(cmd.Context(), withoutKey{}, true))
		return nil
	}
}
