package account

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waft-ota/waft/internal/cli/command"
)

// Profiles returns the command profiles.
func Profiles(s *command.Settings) *cobra.Command {
	cmd := s.Group("profiles", "List, choose, add and remove the servers and projects that you use",
		listProfiles(s), useProfile(s), addProfile(s), removeProfile(s))
	cmd.Long = "A profile has the address of a server, a project, and optionally a key or the session of `waft login --profile`.\n" +
		"--profile or WAFT_PROFILE choose a profile for one command, and `waft profiles use` for all commands. Flags go before\n" +
		"environment variables, and these go before the profile. If --url or WAFT_URL name another server than the profile,\n" +
		"nothing of the profile is used. The profiles are in the file waft/profiles.json in your configuration folder,\n" +
		"readable only by you."
	return cmd
}

// shownProfile is a profile without its secrets.
type shownProfile struct {
	Name      string `json:"name"`
	URL       string `json:"url"`
	Project   string `json:"project,omitempty"`
	HasKey    bool   `json:"hasKey"`
	Email     string `json:"email,omitempty"`
	IsCurrent bool   `json:"isCurrent"`
}

func shownProfiles(p command.Profiles) []shownProfile {
	list := []shownProfile{}
	for _, name := range p.Names() {
		each := p.Profiles[name]
		shown := shownProfile{Name: name, URL: each.URL, Project: each.Project, HasKey: each.APIKey != "", IsCurrent: name == p.Current}
		if each.Login != nil {
			shown.Email = each.Login.Email
		}
		list = append(list, shown)
	}
	return list
}

func profileRow(p shownProfile) []string {
	var access []string
	if p.HasKey {
		access = append(access, "key")
	}
	if p.Email != "" {
		access = append(access, "session of "+p.Email)
	}
	current := ""
	if p.IsCurrent {
		current = "current"
	}
	return []string{p.Name, p.URL, p.Project, strings.Join(access, ", "), current}
}

func listProfiles(s *command.Settings) *cobra.Command {
	return command.OnProfiles(&cobra.Command{
		Use: "list", Short: "List your profiles, without their secrets", Args: command.Args(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			p, err := command.LoadProfiles()
			if err != nil {
				return err
			}
			list := shownProfiles(p)
			if s.JSON {
				return command.PrintRecord(cmd.OutOrStdout(), list)
			}
			table := command.Table(cmd.OutOrStdout(), "no profiles; `waft profiles add` adds one",
				[]string{"PROFILE", "URL", "PROJECT", "ACCESS", ""}, profileRow)
			return command.PrintLines(cmd.OutOrStdout(), table(list))
		},
	})
}

func useProfile(s *command.Settings) *cobra.Command {
	return command.OnProfiles(&cobra.Command{
		Use: "use PROFILE", Short: "Make a profile the one of all commands that do not name another", Args: command.Args("PROFILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			var found command.Profile
			err := command.EditProfiles(func(p *command.Profiles) (err error) {
				found, err = p.Find(args[0])
				p.Current = args[0]
				return err
			})
			if err != nil {
				return err
			}
			return s.Say(cmd, fmt.Sprintf("commands without --profile now use %s: %s", args[0], described(found)))
		},
	})
}

func described(p command.Profile) string {
	if p.Project == "" {
		return p.URL + ", without a project"
	}
	return p.URL + ", project " + p.Project
}

func addProfile(s *command.Settings) *cobra.Command {
	var keyFile string
	cmd := command.OnProfiles(&cobra.Command{
		Use: "add PROFILE", Short: "Add a profile with --url and --project", Args: command.Args("PROFILE"),
		Example: "  waft profiles add staging --url https://ota-staging.example.com --project shop\n" +
			"  waft profiles add prod --url https://ota.example.com --project shop --key-file - < key.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := command.CheckProfileName(args[0]); err != nil {
				return err
			}
			if !cmd.Flags().Changed("url") {
				return command.Usagef("--url is missing: address of the server of the profile")
			}
			added := command.Profile{URL: s.URL}
			if cmd.Flags().Changed("project") {
				added.Project = s.Project
			}
			var err error
			if added.APIKey, err = readKey(cmd, keyFile); err != nil {
				return err
			}
			err = command.EditProfiles(func(p *command.Profiles) error {
				if _, exists := p.Profiles[args[0]]; exists {
					return command.Usagef("the profile %q exists; use another name, or remove it first with `waft profiles remove %s`", args[0], args[0])
				}
				p.Profiles[args[0]] = added
				return nil
			})
			if err != nil {
				return err
			}
			return s.Say(cmd, fmt.Sprintf("added %s: %s. Use it with --profile %s, or for all commands with `waft profiles use %s`",
				args[0], described(added), args[0], args[0]))
		},
	})
	cmd.Flags().StringVar(&keyFile, "key-file", "", "file with an API key to store in the profile; - reads the standard input")
	return cmd
}

// maxKeyFile is larger than any API key.
const maxKeyFile = 4 << 10

// readKey reads the file of --key-file. It returns "" if the flag is not set.
func readKey(cmd *cobra.Command, file string) (string, error) {
	if file == "" {
		return "", command.NotEmpty(cmd, "key-file")
	}
	in := cmd.InOrStdin()
	if file != "-" {
		opened, err := os.Open(file)
		if err != nil {
			return "", err
		}
		defer opened.Close()
		in = opened
	}
	text, err := io.ReadAll(io.LimitReader(in, maxKeyFile))
	if err != nil {
		return "", err
	}
	key := strings.TrimSpace(string(text))
	if key == "" || strings.ContainsAny(key, " \t\r\n") {
		return "", command.Usagef("--key-file must contain one API key and nothing else; `waft keys create` prints one")
	}
	return key, nil
}

func removeProfile(s *command.Settings) *cobra.Command {
	return command.OnProfiles(&cobra.Command{
		Use: "remove PROFILE", Short: "Remove a profile with its key, and end its session", Args: command.Args("PROFILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			stored, err := command.LoadProfiles()
			if err != nil {
				return err
			}
			removed, err := stored.Find(args[0])
			if err != nil {
				return err
			}
			question := fmt.Sprintf("Remove the profile %s (%s)?", args[0], described(removed))
			if err := (command.Call{Command: cmd, Settings: s}).Confirm(question); err != nil {
				return err
			}
			err = command.EditProfiles(func(p *command.Profiles) error {
				delete(p.Profiles, args[0])
				if p.Current == args[0] {
					p.Current = ""
				}
				return nil
			})
			if err != nil {
				return err
			}
			if removed.Login != nil {
				if err := end(cmd.Context(), removed.Login); err != nil {
					return err
				}
			}
			return s.Say(cmd, "removed "+args[0])
		},
	})
}
