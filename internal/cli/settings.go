package cli

import (
	"context"
	"errors"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

// settings say which server, which project and on whose behalf.
type settings struct {
	url     string
	project string
	key     string
	json    bool
}

const defaultURL = "http://127.0.0.1:8080"

// register adds the flags to root; the environment gives their defaults. The key
// is no default that a help text would show.
func (s *settings) register(root *cobra.Command, env func(string) string) {
	address := env("WAFT_URL")
	if address == "" {
		address = defaultURL
	}
	flags := root.PersistentFlags()
	flags.StringVar(&s.url, "url", address, "the server's address (WAFT_URL)")
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

// needProject reports a missing project in words that say what to do.
func (s *settings) needProject() error {
	if s.project == "" {
		return errors.New("the project is missing: give --project or set WAFT_PROJECT")
	}
	return nil
}

// client is a client for the project's management API.
func (s *settings) client() (*client.Waft, error) {
	if err := s.needProject(); err != nil {
		return nil, err
	}
	if s.key == "" {
		return nil, errors.New("no API key: set WAFT_API_KEY, or give --api-key")
	}
	return client.New(s.url, client.Credentials{Key: s.key, Project: s.project})
}

// A run is what a cobra command does.
type run func(*cobra.Command, []string) error

// calling makes a command's run of f, which gets the client.
func (s *settings) calling(f func(*cobra.Command, *client.Waft, []string) error) run {
	return func(cmd *cobra.Command, args []string) error {
		api, err := s.client()
		if err != nil {
			return err
		}
		return f(cmd, api, args)
	}
}

// A lookup returns the id of the record that the user names, and the client.
type lookup func(ctx context.Context, s *settings, arg string) (int64, *client.Waft, error)

// on makes a command's run of f, which gets the client, and the id of the record that
// the first argument names.
func (s *settings) on(find lookup, f func(cmd *cobra.Command, api *client.Waft, id int64, args []string) error) run {
	return func(cmd *cobra.Command, args []string) error {
		id, api, err := find(cmd.Context(), s, args[0])
		if err != nil {
			return err
		}
		return f(cmd, api, id, args)
	}
}
