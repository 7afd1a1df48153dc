// Package command contains what the commands of waft share: settings, calls of the API, lookups and output.
package command

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
)

// Settings are the server's address, the project, the API key and the output format.
type Settings struct {
	URL     string
	Project string
	// Profile is the name of the profile that a flag or the environment chose, or "".
	Profile string
	key     string
	JSON    bool
	// Yes is true if a person confirmed in advance what a command destroys.
	Yes bool

	// chosen is Profile, otherwise the current profile. profile is that profile. It is empty if the command calls another
	// server, because a server must not get the key, the session and the project of another one.
	chosen  string
	profile Profile
}

const defaultURL = "http://localhost:8080"

// Register adds the flags to root, with defaults from the environment. The key does not become a flag's default,
// because help texts show defaults.
func (s *Settings) Register(root *cobra.Command, env func(string) string) {
	flags := root.PersistentFlags()
	flags.StringVar(&s.URL, "url", cmp.Or(env("WAFT_URL"), defaultURL), "address of the server (WAFT_URL)")
	flags.StringVar(&s.Project, "project", env("WAFT_PROJECT"), "slug of the project (WAFT_PROJECT)")
	flags.StringVar(&s.Profile, "profile", "", "profile with address, project and key or session (WAFT_PROFILE)")
	flags.StringVar(&s.key, "api-key", "", "API key; prefer WAFT_API_KEY, because other users of the machine can see flags")
	flags.BoolVar(&s.JSON, "json", false, "print the server's response as JSON, for scripts")
	flags.BoolVar(&s.Yes, "yes", false, "do not ask before something is deleted or ended")
	_ = root.RegisterFlagCompletionFunc("profile", completeProfiles) // it fails only for unknown flags
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		// Cobra checks this later, with an error that does not count as wrong usage.
		if err := cmd.ValidateFlagGroups(); err != nil {
			return &UsageError{err}
		}
		if !flags.Changed("api-key") {
			s.key = env("WAFT_API_KEY")
		}
		if !flags.Changed("profile") {
			s.Profile = env(VarProfile)
		}
		return s.chooseProfile(cmd, func(flag, variable string) bool { return flags.Changed(flag) || env(variable) != "" })
	}
}

func checkURL(address, from string) error {
	if u, err := url.Parse(address); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return Usagef("%s must be an http or https address such as %s", from, defaultURL)
	}
	return nil
}

// NeedProject returns an error if no project is set. It lists the projects that the person or the key may use, or
// names the next step.
func (s *Settings) NeedProject(ctx context.Context) error {
	if s.Project != "" {
		return nil
	}
	return Usagef("the project is missing: use --project, set WAFT_PROJECT, or use a profile with a project (--profile, WAFT_PROFILE)%s",
		s.ownProjects(ctx))
}

// Client returns a client for the project's management API. It authenticates with the API key. Without a key it uses
// in a CI job a key that it gets for the job's ID token, otherwise the key of the profile or the session of `waft login`.
// A command for people prefers the session.
func (s *Settings) Client(ctx context.Context) (*client.Waft, error) {
	if ctx.Value(withoutProject{}) == nil {
		if err := s.NeedProject(ctx); err != nil {
			return nil, err
		}
	}
	if s.key == "" && s.Project != "" && idTokenAtHand() {
		got, err := s.Exchange(ctx, "", "")
		if err != nil {
			return nil, err
		}
		s.key = got.JSON201.Key
	}
	credentials, err := s.credentials(ctx)
	if err != nil {
		return nil, err
	}
	if credentials.Key == "" && credentials.Session == "" {
		return nil, &SignInError{withoutCredentials(os.Getenv)}
	}
	return client.New(s.URL, credentials, previewsAgain)
}

// credentials returns the key or the session of the command, or neither.
func (s *Settings) credentials(ctx context.Context) (client.Credentials, error) {
	c := client.Credentials{Key: cmp.Or(s.key, s.profile.APIKey), Project: s.Project}
	if c.Key != "" && ctx.Value(withoutKey{}) == nil {
		return c, nil
	}
	l, err := s.SavedLogin()
	if err == nil && l != nil {
		c.Key, c.Session = "", l.Cookie
	}
	return c, err
}

// Call is one run of a command that uses the API.
type Call struct {
	*cobra.Command
	*Settings
	API  *client.Waft
	Args []string
}

// Calling returns a command that runs f. The words of use after the first name its arguments.
func (s *Settings) Calling(use, short string, f func(Call) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: Args(strings.Fields(use)[1:]...),
		RunE: func(cmd *cobra.Command, args []string) error {
			if isAcrossProjects(cmd) {
				cmd.SetContext(context.WithValue(cmd.Context(), withoutProject{}, true))
			}
			api, err := s.Client(cmd.Context())
			if err != nil {
				return err
			}
			return s.withPending(namingList(cmd, namingFlags(cmd, f(Call{cmd, s, api, args}))))
		},
	}
}

// On returns a command that runs f with the ID of the record that its first argument names.
func (s *Settings) On(use, short string, find Lookup, f func(c Call, id int64) error) *cobra.Command {
	return s.Calling(use, short, func(c Call) error {
		id, err := find(c, c.Args[0])
		if err != nil {
			return err
		}
		return f(c, id)
	})
}

// withoutKey is the context key that marks commands for people.
type withoutKey struct{}

// AsPerson makes a command use the session of `waft login` even if there is a key.
func (s *Settings) AsPerson(cmd *cobra.Command) {
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SetContext(context.WithValue(cmd.Context(), withoutKey{}, true))
		return nil
	}
}
