package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/client"
	"github.com/waft-ota/waft/internal/cli/terminal"
)

// ofProfiles marks commands that work on profiles, so that the named profile need not exist.
const ofProfiles = "waft.profiles"

// OnProfiles makes a command work although the profile that is named does not exist.
func OnProfiles(cmd *cobra.Command) *cobra.Command { return annotated(cmd, ofProfiles) }

// acrossProjects marks commands whose records do not belong to one project.
const acrossProjects = "waft.acrossProjects"

// withoutProject is the context key that marks these commands.
type withoutProject struct{}

// AcrossProjects makes a command and the commands below it work without a project.
func AcrossProjects(cmd *cobra.Command) *cobra.Command { return annotated(cmd, acrossProjects) }

func isAcrossProjects(cmd *cobra.Command) bool {
	return cmd != nil && (cmd.Annotations[acrossProjects] != "" || isAcrossProjects(cmd.Parent()))
}

func annotated(cmd *cobra.Command, name string) *cobra.Command {
	if cmd.Annotations == nil {
		cmd.Annotations = map[string]string{}
	}
	cmd.Annotations[name] = "true"
	return cmd
}

// chooseProfile fills in the settings that neither a flag nor the environment sets from the profile. given reports
// whether one of them sets a setting.
func (s *Settings) chooseProfile(cmd *cobra.Command, given func(flag, variable string) bool) error {
	p, err := LoadProfiles()
	if err != nil {
		return err
	}
	s.chosen = s.Profile
	if s.chosen == "" && !cmd.Flags().Changed("profile") { // --profile '' chooses none
		s.chosen = p.Current
	}
	if s.chosen != "" {
		if s.profile, err = p.Find(s.chosen); err != nil && cmd.Annotations[ofProfiles] == "" {
			return err
		}
	}
	return s.fillIn(cmd, given)
}

func (s *Settings) fillIn(cmd *cobra.Command, given func(flag, variable string) bool) error {
	from := "--url (WAFT_URL)"
	if s.profile.URL != "" && !given("url", "WAFT_URL") {
		s.URL, from = s.profile.URL, fmt.Sprintf("the url of the profile %q", s.chosen)
	}
	if err := checkURL(s.URL, from); err != nil {
		return err
	}
	if s.profile.URL != "" && Origin(s.profile.URL) != Origin(s.URL) {
		if s.Profile != "" && cmd.Annotations[ofProfiles] == "" {
			fmt.Fprintln(cmd.ErrOrStderr(), terminal.Plain(fmt.Sprintf("the profile %s is not used: it is for %s, and --url (WAFT_URL) is %s",
				s.chosen, s.profile.URL, s.URL)))
		}
		s.profile = Profile{}
	}
	if !given("project", "WAFT_PROJECT") {
		s.Project = s.profile.Project
	}
	return nil
}

// projectsTime limits the request for the projects that an error lists.
const projectsTime = 5 * time.Second

// ownProjects returns a line with the projects that the caller may use, with the profiles, or with the way to sign in.
func (s *Settings) ownProjects(ctx context.Context) string {
	credentials, err := s.credentials(ctx)
	if err != nil {
		return ""
	}
	if credentials.Key == "" && credentials.Session == "" {
		return s.wayToSignIn()
	}
	api, err := client.New(s.URL, credentials)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, projectsTime)
	defer cancel()
	me, err := api.GetMeWithResponse(ctx)
	if err != nil || me.JSON200 == nil || len(me.JSON200.Projects) == 0 {
		return ""
	}
	slugs := make([]string, len(me.JSON200.Projects))
	for i, project := range me.JSON200.Projects {
		slugs[i] = project.Slug
	}
	return fmt.Sprintf("\nyour projects on %s: %s", Origin(s.URL), OneLine(strings.Join(slugs, ", "), 500))
}

// wayToSignIn returns a line for a person without a key and a session: the sign-in, or the profiles to choose from.
func (s *Settings) wayToSignIn() string {
	if s.profile.URL != "" {
		return fmt.Sprintf("\nyou are not signed in to %s: `waft login --profile %s` signs you in", Origin(s.URL), s.chosen)
	}
	if p, err := LoadProfiles(); err == nil && len(p.Profiles) > 0 {
		return "\nyour profiles: " + strings.Join(p.Names(), ", ") + "; `waft profiles use` chooses one for all commands"
	}
	return fmt.Sprintf("\nyou are not signed in to %s: `waft login` signs you in; for another server, add --url", Origin(s.URL))
}

func completeProfiles(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	p, err := LoadProfiles()
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.Names(), cobra.ShellCompDirectiveNoFileComp
}
