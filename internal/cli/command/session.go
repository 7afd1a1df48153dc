package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/spf13/cobra"
)

// Login is the session that `waft login` saves.
type Login struct {
	// Server is the origin that the cookie belongs to.
	Server string `json:"server"`
	Email  string `json:"email"`
	// Cookie is the session cookie as name=value.
	Cookie string `json:"cookie"`
}

// save stores the session in a file for its server.
func (l *Login) save() error {
	path := loginFile(l.Server)
	if path == "" {
		return errors.New("the folder to save the session in is unknown; set XDG_CONFIG_HOME")
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	return writePrivate(path, text)
}

// Origin returns the scheme and the host of a server's address.
func Origin(server string) string {
	u, err := url.Parse(server)
	if err != nil {
		return server
	}
	return u.Scheme + "://" + u.Host
}

// loginFile returns the path of the saved session for a server, or "" if the configuration folder is unknown.
func loginFile(server string) string {
	path, err := configFile("session-" + url.QueryEscape(Origin(server)) + ".json")
	if err != nil {
		return ""
	}
	return path
}

// SavedLogin returns the session of the profile, otherwise the saved session for the server, or nil if none is saved.
func (s *Settings) SavedLogin() (*Login, error) {
	if l := s.profile.Login; l != nil && l.Server == Origin(s.URL) {
		return l, nil
	}
	return savedLogin(s.URL)
}

// SaveLogin saves a session: in the chosen profile, otherwise in a file for the server. It creates a profile that a flag or
// the environment names and that does not exist. It changes the project of a profile only if --profile names the profile.
// It returns the session that was there before, or nil.
func (s *Settings) SaveLogin(cmd *cobra.Command, l *Login) (replaced *Login, err error) {
	if s.Profile == "" && s.profile.URL == "" {
		replaced, _ = savedLogin(l.Server) // a file without a session is replaced, too
		return replaced, l.save()
	}
	err = EditProfiles(func(p *Profiles) error {
		named := p.Profiles[s.chosen]
		replaced = named.Login
		if named.URL != "" && Origin(named.URL) != l.Server {
			named = Profile{} // its key and its project belong to another server
		}
		named.URL, named.Login = s.URL, l
		if s.Project != "" && (named.Project == "" || cmd.Flags().Changed("profile")) {
			named.Project = s.Project
		}
		p.Profiles[s.chosen] = named
		return nil
	})
	return replaced, err
}

// CheckLogin returns a usage error if a sign-in would change the server of the chosen profile, unless --profile and --url
// name both. It asks a person before the change deletes the key of the profile.
func (s *Settings) CheckLogin(cmd *cobra.Command) error {
	if s.Profile == "" {
		return nil
	}
	if err := CheckProfileName(s.Profile); err != nil {
		return err
	}
	p, err := LoadProfiles()
	if err != nil {
		return err
	}
	named, ok := p.Profiles[s.Profile]
	switch {
	case !ok || Origin(named.URL) == Origin(s.URL):
		return nil
	case !cmd.Flags().Changed("url"):
		return Usagef("the profile %s is for %s, but WAFT_URL is %s: unset WAFT_URL, or use --url to give the profile another address",
			s.Profile, named.URL, s.URL)
	case !cmd.Flags().Changed("profile"):
		return Usagef("the profile %s (WAFT_PROFILE) is for %s: use --profile %s to give it another address, "+
			"or --profile '' to sign in without it", s.Profile, named.URL, s.Profile)
	case named.APIKey == "":
		return nil
	}
	return Call{Command: cmd, Settings: s}.Confirm(
		fmt.Sprintf("Give the profile %s the address %s, and delete its key for %s?", s.Profile, s.URL, named.URL))
}

// ForgetLogin deletes a saved session from this machine.
func (s *Settings) ForgetLogin(l *Login) error {
	if s.profile.Login != l {
		return os.Remove(loginFile(l.Server))
	}
	return EditProfiles(func(p *Profiles) error {
		named := p.Profiles[s.chosen]
		named.Login = nil
		p.Profiles[s.chosen] = named
		return nil
	})
}

// savedLogin returns the saved session for a server, or nil if no session is saved.
func savedLogin(server string) (*Login, error) {
	text, err := os.ReadFile(loginFile(server))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var l Login
	if err := json.Unmarshal(text, &l); err != nil || l.Server != Origin(server) {
		return nil, fmt.Errorf("%s is not a session saved by `waft login`: delete the file and sign in again", loginFile(server))
	}
	return &l, nil
}
